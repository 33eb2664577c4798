package import TenureCore
import TenureMarketplace
package import TenureServerKit
package import TenureStore

extension AccountCredential.Kind: PageCredentialKind {}

extension AccountCredential: PageCredential {
    package init(sessionOf owner: AccountRef, hash: Digest, createdAt: Timestamp, expiresAt: Timestamp) {
        self.init(hash: hash, account: owner, kind: .session, createdAt: createdAt, expiresAt: expiresAt)
    }

    package static let withOwner = QueryPlan(for: Digest.self) { query in
        let credential = query.accountCredential { $0 }
        let account = query.accountOf(credential)
        return PageCredentialQueries(credential) { _, results in
            results[account].flatMap { $0.isOpen ? $0.ref : nil }
        }
    }

    package static let sessionEvents = SessionEvents(
        opened: .accountSessionOpened, closed: .accountSessionClosed, saysMeans: true)

    /// Whether this is a valid session on this tenant's pages.
    func isSession(at tenant: TenantID, now: Timestamp) -> Bool {
        account.tenant == tenant && works(as: .session, at: now)
    }

    /// Reads a credential by its hash, in order to end it.
    static let plan = QueryPlan(for: Digest.self) { query in query.accountCredential { $0 } }
}

extension AccountRef: PageOwner {
    package typealias Credential = AccountCredential

    package var whose: PageFrame.Whose { .person(account.text) }
    package var limitName: String { account.text }

    package func event(_ kind: EventKind, at now: Timestamp, _ facts: [Reason.Evidence]) -> Event {
        Event(kind, at: now, actor: .account(account), about: .init(self), facts: facts)
    }
}

extension MarketplaceContext {
    /// The sessions on the resolution page.
    package var sessions: PageSessions<AccountCredential> { PageSessions(catalog: catalog, clock: clock) }
}
