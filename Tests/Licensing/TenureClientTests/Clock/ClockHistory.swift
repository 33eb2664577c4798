import TenureClient
import TenureCore

/// A random sequence of clock changes on a device that recorded the start of a right, such as a trial.
///
/// Each step compares the device's trusted time with the true time. The right must not be usable for longer than its
/// length while the device runs. If the clock is always correct, the right must also end on time.
struct ClockHistory {
    enum Step: CaseIterable {
        case pass, passLong, restart, stayOff, setAhead, setBack, setRight, flatBattery
        case begin, ask, askWrongServer, receiveLate, replay
    }

    private static let choice = Step.allCases + [.pass, .restart, .setRight, .begin, .begin, .ask]
    /// The steps in which the wall clock stays correct, and no response is wrong or replayed.
    private static let honestChoice: [Step] = [
        .pass, .passLong, .restart, .stayOff, .begin, .begin, .ask, .ask, .receiveLate,
    ]

    /// The wall clock's time after its battery went flat.
    private static let flat = Timestamp(seconds: 946_684_800)
    private static let minute: Int64 = 60
    private static let day: Int64 = 86_400
    /// The number of seconds by which a right may exceed its length. A response that corrects its start may be that
    /// old.
    static let tolerance: Int64 = 3_600

    private var random: SeededGenerator
    /// Whether responses are bound to their requests, as in the Tenure dialect.
    let isBound: Bool
    private let length: Int64
    /// Whether the wall clock is always correct, and no response is wrong or replayed.
    let isHonest: Bool

    private var truth = Timestamp(seconds: 1_800_000_000)
    private var wallError: Int64 = 0
    private var uptime: Int64 = 100
    private var boots = 1
    private var marks: ClockMarks?
    private var right: DeviceTime?
    /// The true time at which the right began.
    private var began = Timestamp(seconds: 0)
    /// The number of seconds for which the right was used while the device ran.
    private(set) var used: Int64 = 0
    private var signed: [Timestamp] = []
    /// The number of responses that `marks` accepted.
    private var answers = 0
    /// Whether the recorded start may be earlier than the true start, so the right may end too early.
    private(set) var mayEndEarly = false
    /// Whether the start was corrected in this boot while the clock was behind.
    private var isCutBehind = false
    private(set) var steps: [Step] = []
    /// The number of times that the start of the right was corrected.
    private(set) var corrections = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        isBound = Bool.random(using: &random)
        length = [2, 14, 30].randomElement(using: &random).map { $0 * Self.day } ?? Self.day
        isHonest = Int.random(in: 0..<4, using: &random) == 0
        if !isHonest, Bool.random(using: &random) { wallError = leap() }
        look()
    }

    private var reading: ClockReading {
        ClockReading(wall: truth.adding(seconds: wallError), uptime: uptime, boot: "boot-\(boots)")
    }

    /// Returns a random clock change of one minute to two years, in seconds.
    private mutating func leap() -> Int64 {
        let most: Int64 = [60, 1_440, 43_200, 1_051_200].randomElement(using: &random) ?? 60
        return Int64.random(in: 1...most, using: &random) * Self.minute
    }

    /// Takes a random step. Returns a description of the rule that the device broke, or `nil`.
    mutating func step() -> String? {
        let choice = isHonest ? Self.honestChoice : Self.choice
        guard let step = choice.randomElement(using: &random) else { return nil }
        steps.append(step)
        var received: Timestamp?
        let before = (boots, TrustedTime(reading, marks: marks).now, answers)
        switch step {
        case .pass: pass(Int64.random(in: 1...600, using: &random) * Self.minute)
        case .passLong: pass(Int64.random(in: 1...12, using: &random) * Self.day)
        case .restart: restart(after: Int64.random(in: 30...600, using: &random))
        case .stayOff: restart(after: Int64.random(in: 1...60, using: &random) * Self.day)
        case .setAhead: wallError += leap()
        case .setBack: wallError -= leap()
        case .setRight: wallError = 0
        case .flatBattery:
            restart(after: Int64.random(in: 60...86_400, using: &random))
            wallError = truth.seconds(until: Self.flat)
        case .begin: begin()
        case .ask: received = receive(truth) ?? (isBound ? truth : nil)
        case .askWrongServer:
            // An unbound response with a wrong time is believed until the true time reaches it, so only bound ones are
            // tested.
            if isBound { _ = receive(truth.adding(seconds: leap())) }
        case .receiveLate:
            let sent = truth
            pass(Int64.random(in: 1...30, using: &random))
            received = receive(sent)
        case .replay:
            // If responses are bound, a response to another request is rejected.
            guard !isBound, let old = signed.randomElement(using: &random) else { break }
            _ = receive(old)
        }
        look()
        if boots == before.0, answers == before.2, TrustedTime(reading, marks: marks).now < before.1 {
            return "trusted time went back within a boot"
        }
        return complaint(after: received)
    }

    private mutating func pass(_ seconds: Int64) {
        if let right, case let trusted = TrustedTime(reading, marks: marks), trusted.verdict == .believed {
            used += min(seconds, max(0, trusted.now.seconds(until: right.time.adding(seconds: length))))
        }
        truth = truth.adding(seconds: seconds)
        uptime += seconds
    }

    private mutating func restart(after seconds: Int64) {
        truth = truth.adding(seconds: seconds)
        uptime = min(seconds, 20)
        boots += 1
        if isCutBehind { mayEndEarly = true }
        isCutBehind = false
    }

    /// Reads the clocks as an app does when it starts, and while it runs.
    private mutating func look() {
        guard var existing = marks else {
            marks = ClockMarks(reading)
            return
        }
        let trusted = existing.judge(reading)
        existing.keep(trusted, at: reading)
        marks = existing
        guard trusted.verdict == .believed else { return }
        correct(by: TimeCheck(now: trusted.now, ran: existing.ran(at: reading)))
    }

    private mutating func begin() {
        let trusted = TrustedTime(reading, marks: marks)
        guard right == nil, trusted.verdict == .believed else { return }
        right = DeviceTime(trusted.now, ran: marks?.ran(at: reading))
        began = truth
        isBehind = trusted.now < truth.adding(seconds: -Self.minute)
    }

    /// Whether the clock was behind when the right began, and no response has been accepted since.
    private var isBehind = false {
        didSet { if isBehind { beganIn = boots } }
    }
    private var beganIn = 0

    /// Processes a response with this time. Returns the time if the clock marks accept it, or `nil`.
    private mutating func receive(_ time: Timestamp) -> Timestamp? {
        signed.append(time)
        guard var existing = marks, let check = existing.take(Moment(time), isFresh: isBound, at: reading) else {
            return nil
        }
        marks = existing
        answers += 1
        if isBehind, beganIn != boots || !isBound { mayEndEarly = true }
        isBehind = false
        correct(by: check)
        if isBound || time == truth { isCutBehind = false }
        return time
    }

    private mutating func correct(by check: TimeCheck) {
        guard let before = right else { return }
        let after = before.corrected(by: check)
        guard after != before else { return }
        corrections += 1
        right = after
        if after.time < before.time, check.now < truth.adding(seconds: -Self.minute) { isCutBehind = true }
    }

    private func complaint(after received: Timestamp?) -> String? {
        guard let right else { return nil }
        if used > length + Self.tolerance { return "the right of \(length) s was used for \(used) s" }
        let left = truth.seconds(until: began.adding(seconds: length)) - Self.tolerance
        let trusted = TrustedTime(reading, marks: marks)
        if isHonest, left < -2 * Self.tolerance, trusted.now < right.time.adding(seconds: length) {
            return "the right lasts \(-left) s too long with a right clock"
        }
        guard received != nil, wallError == 0, !mayEndEarly else { return nil }
        guard left > 0, trusted.now >= right.time.adding(seconds: length) || trusted.verdict != .believed else {
            return nil
        }
        return "the right ended \(left) s too early"
    }
}
