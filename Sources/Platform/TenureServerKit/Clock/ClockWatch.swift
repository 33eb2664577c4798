public import TenureCore

extension ClockWatch {
    /// The readings of a machine's two clocks at one moment.
    public struct Sample: Sendable, Hashable {
        /// The wall clock, which can be set.
        public let wall: Timestamp
        /// Seconds on a monotonic clock that also runs during sleep.
        public let steady: Int64

        /// Creates a value from its parts.
        public init(wall: Timestamp, steady: Int64) {
            self.wall = wall
            self.steady = steady
        }

        /// How far the wall clock was set since an earlier reading, in seconds.
        func step(since earlier: ClockWatch.Sample) -> Int64 {
            earlier.expected(at: steady).seconds(until: wall)
        }

        /// What the wall clock would show later if it weren't set.
        func expected(at later: Int64) -> Timestamp {
            wall.adding(seconds: later.subtractingReportingOverflow(steady).partialValue)
        }
    }
}

/// Decides whether the wall clock can be trusted.
///
/// It's a value type that gets all readings as arguments. Each doubt also ends with ``accept(at:)``:
///
/// - `stepped` begins when the two clocks differ by over 300 s. It ends when they agree again. After a step of at most
///   30 days ahead, it also ends once both have run alike for ten minutes.
/// - `behind` begins at a start over 300 s before the store's mark. It ends when the wall clock is between 300 s before
///   and 30 days after the mark.
/// - `ahead` begins at a start over 30 days after the mark. It ends like `behind`.
/// - `apart` begins when the clock is over 300 s from the database's, and from any accepted difference. It ends when
///   they agree again.
public struct ClockWatch: Sendable, Hashable {
    /// How far two clocks may differ, in seconds; leases allow the same skew.
    public static let tolerance: Int64 = 300
    /// How much time may have passed since the mark, or be skipped by a paused machine, in seconds.
    public static let longestAbsence: Int64 = 30 * 86_400
    /// How long both clocks must run alike until a step ahead is accepted, in seconds.
    public static let settling: Int64 = 600
    /// How often the agreed reading is renewed while the clocks agree, in seconds, so that small steps don't add up.
    public static let interval: Int64 = 60

    /// Why the wall clock can't be trusted; `nil` while it can.
    public private(set) var doubt: ClockDoubt?
    /// The last trusted reading.
    ///
    /// After a doubtful start, it's the mark, as if no time had passed since.
    private var agreed: ClockWatch.Sample
    /// The reading since which both clocks have run alike, during a doubt.
    private var alike: ClockWatch.Sample
    /// The latest time that the store had seen at the start; `nil` if there was no mark.
    private let mark: Timestamp?
    /// How far the wall clock is ahead of the database's, in seconds: the last measurement, and the accepted one.
    private var fromDatabase: Int64 = 0
    private var acceptedFromDatabase: Int64
    /// Whether the wall clock agreed with the database's at the last comparison.
    public private(set) var isNearDatabase = false

    /// Starts watching.
    ///
    /// - Parameters:
    ///   - mark: The latest time that the store has seen. If it's `nil`, the clock is trusted at first.
    ///   - apart: How far ahead of the database's clock the operator has accepted, in seconds.
    public init(_ reading: ClockWatch.Sample, mark: Timestamp?, apart: Int64 = 0) {
        (agreed, alike, self.mark, acceptedFromDatabase) = (reading, reading, mark, apart)
        doubt = Self.doubt(reading.wall, against: mark)
        if doubt != nil, let mark { agreed = ClockWatch.Sample(wall: mark, steady: reading.steady) }
    }

    /// Evaluates a reading.
    public mutating func look(_ reading: ClockWatch.Sample) {
        switch doubt?.kind {
        case nil: watch(reading)
        case .stepped: settle(reading)
        case .behind, .ahead:
            doubt = Self.doubt(reading.wall, against: mark)
            if doubt == nil { trust(reading) }
        case .apart: (agreed, alike) = (reading, reading)
        }
    }

    /// Evaluates a reading with the database's time of the same moment.
    public mutating func look(_ reading: ClockWatch.Sample, database: Timestamp) {
        fromDatabase = database.seconds(until: reading.wall)
        look(reading)
        isNearDatabase = Self.areNear(fromDatabase, 0)
        if isNearDatabase { acceptedFromDatabase = 0 }
        guard doubt == nil || doubt?.kind == .apart else { return }
        let isApart = !isNearDatabase && !Self.areNear(fromDatabase, acceptedFromDatabase)
        doubt = isApart ? ClockDoubt(.apart, by: fromDatabase) : nil
    }

    /// The time to use for a reading.
    ///
    /// After a step, it's what the wall clock would show without it. After a doubtful start, it's the mark plus the
    /// time since the start; the true time isn't earlier. So reads don't treat anything as expired too early.
    public func time(at reading: ClockWatch.Sample) -> Timestamp {
        switch doubt?.kind {
        case .stepped, .behind, .ahead: agreed.expected(at: reading.steady)
        case .apart, nil: reading.wall
        }
    }

    /// Trusts the wall clock as it is, because the operator has confirmed it.
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

    private mutating func settle(_ reading: ClockWatch.Sample) {
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

    /// The doubt at a start with this mark, if there is any.
    public static func doubt(_ wall: Timestamp, against mark: Timestamp?) -> ClockDoubt? {
        guard let mark else { return nil }
        let passed = mark.seconds(until: wall)
        if passed < -tolerance { return ClockDoubt(.behind, by: passed) }
        return passed > longestAbsence ? ClockDoubt(.ahead, by: passed) : nil
    }
}
