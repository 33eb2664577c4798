import Synchronization
import TenureMarketplaceClient

/// Measures an install and reports its progress; usable from any thread.
final class InstallMeter: Sendable {
    private let progress = Mutex(InstallProgress())
    private let tell: @Sendable (InstallProgress) -> Void
    private let start = ContinuousClock.now

    /// Creates a meter that reports each measurement.
    ///
    /// - Parameter tell: Called on the measuring thread, so it must return quickly.
    init(_ tell: @escaping @Sendable (InstallProgress) -> Void = { _ in }) { self.tell = tell }

    func measure(_ phase: InstallProgress.Phase, bytes: Int64 = 0, of total: Int64? = nil) {
        let now = start.duration(to: .now)
        tell(
            progress.withLock { progress in
                progress.measure(phase, bytes: bytes, of: total, at: now)
                return progress
            })
    }

    func fail(_ sentence: String) {
        tell(
            progress.withLock { progress in
                progress.fail(sentence)
                return progress
            })
    }
}
