/// Apple's `ALDLicenseAttribute`, declared from its public documentation.
public struct ALDLicenseAttribute {
    /// Creates the attributes of the license with this id.
    public init(licenseID: UInt64) {
        issuedTime = 0
        duration = 0
    }

    /// The time of issue in POSIX seconds.
    public var issuedTime: UInt64
    /// The duration in seconds; 0 means that the license never expires.
    public var duration: UInt64

    /// Adds the key of one variant of an app.
    public mutating func addAppKey(_ appKey: ALDAppKey) throws {
        throw StubError.notApples
    }

    /// Adds an app whose license is revoked.
    public mutating func revokeAppleItemID(_ appleItemID: UInt64) throws {
        throw StubError.notApples
    }
}
