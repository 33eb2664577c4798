public import TenureCrypto

/// Who signs app licenses.
public enum AppLicenseSigning: Sendable {
    /// The engine, with the private key of the signing certificate; it takes some 2 ms wherever the session finishes.
    case key(RSA.PrivateKey)

    /// Somebody else.
    case signer(any AppLicenseSigner)
}

extension AppLicenseSigner {
    /// Asks for a signature; what the signer throws becomes the cause.
    func signature(over response: [UInt8]) async throws(EngineError) -> [UInt8] {
        do {
            return try await sign(response)
        } catch is CancellationError {
            throw EngineError(.cancelled, "the task was cancelled before the license was signed")
        } catch {
            throw EngineError(
                .notSigned, "the signer of app licenses failed; see that it runs and holds the key", cause: error)
        }
    }
}

/// Signs app licenses outside the engine: in a hardware module, in another process, or on a pool of threads for RSA.
public protocol AppLicenseSigner: Sendable {
    /// Signs an unsigned response with the private key of the signing certificate.
    ///
    /// The simulated engine wants RSA with PKCS#1 v1.5 and SHA-256. What Apple's wants is not documented beyond the key's
    /// size (`spec/apple.md` §1).
    func sign(_ response: [UInt8]) async throws -> [UInt8]
}
