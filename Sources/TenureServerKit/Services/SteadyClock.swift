package import TenureThreads

/// A clock for waiting, which goes on at one pace whatever happens to the wall clock.
package protocol SteadyClock: Sendable {
    /// The present moment.
    func now() -> SteadyTime

    /// Returns when the moment has come, or earlier when the task is cancelled.
    func sleep(until moment: SteadyTime) async
}

/// The system's steady clock.
package struct SystemSteadyClock: SteadyClock {
    package init() {}

    package func now() -> SteadyTime { .now() }

    package func sleep(until moment: SteadyTime) async {
        try? await Task.sleep(for: now().duration(to: moment), clock: .suspending)
    }
}
