public import TenureCore
import TenureCrypto
import TenureEngines
import TenureFormats
public import TenureServerKit

/// Makes the token with which a developer lets a marketplace offer apps. Writes nothing.
public struct MakeMarketplaceToken: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock

    /// Makes tokens with the keys of a catalog, by a clock.
    public init(catalog: CatalogCache, clock: any WallClock) {
        self.catalog = catalog
        self.clock = clock
    }

    /// What it comes to.
    public enum Outcome: Sendable, Hashable {
        /// The token, signed, and when it ends.
        case made(String, expiresAt: Timestamp)
        /// The tenant has no marketplace with keys.
        case noMarketplace
        /// The marketplace names no app of its own, in whose name tokens are issued.
        case noOwnApp
        /// The developer's id is no UUID, or the days are not 1 to 6.
        case wrong
    }

    /// Signs with the distribution key. Throws ``ServerError``.
    public func callAsFunction(
        for developer: String, of tenant: TenantID, days: Int
    ) async throws(ServerError) -> Outcome {
        let snapshot = try await catalog.refreshIfChanged()
        guard let marketplace = snapshot.catalog.tenants[tenant]?.marketplace,
            let keys = snapshot.marketplaceKeys[tenant]
        else { return .noMarketplace }
        guard let issuer = marketplace.appleItemID else { return .noOwnApp }
        guard
            let token = MarketplaceToken(issuer: issuer, developer: developer, issuedAt: clock.now(), days: days)
        else { return .wrong }
        let input = token.signingInput
        do throws(CryptoError) {
            let signature = try keys.distribution.privateKey.sign(input.bytes)
            return .made(
                String(decoding: input.compact(signature: signature), as: UTF8.self), expiresAt: token.expiresAt)
        } catch {
            throw ServerError(.crypto, "A developer's token could not be signed.", cause: error.code.text)
        }
    }
}
