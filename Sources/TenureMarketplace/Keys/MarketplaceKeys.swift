import TenureCore
import TenureCrypto
import TenureEngines
import TenureServerKit
import TenureStore

/// The opened keys of one marketplace, every one it ever had: what was sealed to an old key still opens, and old
/// certificates are still served.
struct MarketplaceKeys: Sendable {
    /// A key and the moment from which the configuration names it.
    struct Dated<Key: Sendable>: Sendable {
        let key: Key
        let namedFrom: Timestamp
    }

    let records: [MarketplaceKeyRecord]
    /// Oldest first, never empty.
    let encryption: [Dated<SigningAssets.EncryptionKey>]
    /// Oldest first, never empty.
    let signing: [Dated<SigningAssets.SigningKey>]
    /// The latest.
    let distribution: SigningAssets.DistributionKey
    /// The latest.
    let pask: [UInt8]

    /// Whether real assets were handed over: then none is ever made.
    var isImported: Bool { records.contains { $0.origin == .imported } }

    /// The assets that the configuration names at a moment, with the older encryption keys.
    func assets(at now: Timestamp) throws(EngineError) -> SigningAssets {
        let named = encryption.named(at: now)
        return try SigningAssets(
            isSimulated: !isImported, encryptionKey: named,
            olderEncryptionKeys: encryption.reversed().map(\.key).filter { $0.id != named.id },
            signingKey: signing.named(at: now), pask: pask, distributionKey: distribution)
    }

    /// The names of the keys that the configuration names at a moment.
    func named(at now: Timestamp) -> NamedMarketplaceKeys {
        NamedMarketplaceKeys(encryption: encryption.named(at: now).id, signing: signing.named(at: now).id)
    }

    /// When the configuration changes by itself, if a newer key waits to be named.
    func nextNaming(after now: Timestamp) -> Timestamp? {
        (encryption.map(\.namedFrom) + signing.map(\.namedFrom)).filter { $0 > now }.min()
    }

    /// The certificate of that name, for either purpose; nil when there is none.
    func certificate(_ id: String) -> X509Certificate? {
        encryption.first { $0.key.id == id }?.key.certificate ?? signing.first { $0.key.id == id }?.key.certificate
    }
}

/// The names of the keys that a configuration names.
struct NamedMarketplaceKeys: Sendable, Hashable {
    let encryption: String
    let signing: String
}

extension Array {
    /// The latest key that is named already; the first one when none is yet.
    fileprivate func named<Key>(at now: Timestamp) -> Key where Element == MarketplaceKeys.Dated<Key> {
        (last { $0.namedFrom <= now } ?? self[0]).key
    }
}

/// The keys of all marketplaces, opened.
final class MarketplaceKeySets: CatalogPart {
    let ofTenants: [TenantID: MarketplaceKeys]

    private init(_ ofTenants: [TenantID: MarketplaceKeys]) { self.ofTenants = ofTenants }

    /// Reads and opens those of the tenants that have changed; where the records are the same, and elsewhere, they stay
    /// open.
    static func open(
        _ store: any Store, under master: MasterKey, in scope: CatalogScope
    ) async throws(ServerError) -> (any CatalogPart)? {
        let known = scope.known?.marketplaceKeys ?? [:]
        return MarketplaceKeySets(
            try await scope.values(over: known) { tenant, sets throws(ServerError) in
                let records = try await asking { () async throws(StoreError) in
                    try await store.marketplaceKeys(of: tenant)
                }
                for (tenant, records) in Dictionary(grouping: records, by: \.tenant) {
                    let isSame = known[tenant]?.records == records
                    sets[tenant] = isSame ? known[tenant] : try MarketplaceKeys(opening: records, under: master)
                }
            })
    }
}

extension CatalogSnapshot {
    /// The marketplaces' keys.
    var marketplaceKeys: [TenantID: MarketplaceKeys] { part(MarketplaceKeySets.self)?.ofTenants ?? [:] }
}
