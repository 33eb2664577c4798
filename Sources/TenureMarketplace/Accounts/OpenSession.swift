package import TenureCore
import TenureHTTP
package import TenurePages
import TenureServerKit
package import TenureStore

/// Opens a session on the resolution page for whoever knows an account's password.
struct OpenSession: Sendable {
    let store: any Store
    let clock: any WallClock
    let prove: ProvePassword

    /// What an attempt comes to.
    enum Outcome: Sendable, Hashable {
        /// A session, and the only copy of its token.
        case opened(SessionToken, AccountID)
        /// No account has this name and this password; which of the two is wrong is not told.
        case wrong
        /// Too many attempts were made under this name from this source; seconds until the next.
        case tooMany(retryAfter: Int64)
    }

    /// Checks a password and saves the session with its event in one transaction. Throws ``ServerError``.
    func callAsFunction(
        _ name: String, password: String, at tenant: TenantID, from source: IPAddress?
    ) async throws(ServerError) -> Outcome {
        switch try await prove(name, password: password, at: tenant, from: source) {
        case .wrong: return .wrong
        case .tooMany(let seconds): return .tooMany(retryAfter: seconds)
        case .proven(let account, let hash):
            let (now, token, form) = (clock.now(), SessionToken.random(), Account.row)
            let asked = form.asked(.of(account.tenant), .of(account.account))
            let opened = try await asking { () async throws(StoreError) in
                try await store.perform(
                    Change(asked) { seen in
                        // The password may have been changed while it was verified.
                        guard seen[form.looks]?.passwordHash == hash else { return Saving(false) }
                        return Saving(true, token.opening(for: account, by: "password", at: now))
                    })
            }
            return opened ? .opened(token, account.account) : .wrong
        }
    }
}

extension Account {
    /// One by its name.
    static let row = LoadForm { ask in ask.row(Account.table.key) }
}

extension SessionToken {
    /// What is saved when it opens a session.
    package func opening(for account: AccountRef, by means: String, at now: Timestamp) -> [Save] {
        let credential = AccountCredential(
            hash: hash, account: account, kind: .session, createdAt: now,
            expiresAt: now.adding(seconds: Self.lifetime))
        let event = Event(
            .accountSessionOpened, at: now, actor: .account(account.account), about: .init(account),
            facts: [.init("by", .text(means)), SupportReference(of: hash).evidence])
        return [.insert(credential), .event(event)]
    }
}
