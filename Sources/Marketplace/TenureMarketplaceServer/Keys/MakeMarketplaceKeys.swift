import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

extension MarketplaceContext {
    /// Generates simulated signing assets for marketplaces without signing assets, so that a marketplace can be tried
    /// without Apple's module.
    ///
    /// Saves the assets durably, and returns the tenants of these marketplaces. Each marketplace takes about a second.
    /// If two servers generate assets for one marketplace at the same time, the assets that are saved second are
    /// discarded.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func makeMarketplaceKeys(by actor: Actor) async throws(ServerError) -> [TenantID] {
        var tenants: [TenantID] = []
        for tenant in try await tenantsWithoutKeys() {
            let now = clock.now()
            let assets = try await compute {
                Result { () throws(ServerError) in try SigningAssets.simulated(at: now) }
            }.get()
            let isFirst = try await catalog.encrypting { master throws(ServerError) in
                let records = try MarketplaceKeyRecord.records(
                    of: assets, for: tenant, under: master, at: now, namedFrom: now)
                return try await catalog.perform(KeyChange.bind(tenant)) { results, marks, snapshot in
                    guard snapshot.marketplaceKeys[tenant] == nil else { return TransactionResult(false) }
                    try snapshot.checkEncryption(by: master)
                    return TransactionResult(true, KeyChange.adding(records, results, marks, by: actor, at: now))
                }
            }
            if isFirst { tenants.append(tenant) }
        }
        return tenants
    }

    private func tenantsWithoutKeys() async throws(ServerError) -> [TenantID] {
        let snapshot = try await catalog.refresh()
        return snapshot.catalog.tenants.values
            .filter { $0.marketplace != nil && snapshot.marketplaceKeys[$0.id] == nil }
            .map(\.id).sorted()
    }
}

/// Generates missing signing assets on a running server, for example if the clock was untrusted at its start.
struct KeepMarketplaceKeys: Service {
    let context: MarketplaceContext
    let log: any Log

    var name: String { "marketplace_keys" }

    func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        for tenant in try await context.makeMarketplaceKeys(by: .time) {
            log.write(LogLine(.warning, "marketplace_keys_made", [("tenant", .text(tenant.text))]))
        }
        return .after(.seconds(3600))
    }
}

extension SigningAssets {
    static func simulated(at now: Timestamp) throws(ServerError) -> SigningAssets {
        do throws(EngineError) {
            return try .makeSimulated(now: now)
        } catch {
            throw ServerError(.crypto, "Simulated signing assets couldn't be created.", cause: error.description)
        }
    }
}

/// The transaction that adds keys to marketplaces.
enum KeyChange {
    /// Runs exclusively, because requests read keys without locking them.
    static let plan = CatalogQueryPlan(isAlone: true, for: TenantID.self) { query in
        query.part(TenantMarks.init) { [$0] }
    }

    /// Binds the transaction's parameters for one tenant.
    static func bind(_ tenant: TenantID) -> BoundCatalogQuery<TenantMarks> { plan.bind(tenant) }

    /// The rows and events for new keys.
    static func adding(
        _ records: [MarketplaceKeyRecord], _ results: QueryResult, _ marks: TenantMarks, by actor: Actor,
        at now: Timestamp
    ) -> [RowWrite] {
        records.map(RowWrite.insert)
            + records.map { record in
                .event(
                    Event(
                        .marketplaceKeyAdded, at: now, actor: actor, about: .init(tenant: record.tenant),
                        facts: [
                            .init("purpose", .text(record.purpose.rawValue)), .init("kid", .text(record.kid)),
                            .init("origin", .text(record.origin.rawValue)),
                            .init("namedFrom", .date(record.namedFrom)),
                        ]))
            } + marks.raised(for: records.map(\.tenant), in: results)
    }
}
