import Foundation
import TenureClient

/// When a manager last published a state.
///
/// `@unchecked`: what changes is `moment`, behind `lock`.
final class Decision: @unchecked Sendable {
    private let lock = NSLock()
    private var moment: ContinuousClock.Instant?
    private var observer: (any NSObjectProtocol)?

    init() {
        // Without a queue it is called before the manager goes on.
        observer = NotificationCenter.default.addObserver(
            forName: .tenureLicenseDidChange, object: nil, queue: nil
        ) { [weak self] _ in
            guard let self else { return }
            lock.withLock { self.moment = .now }
        }
    }

    /// The moment, once.
    func take() -> ContinuousClock.Instant? {
        lock.withLock {
            defer { moment = nil }
            return moment
        }
    }
}
