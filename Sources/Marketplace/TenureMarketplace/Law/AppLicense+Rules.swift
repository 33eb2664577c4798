public import TenureCore

extension AppLicense {
    /// The rules for an app's licenses; an edited rule applies to a license from its next renewal.
    public struct Rules: Sendable, Hashable {
        /// How long a license lasts, in days; `nil` for one that never expires.
        ///
        /// A license that never expires isn't renewed by the device's daily job, so revoking it has no effect on the
        /// device.
        public var durationDays: Int?

        /// By how many percent each duration is randomly shortened or lengthened, 0...50, to spread renewals over time.
        public var jitterPercent: Int

        /// On how many devices of an account the app may be licensed at the same time; `nil` for no limit.
        public var deviceLimit: Int?

        /// How many devices of an account may count beyond ``deviceLimit``, because released devices still count for
        /// some time; `nil` for no limit.
        public var deviceChanges: Int?

        /// How many devices of an account may have the app at the same time, and how many others may replace them.
        public var allowance: DeviceAllowance { DeviceAllowance(limit: deviceLimit, changes: deviceChanges) }

        /// Whether licenses of a withdrawn app are refused renewal; otherwise the app stays usable on its devices.
        public var revokeOnTakedown: Bool

        /// How many days after its expiry a license may still be renewed; `nil` for no limit.
        public var renewAfterExpiryDays: Int?

        /// How many days before its expiry the marketplace app should renew a license.
        public var renewAheadDays: Int

        /// Creates rules; everything that is left out has the catalog's default.
        public init(
            durationDays: Int? = 30, jitterPercent: Int = 10, deviceLimit: Int? = 5, revokeOnTakedown: Bool = false,
            renewAfterExpiryDays: Int? = 90, renewAheadDays: Int = 7,
            deviceChanges: Int? = 5
        ) {
            self.durationDays = durationDays
            self.jitterPercent = jitterPercent
            self.deviceLimit = deviceLimit
            self.deviceChanges = deviceChanges
            self.revokeOnTakedown = revokeOnTakedown
            self.renewAfterExpiryDays = renewAfterExpiryDays
            self.renewAheadDays = renewAheadDays
        }

        /// The largest device limit allowed, since devices are counted individually in a transaction.
        public static let highestDeviceLimit = 1_000

        /// Ten thousand years in days; longer durations are shortened to this so that sums don't overflow.
        private static let longestDays = 3_650_000

        /// Returns the term of a license that begins now.
        ///
        /// The term ends with the grant at the latest. But it lasts at least one second, because a duration of 0 means
        /// "never expires" in Apple's protocol.
        ///
        /// - Parameter draw: The position in the jitter range, from -1000 (shortest) to 1000 (longest).
        public func term(from now: Timestamp, grantEnd: Timestamp?, draw: Int) -> Term {
            let drawn = min(max(draw, -1000), 1000)
            let own = durationDays.map { days in
                let whole = Int64(min(days, Self.longestDays)) * Timestamp.secondsPerDay
                return now.adding(seconds: whole + whole * Int64(jitterPercent) * Int64(drawn) / 100_000)
            }
            guard let end = own.map({ min($0, grantEnd ?? $0) }) ?? grantEnd else { return .perpetual(from: now) }
            let last = max(end, now.adding(seconds: 1))
            return Term(start: now, end: last) ?? .perpetual(from: now)
        }
    }
}

extension Term {
    /// The term in Apple's form: the time of issue in POSIX seconds, and the duration in seconds.
    ///
    /// A duration of 0 means that the license never expires; only perpetual terms have this duration.
    public var asIssuedAndDuration: (issuedTime: UInt64, duration: UInt64) {
        let issued = UInt64(max(0, start.seconds))
        guard let end else { return (issued, 0) }
        let duration = max(1, end.seconds - max(0, start.seconds))
        return (issued, min(UInt64(duration), UInt64(Int64.max) - 1 - min(issued, UInt64(Int64.max) - 2)))
    }
}
