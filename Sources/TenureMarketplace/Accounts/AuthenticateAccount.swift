import TenureCore
import TenureCrypto
import TenurePages
import TenureServerKit
import TenureStore

/// Tells whose account a bearer names at a marketplace.
struct AuthenticateAccount: Sendable {
    let store: any Store
    let clock: any WallClock

    /// Reads the credential each time, so that its end counts at the next request; nil for a text that names nobody, has
    /// ended, or belongs to another tenant. Throws ``ServerError``.
    func callAsFunction(_ text: String, at tenant: TenantID) async throws(ServerError) -> AccountID? {
        guard let hash = Digest(SHA256.hash(Array(text.utf8))) else { return nil }
        let found = try await asking { () async throws(StoreError) in try await store.credential(hash) }
        guard let found, found.kind == .token, found.account.tenant == tenant, found.works(at: clock.now()) else {
            return nil
        }
        return found.account.account
    }
}

/// Tells whose a session is.
struct FindSession: Sendable {
    let store: any Store
    let clock: any WallClock

    /// Answers the account while the session works at this tenant, nil otherwise. Throws ``ServerError``.
    func callAsFunction(_ token: SessionToken, at tenant: TenantID) async throws(ServerError) -> AccountRef? {
        let credential = try await asking { () async throws(StoreError) in try await store.credential(token.hash) }
        guard let credential, credential.isSession(at: tenant, now: clock.now()) else { return nil }
        return credential.account
    }
}

extension AccountCredential {
    /// Whether it is a session of this tenant's pages that works.
    func isSession(at tenant: TenantID, now: Timestamp) -> Bool {
        kind == .session && account.tenant == tenant && works(at: now)
    }
}
