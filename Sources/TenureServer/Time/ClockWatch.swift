public import TenureCore
public import TenureServerKit

/// What two clocks of a machine said at one moment.
public struct ClockSample: Sendable, Hashable {
    /// The wall clock, which anybody may set.
    public let wall: Timestamp
    /// Seconds on a clock that nobody sets and that runs through sleep.
    public let steady: Int64

    /// Pairs the two.
    public init(wall: Timestamp, steady: Int64) {
        self.wall = wall
        self.steady = steady
    }

    /// How far the wall clock was moved since an earlier reading, in seconds.
    func step(since earlier: ClockSample) -> Int64 {
        earlier.expected(at: steady).seconds(until: wall)
    }

    /// What the wall clock would say later, had nobody set it.
    func expected(at later: Int64) -> Timestamp {
        wall.adding(seconds: later.subtractingReportingOverflow(steady).partialValue)
    }
}

/// Judges whether the wall clock is to be trusted. A value: all readings are handed in.
///
/// | doubt | begins | ends, besides with ``accept(at:)`` |
/// |---|---|---|
/// | `stepped` | the two clocks part by over 300 s | they agree again; or after a step ahead of at most 30 days, once both ran alike for ten minutes |
/// | `behind` | at a start, over 300 s before the store's mark | the wall clock is within 300 s before the mark and 30 days after it |
/// | `ahead` | at a start, over 30 days after the mark | the same |
/// | `apart` | over 300 s from the database's clock, and from where it was accepted beside that | they agree again |
public struct ClockWatch: Sendable, Hashable {
    /// How far two clocks may part, in seconds: the skew that leases allow for.
    public static let tolerance: Int64 = 300
    /// How much time may have passed since the mark, or be leapt over by a machine that was paused, in seconds.
    public static let longestAbsence: Int64 = 30 * 86_400
    /// How long both clocks have to run alike until a step ahead is believed, in seconds.
    public static let settling: Int64 = 600
    /// How often the pair of readings is taken anew while it agrees, so that small steps never add up, in seconds.
    public static let interval: Int64 = 60

    /// Why the wall clock is not trusted; nil while it is.
    public private(set) var doubt: ClockDoubt?
    /// The last reading that was trusted; at a start that is doubted the mark, as if no time had passed since.
    private var agreed: ClockSample
    /// From which reading on both clocks have run alike, while in doubt.
    private var alike: ClockSample
    /// What the store had seen at the start; nil where it had seen nothing.
    private let mark: Timestamp?
    /// How far the wall clock is ahead of the database's, as it was last found and as it was accepted.
    private var fromDatabase: Int64 = 0
    private var acceptedFromDatabase: Int64
    /// Whether the wall clock agreed with the database's when they were last compared.
    public private(set) var isNearDatabase = false

    /// Begins at a start.
    /// - Parameters:
    ///   - mark: The latest time that the store has seen; nil for none: then the clock is taken as it is.
    ///   - apart: How far ahead of the database's clock the operator has accepted one, in seconds.
    public init(_ reading: ClockSample, mark: Timestamp?, apart: Int64 = 0) {
        (agreed, alike, self.mark, acceptedFromDatabase) = (reading, reading, mark, apart)
        doubt = Self.doubt(reading.wall, against: mark)
        if doubt != nil, let mark { agreed = ClockSample(wall: mark, steady: reading.steady) }
    }

    /// Takes a reading.
    public mutating func look(_ reading: ClockSample) {
        switch doubt?.kind {
        case nil: watch(reading)
        case .stepped: settle(reading)
        case .behind, .ahead:
            doubt = Self.doubt(reading.wall, against: mark)
            if doubt == nil { trust(reading) }
        case .apart: (agreed, alike) = (reading, reading)
        }
    }

    /// Takes the database's time, read at the moment of a reading.
    public mutating func look(_ reading: ClockSample, database: Timestamp) {
        fromDatabase = database.seconds(until: reading.wall)
        look(reading)
        isNearDatabase = Self.areNear(fromDatabase, 0)
        if isNearDatabase { acceptedFromDatabase = 0 }
        guard doubt == nil || doubt?.kind == .apart else { return }
        let isApart = !isNearDatabase && !Self.areNear(fromDatabase, acceptedFromDatabase)
        doubt = isApart ? ClockDoubt(.apart, by: fromDatabase) : nil
    }

    /// The time to go by: after a step what the wall clock would say without it; after a doubtful start what it would say
    /// had the last one just ended, for before that it is not, and nothing that is only read ends too early.
    public func time(at reading: ClockSample) -> Timestamp {
        switch doubt?.kind {
        case .stepped, .behind, .ahead: agreed.expected(at: reading.steady)
        case .apart, nil: reading.wall
        }
    }

    /// Believes the wall clock as it is: the operator says so.
    public mutating func accept(at reading: ClockSample) {
        acceptedFromDatabase = fromDatabase
        trust(reading)
    }

    private mutating func watch(_ reading: ClockSample) {
        let step = reading.step(since: agreed)
        if step.magnitude > UInt64(Self.tolerance) {
            doubt = ClockDoubt(.stepped, by: step)
            alike = reading
        } else if reading.steady >= agreed.steady + Self.interval {
            agreed = reading
        }
    }

    private mutating func settle(_ reading: ClockSample) {
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

    private mutating func trust(_ reading: ClockSample) {
        (agreed, alike, doubt) = (reading, reading, nil)
    }

    /// What a start would doubt.
    public static func doubt(_ wall: Timestamp, against mark: Timestamp?) -> ClockDoubt? {
        guard let mark else { return nil }
        let passed = mark.seconds(until: wall)
        if passed < -tolerance { return ClockDoubt(.behind, by: passed) }
        return passed > longestAbsence ? ClockDoubt(.ahead, by: passed) : nil
    }
}
