/// The state of a running service, for metrics.
package struct ServiceWatch: Sendable, Hashable {
    package let name: String
    /// The number of successful turns.
    package private(set) var turnCount = 0
    /// The number of failed turns.
    package private(set) var failures = 0
    /// The number of failed turns since the last successful turn.
    package private(set) var failuresInARow = 0
    /// The code of the last turn's error; `nil` if that turn succeeded.
    package private(set) var failure: ServerError.Code?
    /// Whether another server has the service's role, so that this server waits for the role.
    package private(set) var isWaiting = false

    init(name: String) { self.name = name }

    mutating func waitForRole() { isWaiting = true }

    mutating func turnSucceeded() {
        turnCount += 1
        (failuresInARow, failure, isWaiting) = (0, nil, false)
    }

    /// Counts a failed turn. Returns the pause: 1 s, doubled with each consecutive failure, and at most a minute.
    mutating func turnFailed(_ code: ServerError.Code) -> Duration {
        failures += 1
        failuresInARow += 1
        (failure, isWaiting) = (code, false)
        return min(.seconds(1 << min(failuresInARow - 1, 6)), .seconds(60))
    }
}

extension [ServiceWatch] {
    /// The counts in the Prometheus text format.
    package func exposition() -> String {
        var text = PrometheusText()
        text.family("tenure_service_turns_total", .counter, "Runs of background services, by service.")
        for watch in self { text.sample(["service": watch.name], Double(watch.turnCount)) }
        text.family("tenure_service_failures_total", .counter, "Failed runs of background services, by service.")
        for watch in self { text.sample(["service": watch.name], Double(watch.failures)) }
        text.family("tenure_service_failing", .gauge, "1 while the last run of a background service failed.")
        for watch in self { text.sample(["service": watch.name], watch.failure == nil ? 0 : 1) }
        return text.text
    }
}
