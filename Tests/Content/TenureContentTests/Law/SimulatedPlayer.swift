import TenureContent
import TenureCore

/// A player on a device with a simulated clock. It meters by the production rules and separately counts what really
/// happened.
struct SimulatedPlayer {
    var grant: ContentGrant
    var ledger: ContentLedger
    var now: Timestamp
    /// Milliseconds past `now`.
    private var millis: Int64 = 0
    private var nextSession: UInt64 = 1
    /// Milliseconds of media, and of time spent playing, that really passed.
    private(set) var rendered: Int64 = 0
    private(set) var played: Int64 = 0

    init(_ grant: ContentGrant, at now: Timestamp = GivenContent.now) {
        self.grant = grant
        self.now = now
        ledger = ContentLedger(grant)
    }

    var isOpen: Bool { ledger.sessions.last?.state == .playing || ledger.sessions.last?.state == .paused }

    /// Opens the player. Returns false if the rules refuse it.
    @discardableResult mutating func open() -> Bool {
        nextSession += 1
        guard
            let opened = ledger.opening(GivenContent.session(nextSession), under: grant, at: ContentStatus.Moment(now))
                .outcome
        else { return false }
        ledger = opened
        return true
    }

    /// Plays for this many milliseconds, reporting every five seconds, until the rules stop it.
    mutating func play(millis whole: Int64, permille speed: Int64 = 1_000) {
        if !isOpen, !open() { return }
        ledger.resume(at: now)
        var left = whole
        repeat {
            guard case .goesOn = grant.goingOn(of: ledger, at: ContentStatus.Moment(now)) else {
                ledger.rest(at: now)
                return
            }
            let step = min(left, 5_000)
            wait(millis: step)
            left -= step
            rendered += step * speed / 1_000
            played += step
            ledger.beat(wall: step, rendered: step * speed / 1_000, under: grant, at: now)
        } while left > 0
    }

    mutating func picture() { ledger.beat(wall: 0, rendered: 0, under: grant, at: now) }

    mutating func wait(millis more: Int64) {
        millis += more
        now = now.adding(seconds: millis / 1_000)
        millis %= 1_000
    }

    mutating func renew(_ change: (inout ContentTerms) -> Void = { _ in }) {
        var terms = grant.terms
        change(&terms)
        grant = ContentGrant(
            tenant: grant.tenant, license: grant.license, enrolment: grant.enrolment, content: grant.content,
            device: grant.device, request: "r", version: grant.version + 1, issuedAt: now, terms: terms,
            settled: ledger.sequence)
        ledger.adopt(grant)
        goOnPlaying()
    }

    /// Continues an open play under the newest version, as a device does at once, because a pause may be long.
    mutating func goOnPlaying() {
        let state = ledger.sessions.last?.state
        guard isOpen, ledger.sessions.last?.version != grant.version else { return }
        guard open() else { return ledger.rest(at: now) }
        if state == .paused { ledger.pause(at: now) }
    }
}
