/// The rules that an app's licenses are made from. Edits reach a license at its next renewal.
public struct AppLicenseRules: Sendable, Hashable {
    /// How long a license lasts, in days; nil for one that never expires, and so can never be revoked by a device's daily
    /// job (`spec/apple.md` (b) 13).
    public var durationDays: Int?

    /// By how much the duration of each license is drawn shorter or longer, 0...50, so that renewals never stampede.
    public var jitterPercent: Int

    /// On how many devices of an account the app may be licensed at once; nil for no limit.
    public var deviceLimit: Int?

    /// How many devices of an account beyond the limit may have had the app lately; nil for no limit.
    public var deviceChanges: Int?

    /// Whether licenses of a withdrawn app are refused renewal; else the app stays on its devices.
    public var revokeOnTakedown: Bool

    /// For how many days after its expiry a license may still be renewed; nil for ever.
    public var renewAfterExpiryDays: Int?

    /// How many days before its expiry a marketplace app is told to renew a license.
    public var renewAheadDays: Int

    /// Makes rules; what is left out has the catalog's default.
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

    /// The largest device limit: devices are counted in the transaction that adds one.
    public static let highestDeviceLimit = 1_000

    /// Ten thousand years: longer ones are cut, so that no sum overflows.
    private static let longestDays = 3_650_000

    /// The term of a license that begins now.
    ///
    /// It ends with the grant at the latest, and lasts at least a second: nothing left is never the 0 by which Apple
    /// means "never expires" (design §4).
    /// - Parameter draw: Where in the jitter's range this license falls, -1000 (shortest) ... 1000 (longest).
    public func term(from now: Timestamp, grantEnd: Timestamp?, draw: Int) -> Term {
        let drawn = min(max(draw, -1000), 1000)
        let own = durationDays.map { days in
            let whole = Int64(min(days, Self.longestDays)) * Timestamp.secondsPerDay
            return now.adding(seconds: whole + whole * Int64(jitterPercent) * Int64(drawn) / 100_000)
        }
        guard let end = [own, grantEnd].compactMap(\.self).min() else { return .perpetual(from: now) }
        let last = max(end, now.adding(seconds: 1))
        return Term(start: now, end: last) ?? .perpetual(from: now)
    }
}

extension Term {
    /// The term as Apple writes it: when it was issued, in POSIX seconds, and how long it lasts, in seconds; 0 means for
    /// ever, and is answered for perpetual terms alone.
    public var asIssuedAndDuration: (issuedTime: UInt64, duration: UInt64) {
        let issued = UInt64(max(0, start.seconds))
        guard let end else { return (issued, 0) }
        let duration = max(1, end.seconds - max(0, start.seconds))
        return (issued, min(UInt64(duration), UInt64(Int64.max) - 1 - min(issued, UInt64(Int64.max) - 2)))
    }
}
