import TenureCore
import TenureServerKit
import TenureStore

/// Forgets what nobody asks for any more and what is better not kept: remembered answers, which may hold license keys,
/// after a day, and tokens, links and sessions a month after their end, while support may still look for them.
struct Purge: Service {
    let store: any Store
    let clock: any WallClock
    let interval: Duration
    let onFailure: @Sendable (StoreError) -> Void

    /// Forgets at each interval until cancelled.
    func run() async {
        while !Task.isCancelled {
            do throws(StoreError) { try await forget() } catch { onFailure(error) }
            try? await Task.sleep(for: interval)
        }
    }

    /// Forgets what is old enough now. Throws `StoreError`.
    func forget() async throws(StoreError) {
        let now = clock.now()
        let old = now.adding(seconds: -RememberedAnswer.lifetime)
        try await Forgetting.answers(in: store, where: [Comparison("at", .below(.of(old)))]) { $0.at < old }
        let over = now.adding(days: -Self.credentialDays)
        let isOver: @Sendable (Timestamp?) -> Bool = { end in end.map { $0 < over } ?? false }
        for (forgetting, column) in [(Self.expired, "expires_at"), (Self.ended, "ended_at")] {
            try await forgetting(in: store, where: [Comparison(column, .below(.of(over)))]) { credential in
                isOver(credential.expiresAt) || isOver(credential.endedAt)
            }
        }
        for (forgetting, column) in [(Self.expiredOfLicenses, "expires_at"), (Self.endedOfLicenses, "ended_at")] {
            try await forgetting(in: store, where: [Comparison(column, .below(.of(over)))]) { credential in
                isOver(credential.expiresAt) || isOver(credential.endedAt)
            }
        }
    }

    private static let expired = Forgetting(AccountCredential.byExpiry)
    private static let ended = Forgetting(AccountCredential.byEnd)
    private static let expiredOfLicenses = Forgetting(LicenseCredential.byExpiry)
    private static let endedOfLicenses = Forgetting(LicenseCredential.byEnd)
    private static let credentialDays = 30
}
