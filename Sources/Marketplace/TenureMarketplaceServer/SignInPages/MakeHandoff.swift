public import TenureCore
import TenureMarketplace
public import TenureServerKit
import TenureStore

extension MarketplaceContext {
    /// Creates a handoff token, which an app exchanges once for its own tokens.
    ///
    /// The vendor gives it to the app at installation, for a person who is already signed in at the vendor.
    ///
    /// Creates and durably saves a handoff token; `nil` if the account doesn't exist.
    ///
    /// The text is only available here, because the store keeps a digest. Throws ``ServerError`` if the store fails.
    public func makeHandoff(
        for ref: AccountRef, by actor: Actor
    ) async throws(ServerError) -> (text: String, expiresAt: Timestamp)? {
        let now = clock.now()
        let text = SignInText.random(.handoff, of: .random())
        let signIn = SignIn(
            hash: text.origin.hash, account: ref, means: .handoff, stage: .handoff, secret: text.digest, createdAt: now,
            expiresAt: now.adding(seconds: SignIn.Lifetime.handoff))
        let asked = Self.form.asked(ref)
        return try await catalog.perform(asked) { seen, looks, _ in
            guard let account = seen[looks.account] else { return TransactionResult(nil) }
            let event = account.event(
                .accountTokenMade, by: actor, at: now,
                [.init("kind", .text("handoff")), .init("expiresAt", .date(signIn.expiresAt))])
            return TransactionResult(
                (text.text, signIn.expiresAt), signIn.beginning(beside: seen[looks.others], at: now) + [.event(event)])
        }
    }

    private static let form = CatalogQueryPlan(for: AccountRef.self) { ask in
        (
            account: ask.row(Account.table.key) { [.of($0.tenant), .of($0.account)] },
            others: ask.rows(SignIn.ofAccount, upTo: .everything) { [.of($0.tenant), .of($0.account)] }
        )
    }
}
