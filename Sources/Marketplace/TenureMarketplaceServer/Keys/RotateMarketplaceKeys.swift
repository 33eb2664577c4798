import TenureCore
import TenureServerKit
import TenureStore

/// The result of rotating a marketplace's keys.
enum KeyRotation: Sendable {
    /// The new certificates are served at once, and the configuration names them from this time on.
    case rotated(encryption: String, signing: String, namedFrom: Timestamp)
    /// The marketplace has imported assets, so new assets must come from Apple.
    case imported
    /// The tenant has no marketplace, or one without signing assets.
    case noAssets
}

extension MarketplaceContext {
    /// Generates a new encryption key and a new signing key for a simulated marketplace.
    ///
    /// Real keys are rotated by importing new ones from Apple. The configuration names the old keys for as long as
    /// devices may have an earlier configuration cached. Then the configuration and the signatures change together.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func rotateMarketplaceKeys(of tenant: TenantID, by actor: Actor) async throws(ServerError) -> KeyRotation {
        let now = clock.now()
        let namedFrom = now.adding(seconds: MarketplaceKeys.cacheSeconds)
        let assets = try SigningAssets.simulated(at: now)
        try await catalog.refresh()
        return try await catalog.encrypting { master throws(ServerError) in
            let records = try MarketplaceKeyRecord.records(
                of: assets, for: tenant, under: master, at: now, namedFrom: namedFrom
            ).filter { $0.purpose == .encryption || $0.purpose == .signing }
            return try await catalog.perform(KeyChange.bind(tenant)) { results, marks, snapshot in
                guard let keys = snapshot.marketplaceKeys[tenant] else { return TransactionResult(.noAssets) }
                if keys.isImported { return TransactionResult(.imported) }
                try snapshot.checkEncryption(by: master)
                return TransactionResult(
                    .rotated(encryption: assets.encryptionKey.id, signing: assets.signingKey.id, namedFrom: namedFrom),
                    KeyChange.adding(records, results, marks, by: actor, at: now))
            }
        }
    }
}
