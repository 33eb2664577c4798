public import TenureCore
import TenureCrypto
import TenureEngines
public import TenureServerKit
import TenureStore

/// Tells what keys a marketplace has: names, certificates and public halves, never a secret.
public struct DescribeMarketplaceKeys: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock

    /// Whether this build has Apple's module; without it licenses are simulated whatever keys there are.
    public static var hasApplesEngine: Bool {
        #if canImport(ALD)
            true
        #else
            false
        #endif
    }

    /// Looks under a catalog.
    public init(catalog: CatalogCache, clock: any WallClock) {
        self.catalog = catalog
        self.clock = clock
    }

    /// A marketplace's keys at a moment.
    public struct Description: Sendable {
        /// Whose.
        public let tenant: TenantID
        /// Its marketplace.
        public let marketplace: Marketplace
        /// Whether licenses are made up: no iPhone accepts them.
        public let isSimulated: Bool
        /// Every key, oldest first.
        public let keys: [Key]
        /// The public half of the key that signs install tokens, in PEM: what Apple is told.
        public let distributionPublicKey: String
    }

    /// One key.
    public struct Key: Sendable {
        /// What is stored of it.
        public let record: MarketplaceKeyRecord
        /// Whether the configuration names it now.
        public let isNamed: Bool
        /// Where its certificate is served; nil for what has none.
        public let path: String?
        /// The last moment of its certificate; nil for what has none.
        public let expiresAt: Timestamp?
    }

    /// The keys of a tenant's marketplace, or of all; those without assets are left out. Throws ``ServerError``.
    public func callAsFunction(of tenant: TenantID?) async throws(ServerError) -> [Description] {
        let now = clock.now()
        let snapshot = try await catalog.refresh()
        var descriptions: [Description] = []
        for offered in snapshot.catalog.tenants.values.sorted(by: { $0.id < $1.id })
        where tenant == nil || offered.id == tenant {
            guard let marketplace = offered.marketplace, let keys = snapshot.marketplaceKeys[offered.id] else {
                continue
            }
            descriptions.append(
                Description(
                    tenant: offered.id, marketplace: marketplace, isSimulated: keys.isSimulatedEngine,
                    keys: keys.records.map { keys.describe($0, of: offered.id, at: now) },
                    distributionPublicKey: try keys.distributionPEM()))
        }
        return descriptions
    }
}

extension MarketplaceKeys {
    /// Whether the simulated engine writes the licenses: for made assets, and in a build without Apple's module.
    var isSimulatedEngine: Bool { !DescribeMarketplaceKeys.hasApplesEngine || !isImported }

    fileprivate func distributionPEM() throws(ServerError) -> String {
        do throws(CryptoError) {
            return try distribution.privateKey.publicKey.pem()
        } catch {
            throw ServerError(.crypto, "The distribution key could not be written.", cause: error.code.text)
        }
    }

    fileprivate func describe(
        _ record: MarketplaceKeyRecord, of tenant: TenantID, at now: Timestamp
    ) -> DescribeMarketplaceKeys.Key {
        let named = named(at: now)
        let certificate = certificate(record.kid)
        switch record.purpose {
        case .encryption, .signing:
            return .init(
                record: record, isNamed: record.kid == named.encryption || record.kid == named.signing,
                path: MarketplacePaths(tenant: tenant).certificate(record.kid),
                expiresAt: certificate.map { Timestamp(seconds: $0.notAfter) })
        case .distribution:
            return .init(record: record, isNamed: record.kid == distribution.id, path: nil, expiresAt: nil)
        case .pask: return .init(record: record, isNamed: true, path: nil, expiresAt: nil)
        }
    }
}
