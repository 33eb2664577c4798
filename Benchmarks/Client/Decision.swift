import Foundation
import TenureClient

/// Records when a manager last published a state.
///
/// `@unchecked`: the mutable state is `moment`, guarded by `lock`.
final class Decision: @unchecked Sendable {
    private let lock = NSLock()
    private var moment: ContinuousClock.Instant?
    private var observer: (any NSObjectProtocol)?

    init() {
        // Without a queue, the observer is called before the manager continues.
        observer = NotificationCenter.default.addObserver(
            forName: .tenureLicenseDidChange, object: nil, queue: nil
        ) { [weak self] _ in
            guard let self else { return }
            lock.withLock { self.moment = .now }
        }
    }

    /// Returns the recorded time and clears it.
    func take() -> ContinuousClock.Instant? {
        lock.withLock {
            defer { moment = nil }
            return moment
        }
    }
}
