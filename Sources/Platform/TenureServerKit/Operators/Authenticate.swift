package import TenureCore
import TenureCrypto
package import TenureStore

/// Verifies an operator's token and its scope.
package struct Authenticate: Sendable {
    let store: any Store
    let clock: any WallClock

    package init(store: any Store, clock: any WallClock) {
        self.store = store
        self.clock = clock
    }

    /// The result of a verification.
    package enum Outcome: Sendable {
        /// The token is valid; its record names the actor.
        case allowed(TokenRecord)
        /// The tenant has no such token; another tenant may have it.
        case unknown
        /// The token has expired.
        case expired(at: Timestamp)
        /// The token has been revoked.
        case revoked(at: Timestamp)
        /// The token is valid but lacks this scope.
        case lacks(scope: String)
    }

    /// Verifies a token by its text.
    ///
    /// Reads the tenant's tokens on every call, so a revocation takes effect with the next request. Throws
    /// ``ServerError`` if the store fails.
    package func callAsFunction(_ text: String, of tenant: TenantID, for scope: String) async throws(ServerError)
        -> Outcome
    {
        let hash = SHA256.hash(Array(text.utf8))
        let tokens = try await asking { try await store.tokens(of: tenant) }
        let now = clock.now()
        let match = tokens.first { constantTimeEquals($0.hash.bytes, hash) }
        guard let match else { return .unknown }
        // Only a caller that knows the token's text learns that it was revoked or has expired.
        if let revoked = match.revokedAt { return .revoked(at: revoked) }
        if let end = match.expiresAt, now >= end { return .expired(at: end) }
        return match.scopes.contains(scope) ? .allowed(match) : .lacks(scope: scope)
    }
}
