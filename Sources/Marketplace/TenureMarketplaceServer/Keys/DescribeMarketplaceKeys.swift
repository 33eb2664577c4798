public import TenureCore
import TenureCrypto
public import TenureMarketplace
public import TenureServerKit
import TenureStore

/// Describes a marketplace's keys: ids, certificates and public keys, but no secrets.
public struct DescribeMarketplaceKeys: Sendable {
    let context: MarketplaceContext

    /// Whether this build includes Apple's module; without it, all licenses are simulated.
    public static var hasApplesEngine: Bool {
        #if canImport(ALD)
            true
        #else
            false
        #endif
    }

    /// A marketplace's keys at a point in time.
    public struct Description: Sendable {
        /// The marketplace's tenant.
        public let tenant: TenantID
        /// The marketplace.
        public let marketplace: Marketplace
        /// Whether its licenses are simulated, so that no iPhone accepts them.
        public let isSimulated: Bool
        /// All keys, oldest first.
        public let keys: [Key]
        /// The public key for install tokens in PEM, to be registered with Apple.
        public let distributionPublicKey: String
    }

    /// One key of a marketplace.
    public struct Key: Sendable {
        /// The stored record.
        public let record: MarketplaceKeyRecord
        /// Whether the configuration currently names the key.
        public let isNamed: Bool
        /// The path of its certificate; `nil` for a key without one.
        public let path: String?
        /// When its certificate expires; `nil` for a key without one.
        public let expiresAt: Timestamp?
    }

    /// Describes the keys of one marketplace or of all, leaving out marketplaces without signing assets.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    public func callAsFunction(of tenant: TenantID?) async throws(ServerError) -> [Description] {
        let now = context.clock.now()
        let snapshot = try await context.catalog.refresh()
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
    /// Whether the simulated engine writes the licenses.
    ///
    /// It does so with generated assets, and always in a build without Apple's module.
    var isSimulatedEngine: Bool { !DescribeMarketplaceKeys.hasApplesEngine || !isImported }

    fileprivate func distributionPEM() throws(ServerError) -> String {
        do throws(CryptoError) {
            return try distribution.privateKey.publicKey.pem()
        } catch {
            throw ServerError(.crypto, "The distribution key couldn't be encoded.", cause: error.code.text)
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
