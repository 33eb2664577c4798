public import TenureCore

extension ClockWatch {
    /// The readings of a host's two clocks at one moment.
    public struct Sample: Sendable, Hashable {
        /// The wall clock, which an operator or NTP can set.
        public let wall: Timestamp
        /// Seconds on a monotonic clock that also runs during sleep.
        public let steady: Int64

        /// Creates a reading from its parts.
        public init(wall: Timestamp, steady: Int64) {
            self.wall = wall
            self.steady = steady
        }

        /// The number of seconds by which the wall clock was set since an earlier reading; negative if it was set
        /// back.
        func step(since earlier: ClockWatch.Sample) -> Int64 {
            earlier.expected(at: steady).seconds(until: wall)
        }

        /// The time that the wall clock would show at a later monotonic time if the wall clock weren't set in between.
        func expected(at later: Int64) -> Timestamp {
            wall.adding(seconds: later.subtractingReportingOverflow(steady).partialValue)
        }
    }
}

/// Decides whether the wall clock can be trusted.
///
/// It's a value type that gets all readings as arguments. It compares the wall clock with the monotonic clock, the
/// store's mark and the database's clock. Each doubt ends as listed here, or when the operator accepts the clock
/// (``accept(at:)``):
///
/// - `stepped`: The wall clock moved by over 300 s against the monotonic clock since a reading of this process, or
///   since a reading that another process on this host stored in the last ten minutes. The doubt ends when the clocks
///   agree again. After a step ahead of at most 30 days, it also ends once both clocks have run at the same rate for
///   ten minutes.
/// - `behind`: At the start, the wall clock was over 300 s before the mark. The doubt ends when the wall clock is
///   between 300 s before and 30 days after the mark.
/// - `ahead`: At the start, the wall clock was over 30 days after the mark. The doubt ends like `behind`.
/// - `apart`: The wall clock is over 300 s from the database's clock, and their difference is over 300 s from the
///   accepted difference. The doubt ends when one of these conditions no longer holds.
public struct ClockWatch: Sendable, Hashable {
    /// The largest tolerated difference between two clocks, in seconds; leases allow the same skew.
    public static let tolerance: Int64 = 300
    /// The longest time, in seconds, by which the wall clock may exceed the mark at a start, or that a paused host may
    /// skip.
    public static let longestAbsence: Int64 = 30 * 86_400
    /// How long both clocks must run at the same rate until a step ahead is accepted, in seconds.
    public static let settling: Int64 = 600
    /// How long a trusted reading is kept before a newer one replaces it, in seconds, so that small steps don't add
    /// up.
    public static let interval: Int64 = 60

    /// Why the wall clock can't be trusted; `nil` while it can.
    public private(set) var doubt: ClockDoubt?
    /// The last trusted reading.
    ///
    /// After a start in the doubt `behind` or `ahead`, it combines the store's mark with the monotonic time of the
    /// start.
    private var agreed: ClockWatch.Sample
    /// The reading since which both clocks have run at the same rate, while the doubt `stepped` lasts.
    private var alike: ClockWatch.Sample
    /// The latest time that the store had seen at the start; `nil` if there was no mark.
    private let mark: Timestamp?
    /// How far the wall clock is ahead of the database's clock, in seconds, at the last comparison.
    private var fromDatabase: Int64 = 0
    private var acceptedFromDatabase: Int64
    /// Whether the wall clock agreed with the database's clock at the last comparison.
    public private(set) var isNearDatabase = false

    /// Starts watching with a first reading.
    ///
    /// - Parameter mark: The store's clock mark. If the mark has no latest time, the clock is trusted at first.
    public init(_ reading: ClockWatch.Sample, since mark: Mark) {
        (agreed, alike, self.mark, acceptedFromDatabase) = (reading, reading, mark.seen, mark.apart ?? 0)
        doubt = Self.doubt(reading.wall, against: mark.seen)
        if doubt != nil, let seen = mark.seen {
            agreed = ClockWatch.Sample(wall: seen, steady: reading.steady)
        } else if let former = mark.reading, (0...Self.settling).contains(reading.steady - former.steady) {
            // An older reading proves nothing: a running server would have accepted a short step in the meantime.
            agreed = former
            watch(reading)
        }
    }

    /// Updates the doubt after a reading.
    public mutating func observe(_ reading: ClockWatch.Sample) {
        switch doubt?.kind {
        case nil: watch(reading)
        case .stepped: resolve(reading)
        case .behind, .ahead:
            doubt = Self.doubt(reading.wall, against: mark)
            if doubt == nil { trust(reading) }
        case .apart: (agreed, alike) = (reading, reading)
        }
    }

    /// Updates the doubt after a reading and the time of the database's clock at the same moment.
    public mutating func observe(_ reading: ClockWatch.Sample, database: Timestamp) {
        fromDatabase = database.seconds(until: reading.wall)
        observe(reading)
        isNearDatabase = Self.areNear(fromDatabase, 0)
        if isNearDatabase { acceptedFromDatabase = 0 }
        guard doubt == nil || doubt?.kind == .apart else { return }
        let isApart = !isNearDatabase && !Self.areNear(fromDatabase, acceptedFromDatabase)
        doubt = isApart ? ClockDoubt(.apart, by: fromDatabase) : nil
    }

    /// The time to use for a reading.
    ///
    /// After a step, it's the time that the wall clock would show without the step. After a start in the doubt
    /// `behind` or `ahead`, it's the mark plus the time since the start. That time isn't later than the true time, so
    /// nothing is treated as expired too early.
    public func time(at reading: ClockWatch.Sample) -> Timestamp {
        switch doubt?.kind {
        case .stepped, .behind, .ahead: agreed.expected(at: reading.steady)
        case .apart, nil: reading.wall
        }
    }

    /// Trusts the wall clock as it is, because the operator has accepted it.
    public mutating func accept(at reading: ClockWatch.Sample) {
        acceptedFromDatabase = fromDatabase
        trust(reading)
    }

    private mutating func watch(_ reading: ClockWatch.Sample) {
        let step = reading.step(since: agreed)
        if step.magnitude > UInt64(Self.tolerance) {
            doubt = ClockDoubt(.stepped, by: step)
            alike = reading
        } else if reading.steady >= agreed.steady + Self.interval {
            agreed = reading
        }
    }

    private mutating func resolve(_ reading: ClockWatch.Sample) {
        let step = reading.step(since: agreed)
        if step.magnitude <= UInt64(Self.tolerance) { return trust(reading) }
        doubt = ClockDoubt(.stepped, by: step)
        if reading.step(since: alike).magnitude > UInt64(Self.tolerance) { alike = reading }
        let isShort = (0...Self.longestAbsence).contains(step)
        if isShort, reading.steady >= alike.steady + Self.settling { trust(reading) }
    }

    private static func areNear(_ one: Int64, _ other: Int64) -> Bool {
        let (between, isOver) = one.subtractingReportingOverflow(other)
        return !isOver && between.magnitude <= UInt64(tolerance)
    }

    private mutating func trust(_ reading: ClockWatch.Sample) {
        (agreed, alike, doubt) = (reading, reading, nil)
    }

    /// Returns the doubt of a start whose store has this mark; `nil` if the wall clock can be trusted.
    public static func doubt(_ wall: Timestamp, against mark: Timestamp?) -> ClockDoubt? {
        guard let mark else { return nil }
        let passed = mark.seconds(until: wall)
        if passed < -tolerance { return ClockDoubt(.behind, by: passed) }
        return passed > longestAbsence ? ClockDoubt(.ahead, by: passed) : nil
    }
}
