/// Parses devices' license requests and creates the licenses that they install.
///
/// An engine is Apple's module or a simulation of it. The caller decrypts a request's envelope and decides which
/// licenses to grant. Several threads may use one engine.
protocol AppLicenseEngine: Sendable {
    /// Whether the licenses are simulated: no iPhone accepts them, and any user interface must say so.
    var isSimulated: Bool { get }

    /// Parses a device's request and begins a session that answers it.
    ///
    /// - Throws: `.requestUnreadable`, `.engineFailed`.
    func open(clientRequest: [UInt8]) throws(EngineError) -> any AppLicenseSession

    /// Begins a session for static licenses, which belong to no request and only allow apps to be installed.
    ///
    /// - Throws: `.engineFailed`.
    func openStatic() throws(EngineError) -> any AppLicenseSession
}

/// A session that answers one request: the device's request, and the licenses granted so far.
///
/// The content of the request isn't authenticated. Several threads may use a session, but not at the same time.
protocol AppLicenseSession: Sendable {
    /// The action that the device requests.
    var action: AppLicenseAction { get }

    /// The device's id, opaque and only for comparison; empty in a static session.
    var deviceID: [UInt8] { get }

    /// The request's id; a request that is sent again has the same id.
    var requestID: UInt64 { get }

    /// When the device created the request, in POSIX seconds of its own clock.
    var requestTime: UInt64 { get }

    /// The version of the device's request format.
    var requestVersion: UInt32 { get }

    /// The item ids of the apps to license; empty for a renewal.
    var appleItemIDs: [UInt64] { get }

    /// The ids of the licenses to renew; empty unless the action is a renewal.
    var licenseIDs: [UInt64] { get }

    /// Grants a license.
    ///
    /// If the call throws, the session is unchanged and can grant others.
    ///
    /// - Throws: `.appKeyUnusable`, `.licenseRepeated`, `.wrongSession` in a static session, `.engineFailed`.
    func add(_ license: AppLicenseAttributes) throws(EngineError)

    /// Grants a license that only allows an app to be installed; the session must be static.
    ///
    /// - Throws: `.appKeyUnusable`, `.licenseIDOutOfRange`, `.licenseRepeated`, `.wrongSession`, `.engineFailed`.
    func addStatic(licenseID: UInt64, appKey: AppLicenseAttributes.AppKey) throws(EngineError)

    /// The bytes to sign. They contain all licenses granted so far, possibly none.
    ///
    /// - Throws: `.engineFailed`.
    func response() throws(EngineError) -> [UInt8]

    /// Combines the latest response and its signature into the bytes that a device installs, which are never empty.
    ///
    /// If `signature` is `nil`, the engine's key or signer creates one.
    ///
    /// - Throws: `.wrongSession`, `.notSigned`, `.badSignature`, `.emptyLicense`, `.engineFailed`, `.cancelled`.
    func finish(_ response: [UInt8], signature: [UInt8]?) async throws(EngineError) -> [UInt8]
}

extension AppLicenseSession {
    /// Signs all granted licenses; the result is sent in base64 as the response's `license` and is never empty.
    ///
    /// - Throws: The errors of ``response()`` and ``finish(_:signature:)``.
    func license() async throws(EngineError) -> [UInt8] {
        try await finish(response(), signature: nil).orEmptyLicense()
    }
}

extension [UInt8] {
    /// Returns the bytes, or throws `.emptyLicense` if there aren't any.
    ///
    /// For an empty license, a device would only report that it has no valid license.
    func orEmptyLicense() throws(EngineError) -> [UInt8] {
        guard !isEmpty else {
            throw EngineError(
                .emptyLicense, "the engine created an empty license; check the signing key and its certificate")
        }
        return self
    }
}

/// The actions that a device requests from a license engine.
enum AppLicenseAction: String, Sendable, Hashable {
    /// Licenses for apps that are new to the device.
    case create
    /// Licenses that only allow apps to be installed.
    case generateStatic
    /// Renewal of licenses that the device holds.
    case renew
    /// An action that this engine doesn't know.
    case unknown
}
