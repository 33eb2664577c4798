/// Apple's `ALDSession`, declared by hand from its public documentation (`spec/apple.md` §1); it does nothing.
public class ALDSession {
    /// Begins the answer to a request.
    public init(
        request: [UInt8], PASK: [UInt8], encryptionCert: [UInt8], signingCert: [UInt8], signingKey: [UInt8]? = nil
    ) throws {
        throw StubError.notApples
    }

    /// Begins static licenses.
    public init(signingCert: [UInt8], signingKey: [UInt8]? = nil, PASK: [UInt8]) throws {
        throw StubError.notApples
    }

    /// What is asked for.
    public var requestAction: ALDLicenseAction { .unknown }
    /// Names the device.
    public var requestDeviceID: [UInt8] { [] }
    /// Names the request.
    public var requestID: UInt64 { 0 }
    /// The device's clock.
    public var requestTime: UInt64 { 0 }
    /// The request's format.
    public var requestVersion: UInt32 { 0 }
    /// The apps asked for.
    public var requestedAppleItemIDList: [UInt64] { [] }
    /// The licenses to renew.
    public var requestedLicenseIDList: [UInt64] { [] }
    /// The kind of session.
    public var sessionType: ALDSessionType { .unknown }

    /// Queues one license.
    public func generateLicense(attr: ALDLicenseAttribute) throws {
        throw StubError.notApples
    }

    /// Queues one static license.
    public func generateStaticLicense(licenseID: UInt64, appKey: ALDAppKey) throws {
        throw StubError.notApples
    }

    /// The unsigned response with everything queued.
    public func generateLicenseResponse() throws -> [UInt8] {
        throw StubError.notApples
    }

    /// The signed bytes.
    public func finalizeLicenseResponse(licenseResponse: [UInt8], signature: [UInt8]? = nil) throws -> [UInt8] {
        throw StubError.notApples
    }
}
