import TenureCrypto

/// How app licenses are signed.
enum AppLicenseSigning: Sendable {
    /// By the engine, with the private key of the signing certificate; signing takes about 2 ms.
    case key(RSA.PrivateKey)

    /// By an external signer.
    case signer(any AppLicenseSigner)
}

extension AppLicenseSigner {
    /// Requests a signature; the signer's error becomes the cause of the thrown error.
    func signature(over response: [UInt8]) async throws(EngineError) -> [UInt8] {
        do {
            return try await sign(response)
        } catch is CancellationError {
            throw EngineError(.cancelled, "the task was cancelled before the license was signed")
        } catch {
            throw EngineError(
                .notSigned, "the signer of app licenses failed; check that it is running and has the key", cause: error)
        }
    }
}

/// Signs app licenses outside the engine: in a hardware module, in another process, or on a thread pool for RSA.
protocol AppLicenseSigner: Sendable {
    /// Signs a response with the private key of the signing certificate.
    ///
    /// The simulated engine requires RSA with PKCS#1 v1.5 and SHA-256. Apple documents only the key's size for its own
    /// module (Apple's documentation).
    func sign(_ response: [UInt8]) async throws -> [UInt8]
}
