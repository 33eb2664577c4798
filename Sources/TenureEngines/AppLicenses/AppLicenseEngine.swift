/// Reads what devices ask for and makes the licenses they install: Apple's module, or a simulation of it.
///
/// What it is given has been taken out of its envelope; who may have a license is decided by the caller. Several
/// threads may use one engine.
public protocol AppLicenseEngine: Sendable {
    /// Whether licenses are made up: no iPhone accepts them, and whatever shows them must say so.
    var isSimulated: Bool { get }

    /// Reads a device's request and begins the answer to it.
    ///
    /// Throws: `.requestUnreadable`, `.engineFailed`.
    func open(clientRequest: [UInt8]) throws(EngineError) -> any AppLicenseSession

    /// Begins licenses that answer no request and only let apps be installed.
    ///
    /// Throws: `.engineFailed`.
    func openStatic() throws(EngineError) -> any AppLicenseSession
}

/// The answer to one request, while it is being put together: what was asked, and the licenses granted so far.
///
/// What was asked is a claim of the device's. Several threads may use one session, one after the other.
public protocol AppLicenseSession: Sendable {
    /// What the device asks for.
    var action: AppLicenseAction { get }

    /// Names the device; to be compared, and otherwise opaque. Empty in a static session.
    var deviceID: [UInt8] { get }

    /// Names the request; the same one sent again has the same.
    var requestID: UInt64 { get }

    /// When the device made the request, in POSIX seconds by its own clock.
    var requestTime: UInt64 { get }

    /// The version of the device's request format.
    var requestVersion: UInt32 { get }

    /// The apps to license.
    var appleItemIDs: [UInt64] { get }

    /// The licenses to renew.
    var licenseIDs: [UInt64] { get }

    /// Grants a license. When it throws, the session is as it was, and others may be granted.
    ///
    /// Throws: `.licenseRepeated`, `.wrongSession` in a static session, `.engineFailed`.
    func add(_ license: AppLicenseAttributes) throws(EngineError)

    /// Grants a license that only lets an app be installed, in a static session.
    ///
    /// Throws: `.licenseIDOutOfRange`, `.licenseRepeated`, `.wrongSession`, `.engineFailed`.
    func addStatic(licenseID: UInt64, appKey: AppKey) throws(EngineError)

    /// What is to be signed: all licenses granted so far, none included.
    ///
    /// Throws: `.engineFailed`.
    func response() throws(EngineError) -> [UInt8]

    /// Joins the latest response and its signature to the bytes that a device installs, never empty.
    ///
    /// Without a signature the engine's key or signer makes one.
    ///
    /// Throws: `.wrongSession`, `.notSigned`, `.badSignature`, `.emptyLicense`, `.engineFailed`, `.cancelled`.
    func finish(_ response: [UInt8], signature: [UInt8]?) async throws(EngineError) -> [UInt8]
}

extension AppLicenseSession {
    /// Signs all that was granted; the bytes are what the wire's `license` is base64 of, never empty.
    ///
    /// Throws: what ``response()`` and ``finish(_:signature:)`` throw.
    public func license() async throws(EngineError) -> [UInt8] {
        try await finish(response(), signature: nil).orEmptyLicense()
    }
}

extension [UInt8] {
    /// Refuses an empty license: a device would only say that it has no valid one.
    func orEmptyLicense() throws(EngineError) -> [UInt8] {
        guard !isEmpty else {
            throw EngineError(
                .emptyLicense, "the engine made an empty license; check the signing key and its certificate")
        }
        return self
    }
}

/// What a device asks a license engine for.
public enum AppLicenseAction: String, Sendable, Hashable {
    /// Licenses for apps that are new to it.
    case create
    /// Licenses that permit nothing but to install.
    case generateStatic
    /// Renewal of licenses that it has.
    case renew
    /// Something that this engine has no word for.
    case unknown
}
