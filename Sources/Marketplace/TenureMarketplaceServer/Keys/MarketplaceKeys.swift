import TenureCore
import TenureCrypto
import TenureServerKit
import TenureStore

/// The decrypted keys of a marketplace, including former ones.
///
/// Requests encrypted with former keys can still be decrypted, and their certificates are still served.
struct MarketplaceKeys: Sendable {
    /// A key and the time from which the configuration names it.
    struct Dated<Key: Sendable>: Sendable {
        let key: Key
        let namedFrom: Timestamp
    }

    let records: [MarketplaceKeyRecord]
    /// The encryption keys, oldest first, never empty.
    let encryption: [Dated<SigningAssets.EncryptionKey>]
    /// The signing keys, oldest first, never empty.
    let signing: [Dated<SigningAssets.SigningKey>]
    /// The distribution key that was stored last.
    let distribution: SigningAssets.DistributionKey
    /// The PASK that was stored last.
    let pask: [UInt8]

    /// Whether real assets were imported, so that simulated assets are never generated.
    var isImported: Bool { records.contains { $0.origin == .imported } }

    #if canImport(ALD)
        /// The assets that the configuration names at this time, with all other encryption keys for decryption.
        func assets(at now: Timestamp) throws(EngineError) -> SigningAssets {
            let named = encryption.named(at: now)
            return try SigningAssets(
                isSimulated: !isImported, encryptionKey: named,
                olderEncryptionKeys: encryption.reversed().map(\.key).filter { $0.id != named.id },
                signingKey: signing.named(at: now), pask: pask, distributionKey: distribution)
        }
    #endif

    /// All private keys that can decrypt a request, the newest first.
    var decryption: [RSA.PrivateKey] { encryption.reversed().map(\.key.privateKey) }

    /// The key that signs licenses at this time.
    func signingKey(at now: Timestamp) -> SigningAssets.SigningKey { signing.named(at: now) }

    /// The ids of the keys that the configuration names at this time.
    func named(at now: Timestamp) -> NamedMarketplaceKeys {
        NamedMarketplaceKeys(encryption: encryption.named(at: now).id, signing: signing.named(at: now).id)
    }

    /// The next time at which the configuration starts to name another key; `nil` if no key is waiting.
    func nextNaming(after now: Timestamp) -> Timestamp? {
        (encryption.map(\.namedFrom) + signing.map(\.namedFrom)).filter { $0 > now }.min()
    }

    /// The certificate with this key id; `nil` if it's unknown.
    func certificate(_ id: String) -> X509Certificate? {
        encryption.first { $0.key.id == id }?.key.certificate ?? signing.first { $0.key.id == id }?.key.certificate
    }
}

/// The ids of the keys that a configuration names.
struct NamedMarketplaceKeys: Sendable, Hashable {
    let encryption: String
    let signing: String
}

extension Array {
    /// The last key whose `namedFrom` has passed, or the first key if there is no such key.
    fileprivate func named<Key>(at now: Timestamp) -> Key where Element == MarketplaceKeys.Dated<Key> {
        (last { $0.namedFrom <= now } ?? self[0]).key
    }
}

/// The decrypted keys of all marketplaces.
final class MarketplaceKeySets: CatalogPart {
    let ofTenants: [TenantID: MarketplaceKeys]

    private init(_ ofTenants: [TenantID: MarketplaceKeys]) { self.ofTenants = ofTenants }

    /// Reads and decrypts the keys of tenants that changed; unchanged keys aren't decrypted again.
    static func open(
        _ store: ServerStore, under master: MasterKey, in scope: CatalogScope
    ) async throws(ServerError) -> (any CatalogPart)? {
        let rings = scope.existing?.marketplaceKeys ?? [:]
        return MarketplaceKeySets(
            try await scope.values(over: rings) { tenant, sets in
                let records = try await store.marketplaceKeys(of: tenant)
                for (tenant, records) in Dictionary(grouping: records, by: \.tenant) {
                    let isSame = rings[tenant]?.records == records
                    sets[tenant] = isSame ? rings[tenant] : try MarketplaceKeys(opening: records, under: master)
                }
            })
    }
}

extension CatalogSnapshot {
    /// The decrypted keys by tenant.
    var marketplaceKeys: [TenantID: MarketplaceKeys] { part(MarketplaceKeySets.self)?.ofTenants ?? [:] }
}
