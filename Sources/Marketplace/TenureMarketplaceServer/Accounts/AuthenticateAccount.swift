import TenureCore
import TenureCrypto
import TenureMarketplace
import TenureServerKit
import TenureStore

/// The result of verifying an account's token.
enum AccountAuthentication: Sendable, Hashable {
    /// The token is valid and belongs to this account.
    case account(AccountID)
    /// The token is malformed or has ended, or it belongs to another tenant's account.
    case invalid
    /// The token is well-formed, but the store has no record of it, perhaps because the store lost records.
    case unknown
}

extension MarketplaceContext {
    /// Finds the account that a bearer token belongs to.
    ///
    /// The store is read each time, so that a revocation takes effect at the next request.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func authenticateAccount(
        _ text: String, at tenant: TenantID
    ) async throws(ServerError) -> AccountAuthentication {
        if let shown = SignInText(text) { return try await account(of: shown, at: tenant) }
        let found = try await store.credential(.sha256(of: text))
        guard let found else {
            return CredentialText.isWellFormed(text, prefix: AccountCredential.tokenPrefix) ? .unknown : .invalid
        }
        guard found.kind == .token, found.account.tenant == tenant, found.works(at: clock.now()) else {
            return .invalid
        }
        return .account(found.account.account)
    }

    /// Returns the account of an app's access token.
    ///
    /// The token's first use is recorded as long as it decides whether the exchange that issued it can be repeated.
    private func account(
        of text: SignInText, at tenant: TenantID
    ) async throws(ServerError) -> AccountAuthentication {
        guard text.kind == .access else { return .invalid }
        let (now, plan) = (clock.now(), SignIn.plan)
        let bound = plan.bind(text.origin.hash)
        let found = try await store.fetch(bound)[plan.queries]
        guard let found else { return .unknown }
        guard found.account.tenant == tenant else { return .invalid }
        guard let shown = found.shown(asAccess: text) else { return found.endedAt == nil ? .unknown : .invalid }
        guard found.admits(shown, at: now) else { return .invalid }
        guard found.noted(shown, at: now) != nil else { return .account(found.account.account) }
        let noted = try await store.perform(
            Transaction(bound) { results -> TransactionResult<Bool> in
                guard let before = results[plan.queries], let shown = before.shown(asAccess: text),
                    before.admits(shown, at: now)
                else { return TransactionResult(false) }
                return TransactionResult(
                    true, before.noted(shown, at: now).map { [.replace(before, by: $0)] } ?? [])
            })
        return noted ? .account(found.account.account) : .invalid
    }
}
