/// Apple's `ALDAppKey`, declared from its public documentation.
public struct ALDAppKey {
    /// Creates a key from an app's id and the key blob of one variant.
    public init(appleItemID: UInt64, appKeyBlob: [UInt8]) throws {
        throw StubError.notApples
    }
}
