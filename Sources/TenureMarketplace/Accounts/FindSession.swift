import TenureCore
import TenurePages
import TenureServerKit
import TenureStore

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
