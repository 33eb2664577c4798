/// Apple's `ALDAppKey`, declared by hand from its public documentation (`spec/apple.md` §1).
public struct ALDAppKey {
    /// Names an app and the key blob of one variant.
    public init(appleItemID: UInt64, appKeyBlob: [UInt8]) throws {
        throw StubError.notApples
    }
}
