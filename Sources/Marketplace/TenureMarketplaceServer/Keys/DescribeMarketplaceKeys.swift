import TenureCore
import TenureCrypto
import TenureMarketplace
import TenureServerKit
import TenureStore

/// A marketplace's keys at a point in time: ids, certificates and public keys, but no secrets.
struct MarketplaceKeyList: Sendable {
    let tenant: TenantID
    let marketplace: Marketplace
    /// Whether the marketplace's licenses are simulated, so that no iPhone accepts them.
    let isSimulated: Bool
    /// All keys, oldest first.
    let keys: [Key]
    /// The public key for install tokens in PEM, to be registered with Apple.
    let distributionPublicKey: String

    struct Key: Sendable {
        let record: MarketplaceKeyRecord
        /// Whether the configuration currently names the key.
        let isNamed: Bool
        /// The path of the key's certificate; `nil` for a key without a certificate.
        let path: String?
        /// When the key's certificate expires; `nil` for a key without a certificate.
        let expiresAt: Timestamp?
    }
}

extension MarketplaceContext {
    /// Lists the keys of one marketplace or of all, leaving out marketplaces without signing assets.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func listMarketplaceKeys(of tenant: TenantID?) async throws(ServerError) -> [MarketplaceKeyList] {
        let now = clock.now()
        let snapshot = try await catalog.refresh()
        var keyLists: [MarketplaceKeyList] = []
        for offered in snapshot.catalog.tenants.values.sorted(by: { $0.id < $1.id })
        where tenant == nil || offered.id == tenant {
            guard let marketplace = offered.marketplace, let keys = snapshot.marketplaceKeys[offered.id] else {
                continue
            }
            keyLists.append(
                MarketplaceKeyList(
                    tenant: offered.id, marketplace: marketplace, isSimulated: keys.isSimulatedEngine,
                    keys: keys.records.map { keys.describe($0, of: offered.id, at: now) },
                    distributionPublicKey: try keys.distributionPEM()))
        }
        return keyLists
    }
}

extension MarketplaceKeys {
    /// Whether this build includes Apple's module; without it, all licenses are simulated.
    static var hasApplesEngine: Bool {
        #if canImport(ALD)
            true
        #else
            false
        #endif
    }

    /// Whether the simulated engine writes the licenses.
    ///
    /// The simulated engine writes them if the assets were generated, and always in a build without Apple's module.
    var isSimulatedEngine: Bool { !Self.hasApplesEngine || !isImported }

    fileprivate func distributionPEM() throws(ServerError) -> String {
        do throws(CryptoError) {
            return try distribution.privateKey.publicKey.pem()
        } catch {
            throw ServerError(.crypto, "The distribution key couldn't be encoded.", cause: error.code.text)
        }
    }

    fileprivate func describe(
        _ record: MarketplaceKeyRecord, of tenant: TenantID, at now: Timestamp
    ) -> MarketplaceKeyList.Key {
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
