import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

extension MarketplaceContext {
    /// Creates and durably saves a handoff token, which an app exchanges once for its own tokens.
    ///
    /// The vendor passes the token to the app at installation, for a person who is already signed in at the vendor. The
    /// result is the only copy of the token's text, because only a digest is stored. Returns `nil` if the account
    /// doesn't exist.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func makeHandoff(
        for ref: AccountRef, by actor: Actor
    ) async throws(ServerError) -> (text: String, expiresAt: Timestamp)? {
        let now = clock.now()
        let text = SignInText.random(.handoff, of: .random())
        let signIn = SignIn(
            hash: text.origin.hash, account: ref, means: .handoff, stage: .handoff, secret: text.digest, createdAt: now,
            expiresAt: now.adding(seconds: SignIn.Lifetime.handoff))
        let bound = Self.plan.bind(ref)
        return try await catalog.perform(bound) { results, queries, _ in
            guard let account = results[queries.account], account.isOpen else { return TransactionResult(nil) }
            let event = account.event(
                .accountTokenMade, by: actor, at: now,
                [.init("kind", .text("handoff")), .init("expiresAt", .date(signIn.expiresAt))])
            return TransactionResult(
                (text.text, signIn.expiresAt),
                signIn.beginning(beside: results[queries.others], at: now) + [.event(event)])
        }
    }

    private static let plan = CatalogQueryPlan(for: AccountRef.self) { query in
        (
            account: query.row(Account.table.key) { [.of($0.tenant), .of($0.account)] },
            others: query.rows(SignIn.ofAccount, upTo: .everything) { [.of($0.tenant), .of($0.account)] }
        )
    }
}
