import TenureCore
import TenurePages
import TenureServerKit
import TenureStore

/// Opens a session for whoever holds a one-time link, and uses the link up.
struct UseLink: Sendable {
    let store: any Store
    let clock: any WallClock

    /// What a link comes to.
    enum Outcome: Sendable, Hashable {
        /// A session, and the only copy of its token.
        case opened(SessionToken, AccountID)
        /// It was used before, has expired, or never was a link of this marketplace; which one is not told.
        case spent
    }

    /// Ends the link and saves the session with its event in one transaction: of two that come at once, one gets in.
    ///
    /// Throws ``ServerError``.
    func callAsFunction(_ text: String, at tenant: TenantID) async throws(ServerError) -> Outcome {
        let now = clock.now()
        let token = SessionToken.random()
        let (form, hash) = (AccountCredential.form, StoredValue.of(Digest.sha256(of: text)))
        let asked = form.asked(hash, lists: [[hash]])
        return try await asking { () async throws(StoreError) in
            try await store.perform(
                Change(asked) { seen -> Saving<Outcome> in
                    guard let unused = seen[form.looks], unused.kind == .link, unused.account.tenant == tenant,
                        unused.works(at: now)
                    else { return Saving(.spent) }
                    var link = unused
                    link.endedAt = now
                    return Saving(
                        .opened(token, link.account.account),
                        [.replace(unused, by: link)] + token.opening(for: link.account, by: "link", at: now))
                })
        }
    }
}
