package import TenureThreads

/// A monotonic clock for waiting. Changes of the wall clock don't affect it.
package protocol SteadyClock: Sendable {
    func now() -> SteadyTime

    /// Waits until a time, or until the task is cancelled.
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
