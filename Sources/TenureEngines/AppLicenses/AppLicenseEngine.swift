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
