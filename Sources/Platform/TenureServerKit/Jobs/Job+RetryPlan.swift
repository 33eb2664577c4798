extension Job {
    /// The number of retries of a failed job, and the wait before each retry.
    public struct RetryPlan: Sendable, Hashable {
        /// The seconds to wait after the first consecutive failure, after the second, and so on.
        ///
        /// The attempt after the last wait is the final attempt.
        public let waits: [Int64]

        /// The maximum share of a wait that is added to it, 0 to 100 percent.
        ///
        /// Jobs that failed together are therefore retried at different times.
        public let jitterPercent: Int64

        /// Creates a plan. Clamps negative waits to 0, and the jitter to 0...100.
        public init(waits: [Int64], jitterPercent: Int64 = 20) {
            self.waits = waits.map { max($0, 0) }
            self.jitterPercent = min(max(jitterPercent, 0), 100)
        }

        /// Waits of 10 s, 1 min, 10 min, 1 h, 6 h and 24 h, for work that depends on external servers.
        public static let standard = Job.RetryPlan(waits: [10, 60, 600, 3_600, 21_600, 86_400])

        /// The number of the final attempt, counted from the last successful piece.
        public var lastAttempt: Int { waits.count + 1 }

        /// The seconds to wait after a number of consecutive failures; `nil` if there are no more retries.
        ///
        /// - Parameter draw: A random number from ``draws``.
        public func wait(after failures: Int, draw: Int64) -> Int64? {
            guard failures < lastAttempt else { return nil }
            let wait = waits[max(failures, 1) - 1]
            let (share, among) = (min(max(draw, 0), Self.draws.upperBound), Self.draws.upperBound)
            return wait + wait * jitterPercent * share / (100 * among)
        }

        /// The range of random numbers for jitter: 0 adds no jitter, and the upper bound adds the maximum.
        public static let draws: ClosedRange<Int64> = 0...1_000
    }
}
