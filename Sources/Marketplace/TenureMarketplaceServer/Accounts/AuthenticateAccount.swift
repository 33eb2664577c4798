import TenureCore
import TenureCrypto
import TenureMarketplace
import TenureServerKit
import TenureStore

/// Finds the account that a bearer token belongs to.
struct AuthenticateAccount: Sendable {
    let store: any Store
    let clock: any WallClock

    /// Returns the token's account; `nil` if the token is unknown, ended or another tenant's.
    ///
    /// The store is read each time, so that a revocation takes effect at the next request.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func callAsFunction(_ text: String, at tenant: TenantID) async throws(ServerError) -> AccountID? {
        if let shown = SignInText(text) { return try await account(of: shown, at: tenant) }
        guard let hash = Digest(SHA256.hash(Array(text.utf8))) else { return nil }
        let found = try await asking { try await store.credential(hash) }
        guard let found, found.kind == .token, found.account.tenant == tenant, found.works(at: clock.now()) else {
            return nil
        }
        return found.account.account
    }

    /// Returns the account of an app's access token.
    ///
    /// The token's first use is recorded while the validity of the previous refresh token depends on it.
    private func account(of text: SignInText, at tenant: TenantID) async throws(ServerError) -> AccountID? {
        let (now, plan) = (clock.now(), SignIn.plan)
        let bound = plan.bind(text.origin.hash)
        let found = try await asking { try await store.fetch(bound) }[plan.queries]
        guard let found, found.account.tenant == tenant, let shown = found.shown(asAccess: text),
            found.admits(shown, at: now)
        else { return nil }
        guard found.noted(shown, at: now) != nil else { return found.account.account }
        let noted = try await asking {
            try await store.perform(
                Transaction(bound) { results -> TransactionResult<Bool> in
                    guard let before = results[plan.queries], let shown = before.shown(asAccess: text),
                        before.admits(shown, at: now)
                    else { return TransactionResult(false) }
                    return TransactionResult(
                        true, before.noted(shown, at: now).map { [.replace(before, by: $0)] } ?? [])
                })
        }
        return noted ? found.account.account : nil
    }
}

extension MarketplaceContext {
    /// Returns the account of a session; `nil` if the session isn't valid at this tenant.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func account(of token: SessionToken, at tenant: TenantID) async throws(ServerError) -> AccountRef? {
        let credential = try await asking { try await store.credential(token.hash) }
        guard let credential, credential.isSession(at: tenant, now: clock.now()) else { return nil }
        return credential.account
    }
}

extension AccountCredential {
    /// Whether this is a valid session on this tenant's pages.
    func isSession(at tenant: TenantID, now: Timestamp) -> Bool {
        kind == .session && account.tenant == tenant && works(at: now)
    }
}
