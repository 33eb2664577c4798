public import TenureCore
import TenureMarketplace
public import TenureServerKit
import TenureStore

/// Makes what a vendor gives its app at the installation, in the name of a person who is signed in at the vendor's already:
/// the app changes it for tokens of its own.
public struct MakeHandoff: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock

    /// Makes handoffs under a catalog, by a clock.
    public init(catalog: CatalogCache, clock: any WallClock) {
        self.catalog = catalog
        self.clock = clock
    }

    /// A handoff; durable before this returns. The text is told this once. Nil when there is no such account.
    ///
    /// Throws ``ServerError``.
    public func callAsFunction(
        for ref: AccountRef, by actor: Actor
    ) async throws(ServerError) -> (text: String, expiresAt: Timestamp)? {
        let now = clock.now()
        let text = SignInText.random(.handoff, of: .random())
        let signIn = SignIn(
            hash: text.origin.hash, account: ref, means: .handoff, stage: .handoff, secret: text.digest, createdAt: now,
            expiresAt: now.adding(seconds: SignIn.Lifetime.handoff))
        let (tenant, account) = (StoredValue.of(ref.tenant), StoredValue.of(ref.account))
        let asked = Self.form.asked(tenant, account, tenant, account)
        return try await catalog.perform(asked) { seen, looks, _ in
            guard let account = seen[looks.account] else { return Saving(nil) }
            let event = account.event(
                .accountTokenMade, by: actor, at: now,
                [.init("kind", .text("handoff")), .init("expiresAt", .date(signIn.expiresAt))])
            return Saving(
                (text.text, signIn.expiresAt), signIn.beginning(beside: seen[looks.others], at: now) + [.event(event)])
        }
    }

    private static let form = CatalogForm { ask in
        (account: ask.row(Account.table.key), others: ask.rows(SignIn.ofAccount, upTo: Asking.everything))
    }
}
