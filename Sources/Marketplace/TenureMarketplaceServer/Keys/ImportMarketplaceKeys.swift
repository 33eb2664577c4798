import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

/// The result of importing a marketplace's keys.
enum KeyImport: Sendable {
    /// The assets are stored, and the configuration names them from this time on.
    case imported(SigningAssets, namedFrom: Timestamp)
    /// These certificates are already stored; nothing was changed.
    case unchanged
    /// The files can't be used; the message names the file and the reason.
    case refused(EngineError)
    case noMarketplace
}

extension MarketplaceContext {
    /// Imports a marketplace's real signing assets; from then on, simulated assets are never generated for the
    /// marketplace.
    ///
    /// The assets replace simulated assets at once. They replace earlier real assets after five minutes, when no device
    /// can have the old configuration cached.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func importMarketplaceKeys(
        _ files: AssetFiles, for tenant: TenantID, by actor: Actor
    ) async throws(ServerError) -> KeyImport {
        let now = clock.now()
        let assets: SigningAssets
        do throws(EngineError) {
            assets = try .imported(files, now: now)
        } catch {
            return .refused(error)
        }
        try await catalog.refresh()
        return try await catalog.encrypting { master throws(ServerError) in
            try await save(assets, for: tenant, under: master, by: actor, at: now)
        }
    }

    private func save(
        _ assets: SigningAssets, for tenant: TenantID, under master: MasterKey, by actor: Actor, at now: Timestamp
    ) async throws(ServerError) -> KeyImport {
        let sealed = try MarketplaceKeyRecord.records(of: assets, for: tenant, under: master, at: now, namedFrom: now)
        return try await catalog.perform(KeyChange.bind(tenant)) { results, marks, snapshot in
            guard snapshot.catalog.tenants[tenant]?.marketplace != nil else { return TransactionResult(.noMarketplace) }
            let former = snapshot.marketplaceKeys[tenant]
            let namedFrom = former?.isImported == true ? now.adding(seconds: MarketplaceKeys.cacheSeconds) : now
            let records = sealed.map { record in
                var record = record
                record.namedFrom = namedFrom
                return record
            }
            let fresh = records.filter { record in
                !(former?.records.contains { $0.purpose == record.purpose && $0.kid == record.kid } ?? false)
            }
            if fresh.isEmpty { return TransactionResult(.unchanged) }
            try snapshot.checkEncryption(by: master)
            return TransactionResult(
                .imported(assets, namedFrom: namedFrom), KeyChange.adding(fresh, results, marks, by: actor, at: now))
        }
    }
}
