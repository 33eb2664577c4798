/// How far the holder of a license may release devices without the operator (Tenure dialect, `devices/release`).
public struct SelfRelease: Sendable, Hashable {
    /// How long after one release the next one has to wait, in days of 86,400 s; 0 for no wait.
    public var cooldownDays: Int

    /// How many releases there may be in 365 days, at least one.
    public var perYear: Int

    /// Makes a rule.
    public init(cooldownDays: Int, perYear: Int) {
        self.cooldownDays = cooldownDays
        self.perYear = perYear
    }

    /// How long a release counts, in days.
    public static let countedDays = 365

    /// The largest number that a policy may name: releases are counted one by one.
    public static let highestPerYear = 100

    /// What a holder may do now.
    public struct Standing: Sendable, Hashable {
        /// How many releases are left, the wait aside.
        public let left: Int
        /// When the next one may be; nil when it may be now.
        public let nextAt: Timestamp?
    }

    /// What is left after the releases that there were.
    public func standing(after releases: [Timestamp], at now: Timestamp) -> Standing {
        let since = now.adding(days: -Self.countedDays)
        let counted = releases.filter { $0 > since }.sorted()
        var waits: [Timestamp] = []
        if counted.count >= perYear {
            waits.append(counted[counted.count - perYear].adding(days: Self.countedDays))
        }
        if let last = counted.last { waits.append(last.adding(days: cooldownDays)) }
        return Standing(left: max(0, perYear - counted.count), nextAt: waits.filter { $0 > now }.max())
    }
}
