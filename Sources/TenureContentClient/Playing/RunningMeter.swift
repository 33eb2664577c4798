import TenureCore

/// What a running play has that is not written down yet.
struct RunningMeter {
    /// Which content.
    let content: ContentID
    /// Where it is told what happens.
    let events: AsyncStream<PlayEvent>.Continuation
    /// When the clock was looked at last, in milliseconds; nil while it is paused, or shows nothing yet.
    private var since: Int64?
    /// Milliseconds that passed while it was playing.
    private(set) var wall: Int64 = 0
    /// Milliseconds of media that were rendered.
    private(set) var rendered: Int64 = 0
    /// Whether its first picture was shown: before, it costs nothing, whatever is done to it.
    private(set) var isShown = false
    /// Whether its first picture is written down.
    private var isWritten = false
    /// Whether it is paused.
    private(set) var isHeld = false
    /// Whether it was told that the end is near: 300 s, then 60.
    var warned: Int64 = .max
    /// Whether a renewal behind it was begun.
    var isRenewing = false

    /// How long what cannot be written down may get, in milliseconds, before the play stops.
    static let mostUnwritten: Int64 = 30_000
    /// When an end is told beforehand, in seconds; where there was less from the beginning, half and a quarter of that.
    static func warnings(of whole: Int64) -> [Int64] { [min(60, whole / 4), min(300, whole / 2)] }

    init(_ content: ContentID, _ events: AsyncStream<PlayEvent>.Continuation) {
        self.content = content
        self.events = events
    }

    /// Takes in that it shows, and what was rendered since the last time, in milliseconds; nothing while it is paused.
    ///
    /// Where nothing was told for longer than a beat, the program or the system slept, and a beat is all that is charged
    /// of it, unless more was rendered.
    mutating func show(rendered more: Int64, at now: Int64) {
        isShown = true
        guard !isHeld else { return }
        if let since { wall += min(max(0, now - since), max(PlaySession.beatSeconds * 1_000, more)) }
        since = now
        rendered += more
    }

    /// It is paused, or ends.
    mutating func hold() {
        since = nil
        isHeld = true
    }

    /// It goes on at a moment, in milliseconds.
    mutating func goOn(at now: Int64) {
        isHeld = false
        if isShown { since = now }
    }

    /// What it had is in the ledger.
    mutating func write(into ledger: ContentLedger) {
        (wall, rendered) = (0, 0)
        isWritten = ledger.sessions.last?.startedAt != nil
    }

    /// It goes on under another version of its license.
    mutating func renew() {
        (warned, isRenewing) = (.max, false)
        events.yield(.renewed)
    }

    /// Whether what is not written down is to be, by the limits that are left in milliseconds.
    func isDue(left: Int64?, basis: ContentTerms.Basis) -> Bool {
        let charged = basis == .media ? rendered : wall
        return !isWritten || wall >= PlaySession.beatSeconds * 1_000 || left.map { charged >= $0 } ?? false
    }
}

extension ContentGrant {
    /// In how many seconds a running play stops if nothing is done, and how many there were from the beginning; nil when
    /// nothing stops it.
    func secondsToStop(_ ledger: ContentLedger, at now: Timestamp) -> (left: Int64, of: Int64)? {
        var ends: [(left: Int64, of: Int64)] = []
        if let left = ledger.secondsLeft(of: terms), let whole = terms.playSeconds {
            let pace = terms.playTimeBasis == .media ? max(1, ledger.sessions.last?.pace ?? 1_000) : 1_000
            ends.append((left * 1_000 / pace, whole * 1_000 / pace))
        }
        let date = [terms.expiresAt, ledger.windowEnd(of: terms), terms.checkInBy].compactMap(\.self).min()
        if let date, terms.whenOver != .finish {
            let end = terms.whenOver == .grace ? date.adding(seconds: terms.graceSeconds) : date
            ends.append((max(0, now.seconds(until: end)), issuedAt.seconds(until: end)))
        }
        return ends.min { $0.left < $1.left }
    }
}
