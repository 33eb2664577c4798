import TenureCore
import TenureServerKit
import TenureStore

/// Forgets what nobody asks for any more and what is better not kept: remembered answers, which may hold license keys,
/// after a day, and tokens, links and sessions a month after their end, while support may still look for them.
struct Purge: Service {
    let store: any Store
    let clock: any WallClock
    let interval: Duration

    var name: String { "purge" }

    /// Forgets a group of each kind of what is old enough now; when there was more, the next turn is due at once.
    func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        try await asking { () async throws(StoreError) in try await forget() } ? .atOnce : .after(interval)
    }

    /// Answers whether there may be more.
    private func forget() async throws(StoreError) -> Bool {
        let now = clock.now()
        let old = now.adding(seconds: -RememberedAnswer.lifetime)
        var isMore = try await Forgetting.answers(in: store, where: [Comparison("at", .below(.of(old)))]) {
            $0.at < old
        }
        let over = now.adding(days: -Self.credentialDays)
        let isOver: @Sendable (Timestamp?) -> Bool = { end in end.map { $0 < over } ?? false }
        for (forgetting, column) in [(Self.expired, "expires_at"), (Self.ended, "ended_at")] {
            let isRest = try await forgetting(in: store, where: [Comparison(column, .below(.of(over)))]) { credential in
                isOver(credential.expiresAt) || isOver(credential.endedAt)
            }
            isMore = isMore || isRest
        }
        for (forgetting, column) in [(Self.expiredOfLicenses, "expires_at"), (Self.endedOfLicenses, "ended_at")] {
            let isRest = try await forgetting(in: store, where: [Comparison(column, .below(.of(over)))]) { credential in
                isOver(credential.expiresAt) || isOver(credential.endedAt)
            }
            isMore = isMore || isRest
        }
        return isMore
    }

    private static let expired = Forgetting(AccountCredential.byExpiry)
    private static let ended = Forgetting(AccountCredential.byEnd)
    private static let expiredOfLicenses = Forgetting(LicenseCredential.byExpiry)
    private static let endedOfLicenses = Forgetting(LicenseCredential.byEnd)
    private static let credentialDays = 30
}
