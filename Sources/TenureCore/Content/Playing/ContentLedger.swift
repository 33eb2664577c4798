/// Why a content no longer plays, whatever its limits are: the server said so under its signature.
public enum ContentStop: String, Sendable, Hashable, CaseIterable {
    /// The operator had it deleted: the media file goes too.
    case deleted
    /// The operator took the license back, finally.
    case revoked
    /// The license was given back.
    case returned
    /// The device was released, from another one or by the operator.
    case released
    /// The operator let it expire.
    case expired

    /// Which is told and kept when there are several: the most final one.
    func isStronger(than other: ContentStop?) -> Bool {
        guard let other else { return true }
        let order = Self.allCases
        return order.firstIndex(of: self) ?? 0 < order.firstIndex(of: other) ?? 0
    }
}

/// What a device has used of a license, and what it was told of it.
///
/// It belongs to one device and one license. Its acts answer what is to be written down before anything goes on.
public struct ContentLedger: Sendable, Hashable {
    /// The newest version of the grant that was taken in.
    public private(set) var version: Int64
    /// The first version whose use counts now.
    public private(set) var countsFrom: Int64
    /// Rises with every change.
    public private(set) var sequence: Int64
    /// When it was first played under what counts now; nil when it was not.
    public private(set) var firstPlayAt: Timestamp?
    /// What was used by sessions that are no longer kept here.
    public private(set) var carried: ContentUse
    /// The sessions that are kept, the present one last.
    public private(set) var sessions: [PlaySession]
    /// Why it no longer plays; nil while nobody has said so.
    public private(set) var stop: ContentStop?

    /// Begins the ledger of a grant.
    ///
    /// When it was first played is lost with a ledger; the window then began with the grant.
    /// - Parameter used: What the server says was used already: not nothing, where the ledger was lost.
    public init(_ grant: ContentGrant, used: ContentUse = .none) {
        version = grant.version
        countsFrom = grant.version
        sequence = grant.settled
        carried = used
        firstPlayAt = used == .none ? nil : grant.issuedAt
        sessions = []
    }

    /// Puts a ledger together from what a device keeps. It decides nothing.
    public init(
        version: Int64, countsFrom: Int64, sequence: Int64, firstPlayAt: Timestamp?, carried: ContentUse,
        sessions: [PlaySession], stop: ContentStop?
    ) {
        self.version = version
        self.countsFrom = countsFrom
        self.sequence = sequence
        self.firstPlayAt = firstPlayAt
        self.carried = carried
        self.sessions = sessions
        self.stop = stop
    }

    /// What counts against the limits.
    public var used: ContentUse {
        sessions.reduce(carried) { $1.version >= countsFrom ? $0 + $1.use : $0 }
    }

    /// What is left of the plays; nil without a limit.
    public func playsLeft(of terms: ContentTerms) -> Int? { terms.plays.map { max(0, $0 - used.plays) } }

    /// What is left of the play time, in seconds; nil without a limit.
    public func secondsLeft(of terms: ContentTerms) -> Int64? {
        terms.playSeconds.map { max(0, $0 - used.playSeconds) }
    }

    /// When the window from the first play ends; nil when it has not begun, or there is none.
    public func windowEnd(of terms: ContentTerms) -> Timestamp? {
        guard let firstPlayAt, let length = terms.windowAfterFirstPlay else { return nil }
        return firstPlayAt.adding(seconds: length)
    }

    /// The session that a play now would go on with, without another play being used.
    public func sessionToGoOn(under terms: ContentTerms, at now: Timestamp) -> PlaySession? {
        guard let last = sessions.last, last.version == version || last.isCounted || last.isPaid,
            last.canGoOn(under: terms, at: now)
        else { return nil }
        return last
    }

    /// When the last play of all can no longer be gone on with; nil while plays are left, or it is open.
    func lastPlayEnds(under terms: ContentTerms) -> Timestamp? {
        guard playsLeft(of: terms) == 0, case .resting(let since) = sessions.last?.state else { return nil }
        return since.adding(seconds: terms.resumeWithinSeconds)
    }

    /// What the last session may still be charged, in milliseconds; nil without a limit.
    private func millisLeft(of terms: ContentTerms) -> Int64? {
        guard let limit = terms.playSeconds, let last = sessions.last else { return nil }
        let others = used.playSeconds - (last.version >= countsFrom ? last.use.playSeconds : 0)
        return max(0, limit - others) * 1_000 - last.chargedMillis
    }
}

extension ContentLedger {
    /// Opens a play, or goes on with the present one; it costs nothing until its first picture.
    ///
    /// A play that began under an earlier version and goes on is a session of its own, whose seconds are charged to the
    /// new version, and which does not count again.
    /// - Parameter id: The name of a new session, if there has to be one.
    public func opening(
        _ id: PlaySessionID, under grant: ContentGrant, at moment: ContentMoment
    ) -> Decision<ContentLedger> {
        if let refusal = Refusal(grant.status(of: self, at: moment).reasons) { return .refused(refusal) }
        var ledger = self
        let last = sessionToGoOn(under: grant.terms, at: moment.now)
        if last?.version == version {
            ledger.changeLast {
                $0.state = .playing; $0.lastBeatAt = max($0.lastBeatAt, moment.now)
            }
            return .granted(ledger)
        }
        ledger.rest(at: moment.now)
        ledger.sessions.removeAll { $0.startedAt == nil }
        ledger.sessions.append(
            PlaySession(id: id, version: version, isPaid: last != nil, lastBeatAt: moment.now))
        ledger.changeLast { _ in }
        return .granted(ledger)
    }

    /// Takes in what was played since the last beat; see ``PlaySession/beat(wall:rendered:left:under:at:)``. Nothing is
    /// charged unless the last session is playing.
    public mutating func beat(wall: Int64, rendered: Int64, under grant: ContentGrant, at now: Timestamp) {
        guard grant.version == version, sessions.last?.state == .playing else { return }
        let left = millisLeft(of: grant.terms)
        changeLast { $0.beat(wall: wall, rendered: rendered, left: left, under: grant.terms, at: now) }
        if firstPlayAt == nil { firstPlayAt = sessions.last?.startedAt }
    }

    /// Holds the play: until it goes on, nothing is charged.
    public mutating func pause(at now: Timestamp) {
        guard sessions.last?.state == .playing else { return }
        changeLast {
            $0.state = .paused; $0.lastBeatAt = max($0.lastBeatAt, now)
        }
    }

    /// Goes on with a play that was held.
    public mutating func resume(at now: Timestamp) {
        guard sessions.last?.state == .paused else { return }
        changeLast {
            $0.state = .playing; $0.lastBeatAt = max($0.lastBeatAt, now)
        }
    }

    /// Closes the player: the play may be gone on with for as long as the terms let it.
    public mutating func rest(at now: Timestamp) {
        guard let last = sessions.last, last.state == .playing || last.state == .paused else { return }
        changeLast { $0.state = .resting(since: max($0.lastBeatAt, now)) }
    }

    /// Closes what a fall of the program left open; see ``PlaySession/recover(left:under:at:)``. Once is enough.
    public mutating func recover(under grant: ContentGrant, at now: Timestamp) {
        guard let last = sessions.last, last.state == .playing || last.state == .paused else { return }
        let left = millisLeft(of: grant.terms)
        changeLast { $0.recover(left: left, under: grant.terms, at: now) }
    }

    /// Takes in a later version; one that is not later changes nothing.
    ///
    /// An open play rests, to be opened again under the new version; what it used so far stays with the old one.
    public mutating func adopt(_ grant: ContentGrant, at now: Timestamp) {
        guard grant.version > version else { return }
        rest(at: now)
        version = grant.version
        stop = nil
        if grant.terms.ledger == .reset {
            countsFrom = grant.version
            carried = .none
            firstPlayAt = nil
        }
        sequence += 1
    }

    /// Whether the server has settled changes that this ledger does not have: it was put back, or lost.
    public func isBehind(_ settled: Int64) -> Bool { sequence < settled }

    /// Takes over what the server knows of use, where that is more than is known here.
    /// - Parameters:
    ///   - settled: The highest sequence that the server has received.
    ///   - grant: The present one, which the window begins with where the first play is not known here.
    public mutating func take(_ told: ContentUse, settled: Int64, under grant: ContentGrant) {
        let used = used
        let more = ContentUse(plays: told.plays - used.plays, playSeconds: told.playSeconds - used.playSeconds)
            .orMore(.none)
        if more != .none, firstPlayAt == nil { firstPlayAt = grant.issuedAt }
        carried = carried + more
        sequence = max(sequence, settled)
    }

    /// Lets go of sessions that the server has settled and that will not go on; what they used stays.
    public mutating func settle(upTo settled: Int64, under terms: ContentTerms, at now: Timestamp) {
        sessions.removeAll { session in
            guard session.sequence <= settled, !session.canGoOn(under: terms, at: now) else { return false }
            if session.version >= countsFrom { carried = carried + session.use }
            return true
        }
    }

    /// Takes in that the server stopped it; a weaker word than the one that is known changes nothing.
    public mutating func stop(_ stop: ContentStop, at now: Timestamp) {
        guard stop.isStronger(than: self.stop) else { return }
        rest(at: now)
        self.stop = stop
        sequence += 1
    }

    private mutating func changeLast(_ change: (inout PlaySession) -> Void) {
        guard !sessions.isEmpty else { return }
        sequence += 1
        change(&sessions[sessions.count - 1])
        sessions[sessions.count - 1].sequence = sequence
    }
}
