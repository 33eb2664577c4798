import TenureCore
import TenureCrypto
import TenureMarketplace
import TenureServerKit

/// Decrypts devices' requests and writes licenses.
///
/// All RSA operations run on the pool.
struct AppLicenseWriter: Sendable {
    let pool: CryptoPool
    let keyBlobs: KeyBlobCache

    /// Decrypts a request for this action; `nil` if it can't be decrypted or is for another action.
    ///
    /// Both failures take the same work, so that the response time doesn't reveal which one happened.
    ///
    /// - Throws: ``ServerError`` if the signing assets can't be used.
    func open(
        _ envelope: RequestEnvelope, expecting action: AppLicenseAction, with keys: MarketplaceKeys, at now: Timestamp
    ) async throws(ServerError) -> (any AppLicenseSession)? {
        let engine = try engine(under: keys, at: now)
        let decryptionKeys = keys.decryption
        return try await pool.run {
            try? envelope.open(with: decryptionKeys) { plaintext in
                let session = try engine.open(clientRequest: plaintext)
                guard session.action == action else {
                    throw EngineError(.requestUnreadable, "the request is for another endpoint")
                }
                return session
            }
        }
    }

    /// Writes licenses into a signed response; the list may be empty.
    ///
    /// - Throws: ``ServerError`` if the licenses can't be written. The decision stays saved, and repeating the request
    ///   returns the same licenses.
    func write(
        _ licenses: [AppLicense], in session: any AppLicenseSession, of tenant: TenantID, catalogVersion: Int64
    ) async throws(ServerError) -> [UInt8] {
        let blobs = try await keyBlobs.blobs(
            of: licenses.map(\.asset), at: tenant, catalogVersion: catalogVersion)
        do throws(EngineError) {
            for (license, blob) in zip(licenses, blobs) {
                let written = license.term.asIssuedAndDuration
                try session.add(
                    AppLicenseAttributes(
                        licenseID: UInt64(license.id.number), issuedTime: written.issuedTime,
                        duration: written.duration,
                        appKeys: [AppLicenseAttributes.AppKey(appleItemID: license.item.number, keyBlob: blob)]))
            }
            return try await session.license()
        } catch {
            throw ServerError(
                .init(error.code.text), "The license engine failed: \(error.message)",
                cause: error.cause.map { "\($0)" },
                isTransient: (error.cause as? ServerError)?.isTransient ?? false)
        }
    }

    private func engine(
        under keys: MarketplaceKeys, at now: Timestamp
    ) throws(ServerError) -> any AppLicenseEngine {
        let key = keys.signingKey(at: now)
        let signer = key.privateKey.map { PooledSigner(key: $0, pool: pool) }
        do throws(EngineError) {
            #if canImport(ALD)
                if keys.isImported { return try ALDEngine(keys.assets(at: now), signer: signer) }
            #endif
            return try SimulatedEngine(
                signingCertificate: key.certificate, signing: key.signing(signer), pask: keys.pask)
        } catch {
            throw ServerError(.crypto, "The marketplace's signing assets can't be used.", cause: error.description)
        }
    }
}

/// Signs on the pool with a key in this process.
private struct PooledSigner: AppLicenseSigner {
    let key: RSA.PrivateKey
    let pool: CryptoPool

    func sign(_ response: [UInt8]) async throws -> [UInt8] {
        try await pool.run { Result { try key.sign(response) } }.get()
    }
}
