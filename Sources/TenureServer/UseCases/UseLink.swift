import TenureCore
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
        let keys = LoadKeys(credential: .sha256(of: text))
        return try await asking { () async throws(StoreError) in
            try await store.perform(
                Change(loading: keys) { loaded -> Saving<Outcome> in
                    guard var link = loaded.credential, link.kind == .link, link.account.tenant == tenant,
                        link.works(at: now)
                    else { return Saving(.spent) }
                    link.endedAt = now
                    return Saving(
                        .opened(token, link.account.account),
                        [.credential(link)] + token.opening(for: link.account, by: "link", at: now))
                })
        }
    }
}
