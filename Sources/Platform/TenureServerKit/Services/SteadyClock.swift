package import TenureThreads

/// A monotonic clock for waiting, unaffected by changes to the wall clock.
package protocol SteadyClock: Sendable {
    func now() -> SteadyTime

    /// Waits until the given time, or until the task is cancelled.
    func sleep(until time: SteadyTime) async
}

/// The system's monotonic clock.
package struct SystemSteadyClock: SteadyClock {
    package init() {}

    package func now() -> SteadyTime { .now() }

    package func sleep(until time: SteadyTime) async {
        try? await Task.sleep(for: now().duration(to: time), clock: .suspending)
    }
}
