/// Apple's `ALDLicenseAttribute`, declared by hand from its public documentation (`spec/apple.md` §1).
public struct ALDLicenseAttribute {
    /// Names the license.
    public init(licenseID: UInt64) {
        issuedTime = 0
        duration = 0
    }

    /// POSIX seconds.
    public var issuedTime: UInt64
    /// Seconds; 0 never expires.
    public var duration: UInt64

    /// Adds the key of one variant of an app.
    public mutating func addAppKey(_ appKey: ALDAppKey) throws {
        throw StubError.notApples
    }

    /// Adds an app that the license takes away.
    public mutating func revokeAppleItemID(_ appleItemID: UInt64) throws {
        throw StubError.notApples
    }
}
