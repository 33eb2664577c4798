import TenureContent
import TenureCore

/// The use of a running play that isn't written to the ledger yet.
struct RunningMeter {
    let content: ContentID
    let events: AsyncStream<PlayEvent>.Continuation
    /// When use was last measured, in milliseconds; `nil` while paused and before the first frame.
    private var since: Int64?
    /// The real time for which the play ran, in milliseconds, as far as it isn't in the ledger.
    private(set) var wall: Int64 = 0
    /// The media that were rendered, in milliseconds, as far as they aren't in the ledger.
    private(set) var rendered: Int64 = 0
    /// Whether the first frame was shown.
    ///
    /// Before that, a play costs nothing.
    private(set) var isShown = false
    /// Whether the ledger records that the first frame was shown.
    private var isWritten = false
    /// Whether the play is paused.
    private(set) var isHeld = false
    /// The last warning that was sent, as one of ``warnings(of:)``; the largest integer before the first.
    var warned: Int64 = .max
    /// Whether a renewal during this play has started.
    var isRenewing = false

    /// How much unwritten use may accumulate before the play stops, in milliseconds.
    static let mostUnwritten: Int64 = 30_000
    /// The warning times in seconds before the end, shortest first.
    ///
    /// They are 60 and 300 seconds. For a short play, they are a quarter and half of its length.
    static func warnings(of whole: Int64) -> [Int64] { [min(60, whole / 4), min(300, whole / 2)] }

    init(_ content: ContentID, _ events: AsyncStream<PlayEvent>.Continuation) {
        self.content = content
        self.events = events
    }

    /// Adds rendered milliseconds and the elapsed time; while paused, it adds nothing.
    ///
    /// If no report came for longer than ``PlaySession/beatSeconds``, the app or system slept. Then at most that time
    /// is charged, unless more was rendered.
    mutating func show(rendered more: Int64, at now: Int64) {
        isShown = true
        guard !isHeld else { return }
        if let since { wall += min(max(0, now - since), max(PlaySession.beatSeconds * 1_000, more)) }
        since = now
        rendered += more
    }

    /// Stops measuring when the play pauses or ends.
    mutating func hold() {
        since = nil
        isHeld = true
    }

    /// Starts measuring again at a time in milliseconds.
    mutating func goOn(at now: Int64) {
        isHeld = false
        if isShown { since = now }
    }

    /// Clears the unwritten use, which the given ledger now contains.
    mutating func write(into ledger: ContentLedger) {
        (wall, rendered) = (0, 0)
        isWritten = ledger.sessions.last?.startedAt != nil
    }

    /// Resets the warnings after a renewal and sends the event ``PlayEvent/renewed``.
    mutating func renew() {
        (warned, isRenewing) = (.max, false)
        events.yield(.renewed)
    }

    /// Whether the unwritten use should be written now, given the remaining play time in milliseconds.
    func isDue(left: Int64?, basis: ContentTerms.Basis) -> Bool {
        let charged = basis == .media ? rendered : wall
        return !isWritten || wall >= PlaySession.beatSeconds * 1_000 || left.map { charged >= $0 } ?? false
    }
}

extension ContentGrant {
    /// How many seconds remain until the play stops without a renewal, and how many there were in total.
    ///
    /// The result is `nil` if nothing stops the play.
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
