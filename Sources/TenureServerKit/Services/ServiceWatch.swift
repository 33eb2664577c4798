/// How a service does.
package struct ServiceWatch: Sendable, Hashable {
    /// The service's name.
    package let name: String
    /// Turns that were done.
    package private(set) var turns = 0
    /// Turns that failed.
    package private(set) var failures = 0
    /// Turns that failed since the last one that was done.
    package private(set) var failuresInARow = 0
    /// What the last turn failed with; nil when it was done.
    package private(set) var failure: ServerError.Code?
    /// Whether another server has the service's role.
    package private(set) var isWaiting = false

    init(name: String) { self.name = name }

    mutating func waitForRole() { isWaiting = true }

    mutating func turnSucceeded() {
        turns += 1
        (failuresInARow, failure, isWaiting) = (0, nil, false)
    }

    /// Notes a failure; answers for how long to leave the service alone.
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
        text.family("tenure_service_turns_total", .counter, "Pieces of work that services did, by service.")
        for watch in self { text.sample(["service": watch.name], Double(watch.turns)) }
        text.family("tenure_service_failures_total", .counter, "Pieces of work that failed, by service.")
        for watch in self { text.sample(["service": watch.name], Double(watch.failures)) }
        text.family("tenure_service_failing", .gauge, "1 while the last piece of a service's work failed.")
        for watch in self { text.sample(["service": watch.name], watch.failure == nil ? 0 : 1) }
        return text.text
    }
}
