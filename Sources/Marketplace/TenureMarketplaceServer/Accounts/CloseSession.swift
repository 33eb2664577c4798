import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

extension MarketplaceContext {
    /// Ends a session at the person's request, and saves its end and the event in one transaction.
    ///
    /// A session that has already ended doesn't change.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func closeSession(_ token: SessionToken, at tenant: TenantID) async throws(ServerError) {
        let now = clock.now()
        let plan = AccountCredential.plan
        let bound = plan.bind(token.hash)
        try await asking {
            try await store.perform(
                Transaction(bound) { results -> TransactionResult<Void> in
                    guard let open = results[plan.queries], open.isSession(at: tenant, now: now) else {
                        return TransactionResult(())
                    }
                    return TransactionResult(
                        (),
                        [.replace(open, by: open.ended(at: now)), .event(open.event(.accountSessionClosed, at: now))])
                })
        }
    }
}

extension AccountCredential {
    /// Reads a credential by its hash, in order to use or end it.
    static let plan = QueryPlan(for: Digest.self) { query in query.accountCredential { $0 } }

    /// Reads a credential by its hash with its account, in order to open a session with it.
    static let withAccount = QueryPlan(for: Digest.self) { query in
        let credential = query.accountCredential { $0 }
        return (credential: credential, account: query.accountOf(credential))
    }

    /// Creates an event for an action by the session's person.
    func event(
        _ kind: EventKind, at now: Timestamp, about license: AppLicense? = nil, _ detail: [Reason.Evidence] = []
    ) -> Event {
        Event(
            kind, at: now, actor: .account(account.account),
            about: .init(account, app: license?.item, license: license?.id),
            facts: detail + [SupportReference(of: hash).evidence])
    }
}
