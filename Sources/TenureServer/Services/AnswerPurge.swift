import TenureCore
import TenureStore

/// Forgets remembered answers once a day has passed: they may hold license keys, and nobody asks for them any more.
struct AnswerPurge: Service {
    let store: any Store
    let clock: any WallClock
    let interval: Duration
    let onFailure: @Sendable (StoreError) -> Void

    func run() async {
        while !Task.isCancelled {
            let oldest = clock.now().adding(seconds: -RememberedAnswer.lifetime)
            do throws(StoreError) {
                try await store.perform(
                    Change(loading: LoadKeys()) { _ in Saving((), [.forgetAnswers(before: oldest)]) })
            } catch {
                onFailure(error)
            }
            try? await Task.sleep(for: interval)
        }
    }
}
