import TenureCore
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
        let writes: [Write] = [
            .forgetAnswers(before: now.adding(seconds: -RememberedAnswer.lifetime)),
            .forgetCredentials(before: now.adding(days: -Self.credentialDays)),
        ]
        try await store.perform(Change(loading: LoadKeys()) { _ in Saving((), writes) })
    }

    private static let credentialDays = 30
}
