/// Apple's `ALDSession`, declared from its public documentation. It does nothing.
public class ALDSession {
    /// Starts the response to a request.
    public init(
        request: [UInt8], PASK: [UInt8], encryptionCert: [UInt8], signingCert: [UInt8], signingKey: [UInt8]? = nil
    ) throws {
        throw StubError.notApples
    }

    /// Starts a session for static licenses.
    public init(signingCert: [UInt8], signingKey: [UInt8]? = nil, PASK: [UInt8]) throws {
        throw StubError.notApples
    }

    /// The requested action.
    public var requestAction: ALDLicenseAction { .unknown }
    /// The id of the device.
    public var requestDeviceID: [UInt8] { [] }
    /// The id of the request.
    public var requestID: UInt64 { 0 }
    /// The time on the device's clock.
    public var requestTime: UInt64 { 0 }
    /// The version of the request's format.
    public var requestVersion: UInt32 { 0 }
    /// The ids of the requested apps.
    public var requestedAppleItemIDList: [UInt64] { [] }
    /// The ids of the licenses to renew.
    public var requestedLicenseIDList: [UInt64] { [] }
    /// The kind of session.
    public var sessionType: ALDSessionType { .unknown }

    /// Adds a license to the response.
    public func generateLicense(attr: ALDLicenseAttribute) throws {
        throw StubError.notApples
    }

    /// Adds a static license to the response.
    public func generateStaticLicense(licenseID: UInt64, appKey: ALDAppKey) throws {
        throw StubError.notApples
    }

    /// Returns the unsigned response with all added licenses.
    public func generateLicenseResponse() throws -> [UInt8] {
        throw StubError.notApples
    }

    /// Returns the signed response.
    public func finalizeLicenseResponse(licenseResponse: [UInt8], signature: [UInt8]? = nil) throws -> [UInt8] {
        throw StubError.notApples
    }
}
