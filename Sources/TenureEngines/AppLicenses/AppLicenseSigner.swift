/// Signs app licenses outside the engine: in a hardware module, in another process, or on a pool of threads for RSA.
public protocol AppLicenseSigner: Sendable {
    /// Signs an unsigned response with the private key of the signing certificate.
    ///
    /// The simulated engine wants RSA with PKCS#1 v1.5 and SHA-256. What Apple's wants is not documented beyond the key's
    /// size (`spec/apple.md` §1).
    func sign(_ response: [UInt8]) async throws -> [UInt8]
}
