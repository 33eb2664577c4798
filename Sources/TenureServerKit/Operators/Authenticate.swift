package import TenureCore
import TenureCrypto
package import TenureStore

/// Tells which token a bearer is, and whether it may do what it asks.
package struct Authenticate: Sendable {
    let store: any Store
    let clock: any WallClock

    /// Asks a store, by a clock.
    package init(store: any Store, clock: any WallClock) {
        self.store = store
        self.clock = clock
    }

    /// What a bearer may do.
    package enum Outcome: Sendable {
        /// It may; the token names the actor.
        case allowed(TokenRecord)
        /// It is no token of this tenant; another tenant's is as unknown as one that never was.
        case unknown
        /// It was one, until that moment.
        case expired(at: Timestamp)
        /// It was one, until it was revoked.
        case revoked(at: Timestamp)
        /// It works, and has not this scope.
        case lacks(scope: String)
    }

    /// Reads the tenant's tokens each time, so that a revocation counts at the next request. Throws ``ServerError``.
    package func callAsFunction(_ text: String, of tenant: TenantID, for scope: String) async throws(ServerError)
        -> Outcome
    {
        let hash = SHA256.hash(Array(text.utf8))
        let tokens = try await asking { () async throws(StoreError) in try await store.tokens(of: tenant) }
        let now = clock.now()
        let match = tokens.first { constantTimeEquals($0.hash.bytes, hash) }
        guard let match else { return .unknown }
        // Who shows the whole text of a token may know what became of it.
        if let revoked = match.revokedAt { return .revoked(at: revoked) }
        if let end = match.expiresAt, now >= end { return .expired(at: end) }
        return match.scopes.contains(scope) ? .allowed(match) : .lacks(scope: scope)
    }
}
