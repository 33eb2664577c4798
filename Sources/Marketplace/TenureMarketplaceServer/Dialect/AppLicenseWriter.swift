import TenureCore
import TenureCrypto
import TenureMarketplace
import TenureServerKit

/// Decrypts devices' requests and writes licenses.
///
/// All RSA operations run on the pool of threads for cryptography.
struct AppLicenseWriter: Sendable {
    let pool: CryptoPool
    let keyBlobs: KeyBlobCache
    let log: any Log

    /// Decrypts a request for this action; `nil` if it can't be decrypted or is for another action.
    ///
    /// Both failures take the same work, so that the response time doesn't reveal which one happened.
    ///
    /// - Throws: ``ServerError`` if the signing assets can't be used.
    func open(
        _ envelope: RequestEnvelope, expecting action: AppLicenseAction, at market: MarketplaceCaller, _ now: Timestamp
    ) async throws(ServerError) -> (any AppLicenseSession)? {
        let engine = try engine(of: market, at: now)
        let decryptionKeys = market.keys.decryption
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

    /// A license that couldn't be written, so the response doesn't contain it.
    struct Unwritten: Sendable {
        let id: LicenseID
        let item: AppleItemID
        /// The digest of the key blob of the license's asset.
        let key: Digest
    }

    /// Adds licenses to the response of a session, and returns those that couldn't be written.
    ///
    /// A license is left out if its key can't be used, or if the engine accepted another asset in this session. Any
    /// other error may come from a broken engine. The request then fails as a whole, so that no device loses its apps.
    ///
    /// - Throws: ``ServerError`` if the engine fails. The decision stays saved, and repeating the request returns the
    ///   same licenses.
    func add(
        _ licenses: [AppLicense], to session: any AppLicenseSession, of tenant: TenantID, catalogVersion: Int64
    ) async throws(ServerError) -> [Unwritten] {
        let blobs = try await keyBlobs.blobs(
            of: licenses.map(\.asset), at: tenant, catalogVersion: catalogVersion)
        do throws(EngineError) {
            var accepted: Set<AssetRef> = []
            var failures: [(license: AppLicense, error: EngineError)] = []
            var unwritten: [Unwritten] = []
            for (license, blob) in zip(licenses, blobs) {
                do throws(EngineError) {
                    try session.add(try AppLicenseAttributes(license, keyBlob: blob))
                    accepted.insert(license.asset)
                } catch {
                    failures.append((license, error))
                    unwritten.append(Unwritten(id: license.id, item: license.item, key: .sha256(of: blob)))
                }
            }
            for (license, error) in failures
            where !error.isKeyError && accepted.allSatisfy({ $0 == license.asset }) { throw error }
            record(failures, of: tenant)
            return unwritten
        } catch {
            throw ServerError(error)
        }
    }

    /// Signs the response of a session with the licenses added so far, possibly none.
    ///
    /// - Throws: ``ServerError`` if the engine or the signer fails. The decision stays saved, and repeating the request
    ///   returns the same licenses.
    func sign(_ session: any AppLicenseSession) async throws(ServerError) -> [UInt8] {
        do throws(EngineError) {
            return try await session.license()
        } catch {
            throw ServerError(error)
        }
    }

    /// Logs why assets were left out, once for each asset.
    private func record(_ failures: [(license: AppLicense, error: EngineError)], of tenant: TenantID) {
        var recorded: Set<AssetRef> = []
        for (license, error) in failures where recorded.insert(license.asset).inserted {
            log.write(
                LogLine(
                    .error, "app_license_not_written",
                    [
                        ("tenant", .text(tenant.text)), ("appleItemID", .text(license.item.description)),
                        ("appleVersionID", .text(license.asset.version.description)),
                        ("asset", .text(license.asset.asset.text)), ("error", .text(error.description)),
                    ]))
        }
    }

    private func engine(
        of market: MarketplaceCaller, at now: Timestamp
    ) throws(ServerError) -> any AppLicenseEngine {
        let keys = market.keys
        let key = keys.signingKey(at: now)
        let signer = key.privateKey.map { PooledSigner(key: $0, pool: pool) }
        do throws(EngineError) {
            #if canImport(ALD)
                if keys.isImported {
                    let isExternal = market.marketplace.hasExternalSignature
                    return try ALDEngine(keys.assets(at: now), signer: isExternal ? signer : nil, on: pool)
                }
            #endif
            return try SimulatedEngine(
                signingCertificate: key.certificate, signing: key.signing(signer), pask: keys.pask)
        } catch {
            throw ServerError(.crypto, "The marketplace's signing assets can't be used.", cause: error.description)
        }
    }
}

/// Signs with a key in this process, on the pool of threads for cryptography.
private struct PooledSigner: AppLicenseSigner {
    let key: RSA.PrivateKey
    let pool: CryptoPool

    func sign(_ response: [UInt8]) async throws -> [UInt8] {
        try await pool.run { Result { try key.sign(response) } }.get()
    }
}

extension ServerError {
    fileprivate init(_ error: EngineError) {
        self.init(
            .init(error.code.text), "The license engine failed: \(error.message)",
            cause: error.cause.map { "\($0)" },
            isTransient: (error.cause as? ServerError)?.isTransient ?? false)
    }
}

extension EngineError {
    /// Whether the key of the license's asset caused the error, and not the engine.
    fileprivate var isKeyError: Bool { code == .appKeyMissing || code == .appKeyUnusable }
}

extension AppLicenseAttributes {
    fileprivate init(_ license: AppLicense, keyBlob: [UInt8]) throws(EngineError) {
        let written = license.term.asIssuedAndDuration
        try self.init(
            licenseID: UInt64(license.id.number), issuedTime: written.issuedTime, duration: written.duration,
            appKeys: [AppKey(appleItemID: license.item.number, keyBlob: keyBlob)])
    }
}
