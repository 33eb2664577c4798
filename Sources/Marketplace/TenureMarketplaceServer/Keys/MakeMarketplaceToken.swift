import TenureCore
import TenureCrypto
import TenureFormats
import TenureMarketplace
import TenureServerKit

/// The result of creating a developer's token.
enum MarketplaceTokenOutcome: Sendable, Hashable {
    /// The signed token and when it expires.
    case created(String, expiresAt: Timestamp)
    /// The tenant has no marketplace with keys.
    case noMarketplace
    /// The marketplace has no app of its own, which must issue the token.
    case noOwnApp
    /// The developer id isn't a UUID, or the number of days isn't 1 to 6.
    case wrong
}

extension MarketplaceContext {
    /// Creates the token with which a developer allows a marketplace to offer their apps; nothing is stored.
    ///
    /// The distribution key signs it.
    ///
    /// - Throws: ``ServerError`` if the store or the signature fails.
    func makeMarketplaceToken(
        for developer: String, of tenant: TenantID, days: Int
    ) async throws(ServerError) -> MarketplaceTokenOutcome {
        let snapshot = try await catalog.refreshIfChanged()
        guard let marketplace = snapshot.catalog.tenants[tenant]?.marketplace,
            let keys = snapshot.marketplaceKeys[tenant]
        else { return .noMarketplace }
        guard let issuer = marketplace.appleItemID else { return .noOwnApp }
        guard
            let token = MarketplaceToken(
                issuer: issuer, developer: developer, issuedAt: clock.now(), days: days)
        else { return .wrong }
        let input = token.signingInput
        do throws(CryptoError) {
            let signature = try keys.distribution.privateKey.sign(input.bytes)
            return .created(
                String(decoding: input.compact(signature: signature), as: UTF8.self), expiresAt: token.expiresAt)
        } catch {
            throw ServerError(.crypto, "A developer token couldn't be signed.", cause: error.code.text)
        }
    }
}
