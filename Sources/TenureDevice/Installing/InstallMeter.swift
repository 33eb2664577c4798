import Synchronization
package import TenureMarketplaceClient

/// Tells how far an install is, from whatever thread measures it.
package final class InstallMeter: Sendable {
    private let progress = Mutex(InstallProgress())
    private let tell: @Sendable (InstallProgress) -> Void
    private let start = ContinuousClock.now

    /// Tells each measurement; `tell` is called on the thread that measured, and shall be quick.
    package init(_ tell: @escaping @Sendable (InstallProgress) -> Void = { _ in }) { self.tell = tell }

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
