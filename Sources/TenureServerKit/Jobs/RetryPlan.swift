/// When work that failed is tried again, and when no longer.
public struct RetryPlan: Sendable, Hashable {
    /// Seconds to wait after the first failure in a row, after the second, and so on; after as many failures as there
    /// are waits the next attempt is the last.
    public let waits: [Int64]

    /// By how many percent a wait is made longer at most, 0...100, so that what failed together is not tried together.
    public let jitterPercent: Int64

    /// States a plan.
    public init(waits: [Int64], jitterPercent: Int64 = 20) {
        self.waits = waits.map { max($0, 0) }
        self.jitterPercent = min(max(jitterPercent, 0), 100)
    }

    /// Ten seconds, a minute, ten minutes, an hour, six hours and a day: for what depends on somebody else's server.
    public static let standard = RetryPlan(waits: [10, 60, 600, 3_600, 21_600, 86_400])

    /// The attempt after which nothing is tried any more, counted from the last one that came any further.
    public var lastAttempt: Int { waits.count + 1 }

    /// The seconds to wait after so many failures in a row; nil when it is not tried again.
    /// - Parameter draw: Drawn for each failure from ``draws``.
    public func wait(after failures: Int, draw: Int64) -> Int64? {
        guard failures < lastAttempt else { return nil }
        let wait = waits[max(failures, 1) - 1]
        let (share, among) = (min(max(draw, 0), Self.draws.upperBound), Self.draws.upperBound)
        return wait + wait * jitterPercent * share / (100 * among)
    }

    /// What jitter is drawn from: nothing more to the whole of it.
    public static let draws: ClosedRange<Int64> = 0...1_000
}
