/// The limits for releases of devices by the license holder (`devices/release` in the Tenure dialect).
public struct SelfRelease: Sendable, Hashable {
    /// The shortest time between two releases in days of 86,400 seconds; 0 for no wait.
    public var cooldownDays: Int

    /// The number of releases allowed in 365 days, at least 1.
    public var perYear: Int

    /// Creates limits from their parts, without checking that they are in range.
    public init(cooldownDays: Int, perYear: Int) {
        self.cooldownDays = cooldownDays
        self.perYear = perYear
    }

    /// How long a release counts towards ``perYear``, in days.
    public static let countedDays = 365

    /// The largest ``perYear`` that a policy may have, since releases are counted individually.
    public static let highestPerYear = 100

    /// How many devices a holder may still release, and from when.
    public struct Remaining: Sendable, Hashable {
        /// The number of releases left, regardless of the wait.
        public let left: Int
        /// The time of the next possible release; `nil` if one is possible now.
        public let nextAt: Timestamp?

        /// Creates the remaining releases from their parts.
        public init(left: Int, nextAt: Timestamp?) {
            self.left = left
            self.nextAt = nextAt
        }
    }

    /// Computes the releases left, given the times of earlier ones.
    public func remaining(after releases: [Timestamp], at now: Timestamp) -> Remaining {
        let since = now.adding(days: -Self.countedDays)
        let counted = releases.filter { $0 > since }.sorted()
        var waits: [Timestamp] = []
        if counted.count >= perYear {
            waits.append(counted[counted.count - perYear].adding(days: Self.countedDays))
        }
        if let last = counted.last { waits.append(last.adding(days: cooldownDays)) }
        return Remaining(left: max(0, perYear - counted.count), nextAt: waits.filter { $0 > now }.max())
    }
}
