import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

extension MarketplaceContext {
    enum LinkOutcome: Sendable, Hashable {
        /// A session with the only copy of its token.
        case opened(SessionToken, AccountID)
        /// The link was used, has expired or isn't this marketplace's; the response doesn't say which.
        case spent
    }

    /// Opens a session with a one-time link and marks the link as used, in one transaction.
    ///
    /// Of two simultaneous requests, only one opens a session.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func useLink(_ text: String, at tenant: TenantID) async throws(ServerError) -> LinkOutcome {
        let now = clock.now()
        let token = SessionToken.random()
        let (plan, hash) = (AccountCredential.withAccount, Digest.sha256(of: text))
        let bound = plan.bind(hash)
        return try await asking {
            try await store.perform(
                Transaction(bound) { results -> TransactionResult<LinkOutcome> in
                    guard let unused = results[plan.queries.credential], unused.kind == .link,
                        unused.account.tenant == tenant, unused.works(at: now),
                        results[plan.queries.account]?.isOpen == true
                    else { return TransactionResult(.spent) }
                    return TransactionResult(
                        .opened(token, unused.account.account),
                        [.replace(unused, by: unused.ended(at: now))]
                            + token.opening(for: unused.account, by: "link", at: now))
                })
        }
    }

    /// Whether a link would open a session; doesn't use it up.
    func isOpen(_ text: String, at tenant: TenantID) async throws(ServerError) -> Bool {
        let found = try await asking { try await store.credential(.sha256(of: text)) }
        guard let found else { return false }
        return found.kind == .link && found.account.tenant == tenant && found.works(at: clock.now())
    }
}
