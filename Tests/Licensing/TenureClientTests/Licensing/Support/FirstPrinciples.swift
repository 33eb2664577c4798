import TenureClient
import TenureCore

/// Computes the expected state from a device's whole history: its clock readings and its vendor's responses.
///
/// It shares no code with the client's rules.
struct FirstPrinciples {
    private enum Word {
        case lease(LeaseFacts.Status, until: Timestamp)
        case refused(code: String, lease: LeaseFacts.Status?)
    }

    private enum TrialStory {
        case none
        case local(Timestamp, days: Int)
        case signed(Timestamp, days: Int)
    }

    private struct Instant {
        let reading: ClockReading
        let time: Timestamp
    }

    private var license: (seat: String, word: Word)?
    private var trial = TrialStory.none
    private var terms: ProductTerms?
    private var instants: [Instant] = []
    private var wallError: Int64 = 0

    /// Records that the client read its clocks and may have stored the reading.
    mutating func looked(_ reading: ClockReading) {
        let (time, isHonest) = time(at: reading)
        guard let last = instants.last else { return instants.append(Instant(reading: reading, time: time)) }
        let isSameBoot = last.reading.boot == reading.boot
        let isFarLeap = time.seconds - last.time.seconds > 30 * 86_400
        if isSameBoot || isHonest && !isFarLeap { instants.append(Instant(reading: reading, time: time)) }
    }

    /// Records the time in a vendor's response.
    mutating func told(_ truth: Timestamp, _ reading: ClockReading) {
        instants.append(Instant(reading: reading, time: truth))
        wallError = truth.seconds - reading.wall.timestamp.seconds
    }

    mutating func heard(_ said: Vendor.Said) {
        switch said {
        case .activated(let activation, let lease):
            license = (activation.activation, .lease(lease.status, until: lease.expiresAt.timestamp))
        case .renewed(let lease): license?.word = .lease(lease.status, until: lease.expiresAt.timestamp)
        case .refused(let code, let lease): license?.word = .refused(code: code, lease: lease)
        case .released(let seat): if license?.seat == seat { license = nil }
        case .trial(let start, let days): trial = .signed(start.timestamp, days: days)
        case .trialRefused:
            if case .local(let start, _) = trial { trial = .signed(start, days: 0) }
        case .terms(let told): terms = told
        case .activationRefused: break
        }
    }

    /// Records that the person started a trial that only the device knows about.
    mutating func startedLocalTrial(at reading: ClockReading, days: Int) {
        guard case .none = trial else { return }
        trial = .local(time(at: reading).time, days: days)
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

    /// Applies the state table row by row.
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
        case .local(let began, let compiled): (start, days) = (began, terms?.trialDays ?? compiled)
        case .signed(let began, let signed): (start, days) = (began, signed)
        }
        let gone = max(0, now.seconds - start.seconds) / 86_400
        return max(0, days - Int(gone))
    }

    /// Returns the current time: the latest known instant plus uptime. After a restart, the wall clock counts, but
    /// never as earlier than that instant.
    func time(at reading: ClockReading) -> (time: Timestamp, isHonest: Bool) {
        let wall = reading.wall.timestamp.seconds
        guard let last = instants.last else { return (reading.wall.timestamp, true) }
        var floor = last.time.seconds
        let isSameBoot = last.reading.boot == reading.boot
        if isSameBoot { floor += reading.uptime - last.reading.uptime }
        let believable = [wall, wall + wallError].filter { $0 >= floor - 3_600 }
        guard let first = believable.min() else { return (Timestamp(seconds: floor), false) }
        return (Timestamp(seconds: isSameBoot ? floor : max(floor, first)), true)
    }
}
