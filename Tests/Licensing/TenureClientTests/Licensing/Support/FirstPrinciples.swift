import TenureClient
import TenureCore

/// Computes the expected state from a device's whole history: its clock readings and its vendor's responses.
///
/// The calculation shares no code with the client's rules.
struct FirstPrinciples {
    private enum Word {
        case lease(LeaseFacts.Status, until: Timestamp)
        case refused(code: String, lease: LeaseFacts.Status?)
    }

    private enum TrialStory {
        case none
        case local(LocalStart, days: Int)
        case signed(Timestamp, days: Int)
    }

    /// The start of a trial that was started offline and isn't signed.
    private struct LocalStart {
        var time: Timestamp
        var written: Timestamp
        /// The device's total running time when the trial started, in seconds.
        let run: Int64
    }

    private struct Instant {
        let reading: ClockReading
        let time: Timestamp
    }

    private var license: (seat: String, word: Word)?
    private var trial = TrialStory.none
    private var terms: ProductTerms?
    private var instants: [Instant] = []
    /// An instant after a restart with the clock over 30 days ahead or set back. It's used until the next restart.
    private var leap: Instant?
    /// Whether the clock was ahead at `leap`. Otherwise, it was set back.
    private var isLeapHonest = false
    private var wallError: Int64 = 0
    /// The device's total running time up to the last reading, in seconds.
    private var run: Int64 = 0
    private var lastReading: ClockReading?

    private mutating func runs(to reading: ClockReading) {
        if let last = lastReading {
            run += reading.boot == last.boot ? reading.uptime - last.uptime : reading.uptime
        }
        lastReading = reading
    }

    /// Corrects the start of a local trial to the latest time at which the trial can have started.
    private mutating func capLocalTrial(at now: Timestamp, isSigned: Bool, uptime: Int64, expected: Timestamp) {
        guard case .local(var start, let days) = trial else { return }
        let passed = run - start.run
        let latest = now.seconds - passed
        if isSigned, passed <= uptime {
            if abs(start.time.seconds - latest) > 60 { start.time = Timestamp(seconds: latest) }
            start.written = start.time
        } else {
            if isSigned {
                let gained = max(0, now.seconds - expected.seconds)
                start.time = min(start.written, Timestamp(seconds: start.time.seconds + gained))
                start.written = start.time
            }
            if start.time.seconds > latest + 60 {
                start.time = Timestamp(seconds: latest)
                if isSigned { start.written = start.time }
            }
        }
        trial = .local(start, days: days)
    }

    /// Records that the client read its clocks and may have stored the reading.
    mutating func looked(_ reading: ClockReading) {
        let (time, isHonest) = time(at: reading)
        runs(to: reading)
        if isHonest { capLocalTrial(at: time, isSigned: false, uptime: 0, expected: time) }
        guard let last = instants.last else { return instants.append(Instant(reading: reading, time: time)) }
        let isSameBoot = last.reading.boot == reading.boot
        let isFarLeap = time.seconds - last.time.seconds > 30 * 86_400
        if isSameBoot || isHonest && !isFarLeap { return instants.append(Instant(reading: reading, time: time)) }
        if leap?.reading.boot == reading.boot, isLeapHonest { return }
        leap = Instant(reading: reading, time: time)
        isLeapHonest = isHonest
    }

    /// Records the time in a vendor's response.
    mutating func told(_ truth: Timestamp, _ reading: ClockReading) {
        let expected = time(at: reading).time
        runs(to: reading)
        capLocalTrial(at: truth, isSigned: true, uptime: reading.uptime, expected: expected)
        instants.append(Instant(reading: reading, time: truth))
        wallError = truth.seconds - reading.wall.timestamp.seconds
    }

    mutating func received(_ said: Vendor.Said) {
        switch said {
        case .activated(let activation, let lease):
            license = (activation.activation, .lease(lease.status, until: lease.expiresAt.timestamp))
        case .renewed(let lease): license?.word = .lease(lease.status, until: lease.expiresAt.timestamp)
        case .refused(let code, let lease): license?.word = .refused(code: code, lease: lease)
        case .released(let seat): if license?.seat == seat { license = nil }
        case .trial(let start, let days): trial = .signed(start.timestamp, days: days)
        case .trialRefused:
            if case .local(let start, _) = trial { trial = .signed(start.time, days: 0) }
        case .terms(let result): terms = result
        case .activationRefused, .listed: break
        }
    }

    /// Records that the person started a trial that the server hasn't signed.
    mutating func startedLocalTrial(at reading: ClockReading, days: Int) {
        guard case .none = trial else { return }
        let now = time(at: reading).time
        runs(to: reading)
        trial = .local(LocalStart(time: now, written: now, run: run), days: days)
    }

    var hasTrial: Bool {
        if case .none = trial { false } else { true }
    }

    /// Whether the server signed the trial's start.
    var hasSignedTrial: Bool {
        if case .signed = trial { true } else { false }
    }

    var knownTrialDays: Int? { terms?.trialDays }

    var hasTerms: Bool { terms != nil }

    var hasLicense: Bool { license != nil }

    /// Returns the state that the rows of `Documentation/state-table.md` define.
    func state(at reading: ClockReading) -> LicenseState {
        let (now, isHonest) = time(at: reading)
        if !isHonest { return .invalid }
        if let license {
            switch license.word {
            case .lease(.active, let end): return now.seconds <= end.seconds + 300 ? .licensed : .expired
            case .lease(.fallback, _), .refused(_, .fallback): return .limited
            case .lease(.expired, _), .refused(_, .expired), .refused("license_expired", _): return .expired
            case .refused: return .invalid
            }
        }
        let left = daysLeft(at: now)
        if left > 0 { return .trial(daysLeft: left) }
        return terms?.freeTier == true ? .freeTier : .expired
    }

    private func daysLeft(at now: Timestamp) -> Int {
        let (start, days): (Timestamp, Int)
        switch trial {
        case .none: return 0
        case .local(let began, let compiled): (start, days) = (began.time, terms?.trialDays ?? compiled)
        case .signed(let began, let signed): (start, days) = (began, signed)
        }
        let gone = max(0, now.seconds - start.seconds) / 86_400
        return max(0, days - Int(gone))
    }

    /// Returns the current time: the latest known instant plus uptime. After a restart, the wall clock counts, but
    /// never as earlier than that instant.
    func time(at reading: ClockReading) -> (time: Timestamp, isHonest: Bool) {
        let wall = reading.wall.timestamp.seconds
        guard var last = instants.last else { return (reading.wall.timestamp, true) }
        var floor = last.time.seconds
        if last.reading.boot != reading.boot, let leap, leap.reading.boot == reading.boot {
            if isLeapHonest { last = leap }
            floor = leap.time.seconds + (isLeapHonest ? 0 : reading.uptime - leap.reading.uptime)
        }
        let isSameBoot = last.reading.boot == reading.boot
        if isSameBoot { floor += reading.uptime - last.reading.uptime }
        let believable = [wall, wall + wallError].filter { $0 >= floor - 3_600 }
        guard let first = believable.min() else { return (Timestamp(seconds: floor), false) }
        return (Timestamp(seconds: isSameBoot ? floor : max(floor, first)), true)
    }
}
