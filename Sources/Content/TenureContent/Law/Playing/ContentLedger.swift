public import TenureCore

extension ContentLedger {
    /// Why the server stopped a content license, whatever its limits allow.
    ///
    /// The device learns the reason from a signed response.
    public enum Stop: String, Sendable, Hashable, CaseIterable {
        /// The operator deleted the license, so the media file is deleted, too.
        case deleted
        /// The operator revoked the license for good.
        case revoked
        /// The holder returned the license for good.
        case returned
        /// The device was released, by the holder or by the operator.
        case released
        /// The operator ended the license; it can be reset.
        case expired

        /// Whether this stop takes precedence over an earlier one; always true if there was none before.
        ///
        /// The order of the cases decides: the first one is reported and stored.
        func isStronger(than other: ContentLedger.Stop?) -> Bool {
            guard let other else { return true }
            let order = Self.allCases
            return order.firstIndex(of: self) ?? 0 < order.firstIndex(of: other) ?? 0
        }
    }
}

/// A device's record of the use of one license, and of the server's stops and versions.
///
/// It belongs to one device and one license. Every change must be stored before playback continues.
public struct ContentLedger: Sendable, Hashable {
    /// The newest version of the grant that the device has adopted.
    public private(set) var version: Int64
    /// The first version whose use counts towards the current limits.
    public private(set) var countsFrom: Int64
    /// A number that grows with every change, so that the server can tell which reports are newer.
    public private(set) var sequence: Int64
    /// When the content was first played under the versions from ``countsFrom`` on; `nil` if it wasn't.
    package private(set) var firstPlay: DeviceTime?
    /// The use by sessions that have been removed from ``sessions``, as far as it counts towards the current limits.
    public private(set) var carried: ContentUse
    /// The sessions that may still be continued or reported; the current one is the last.
    public private(set) var sessions: [PlaySession]
    /// Why the server stopped the license; `nil` if it didn't.
    public private(set) var stop: ContentLedger.Stop?

    /// Creates the ledger of a grant.
    ///
    /// A lost ledger's time of first play can't be restored, so the time window then starts with the grant.
    ///
    /// - Parameters:
    ///   - used: The use that the server has counted; other than ``ContentUse/none`` only if an earlier ledger was
    ///     lost.
    ///   - settled: The highest sequence number that the server received, if that's more than the grant says.
    public init(_ grant: ContentGrant, used: ContentUse = .none, settled: Int64 = 0) {
        version = grant.version
        countsFrom = grant.version
        sequence = max(grant.settled, settled)
        carried = used
        firstPlay = used == .none ? nil : DeviceTime(grant.issuedAt)
        sessions = []
    }

    /// Creates a ledger from a stored record without checking any rule.
    package init(
        version: Int64, countsFrom: Int64, sequence: Int64, firstPlay: DeviceTime?, carried: ContentUse,
        sessions: [PlaySession], stop: ContentLedger.Stop?
    ) {
        self.version = version
        self.countsFrom = countsFrom
        self.sequence = sequence
        self.firstPlay = firstPlay
        self.carried = carried
        self.sessions = sessions
        self.stop = stop
    }

    /// When the content was first played under the versions from ``countsFrom`` on, in the device's trusted time; `nil`
    /// if it wasn't.
    public var firstPlayAt: Timestamp? { firstPlay?.time }

    /// The use that counts towards the limits of the current version.
    public var used: ContentUse {
        sessions.reduce(carried) { $1.version >= countsFrom ? $0 + $1.use : $0 }
    }

    /// The plays left; `nil` if there is no limit.
    public func playsLeft(of terms: ContentTerms) -> Int? { terms.plays.map { max(0, $0 - used.plays) } }

    /// The play time left, in seconds; `nil` if there is no limit.
    public func secondsLeft(of terms: ContentTerms) -> Int64? {
        terms.playSeconds.map { max(0, $0 - used.playSeconds) }
    }

    /// When the time allowed after the first play ends; `nil` if it hasn't started or there is no such limit.
    public func windowEnd(of terms: ContentTerms) -> Timestamp? {
        guard let firstPlayAt, let length = terms.windowAfterFirstPlay else { return nil }
        return firstPlayAt.adding(seconds: length)
    }

    /// The session that a play would continue now without counting as another play; `nil` if there isn't one.
    public func sessionToGoOn(under terms: ContentTerms, at now: Timestamp) -> PlaySession? {
        guard let last = sessions.last, last.version == version || last.isCounted || last.isPaid,
            last.canGoOn(under: terms, at: now)
        else { return nil }
        return last
    }

    /// When the last allowed play can no longer be continued.
    ///
    /// The result is `nil` while plays are left or the last play is open.
    func lastPlayEnds(under terms: ContentTerms) -> Timestamp? {
        guard playsLeft(of: terms) == 0, case .resting(let since) = sessions.last?.state else { return nil }
        return since.adding(seconds: terms.resumeWithinSeconds)
    }

    /// How much the last session may still be charged, in milliseconds; `nil` without a limit or a session.
    private func millisLeft(of terms: ContentTerms) -> Int64? {
        guard let limit = terms.playSeconds, let last = sessions.last else { return nil }
        let others = used.playSeconds - (last.version >= countsFrom ? last.use.playSeconds : 0)
        return max(0, limit - others) * 1_000 - last.chargedMillis
    }
}

extension ContentLedger {
    /// Returns the ledger with a new or continued play, which isn't charged until its first picture.
    ///
    /// If a play from an earlier version continues, it becomes a new session. Its seconds are charged to the new
    /// version, but it doesn't count as another play.
    ///
    /// - Parameter id: The id of the new session, if one is needed.
    public func opening(
        _ id: PlaySessionID, under grant: ContentGrant, at instant: ContentStatus.Moment
    ) -> Decision<ContentLedger> {
        if let refusal = Refusal(grant.status(of: self, at: instant).reasons) { return .refused(refusal) }
        var ledger = self
        let last = sessionToGoOn(under: grant.terms, at: instant.now)
        if last?.version == version {
            ledger.changeLast {
                $0.state = .playing; $0.lastBeatAt = max($0.lastBeatAt, instant.now)
            }
            return .granted(ledger)
        }
        ledger.rest(at: instant.now)
        ledger.sessions.removeAll { $0.startedAt == nil }
        ledger.sessions.append(
            PlaySession(id: id, version: version, isPaid: last != nil, lastBeatAt: instant.now))
        ledger.changeLast { _ in }
        return .granted(ledger)
    }

    /// Charges what was played since the last beat, a progress report of the player.
    ///
    /// Nothing is charged unless the last session is playing. For the parameters, see
    /// ``PlaySession/beat(wall:rendered:left:under:at:)``.
    ///
    /// - Parameter ran: How long the device has run, in seconds; `nil` if that isn't known.
    public mutating func beat(
        wall: Int64, rendered: Int64, under grant: ContentGrant, at now: Timestamp, ran: Int64? = nil
    ) {
        guard grant.version == version, let last = sessions.last, last.version == version, last.state == .playing
        else { return }
        let left = millisLeft(of: grant.terms)
        changeLast { $0.beat(wall: wall, rendered: rendered, left: left, under: grant.terms, at: now) }
        if firstPlay == nil { firstPlay = sessions.last?.startedAt.map { DeviceTime($0, ran: ran) } }
    }

    /// Pauses the play; nothing is charged until it resumes.
    public mutating func pause(at now: Timestamp) {
        guard sessions.last?.state == .playing else { return }
        changeLast {
            $0.state = .paused; $0.lastBeatAt = max($0.lastBeatAt, now)
        }
    }

    /// Resumes a paused play; in any other state, nothing changes.
    public mutating func resume(at now: Timestamp) {
        guard sessions.last?.state == .paused else { return }
        changeLast {
            $0.state = .playing; $0.lastBeatAt = max($0.lastBeatAt, now)
        }
    }

    /// Closes the player; the play may be continued for as long as the terms allow.
    public mutating func rest(at now: Timestamp) {
        guard let last = sessions.last, last.state == .playing || last.state == .paused else { return }
        changeLast { $0.state = .resting(since: max($0.lastBeatAt, now)) }
    }

    /// Closes a session that a crash left open; see ``PlaySession/recover(left:under:at:)``.
    ///
    /// Calling it again changes nothing.
    public mutating func recover(under grant: ContentGrant, at now: Timestamp) {
        guard let last = sessions.last, last.state == .playing || last.state == .paused else { return }
        let left = millisLeft(of: grant.terms)
        changeLast { $0.recover(left: left, under: grant.terms, at: now) }
    }

    /// Adopts a newer version of the grant; an older or equal version changes nothing.
    ///
    /// A play that is open stays open, however short the time is in which a closed play can be continued. The next
    /// ``opening(_:under:at:)`` continues it under the new version. The use up to then belongs to the old version.
    public mutating func adopt(_ grant: ContentGrant) {
        guard grant.version > version else { return }
        version = grant.version
        stop = nil
        if grant.terms.ledger == .reset {
            countsFrom = grant.version
            carried = .none
            firstPlay = nil
        }
        sequence += 1
    }

    /// Whether the server has received changes that this ledger lacks, because it was restored from a backup or lost.
    public func isBehind(_ settled: Int64) -> Bool { sequence < settled }

    /// Adds use that the server has counted and this ledger lacks.
    ///
    /// - Parameters:
    ///   - settled: The highest sequence that the server has received.
    ///   - grant: The current grant. The time allowed after the first play starts with it if this ledger has no first
    ///     play.
    public mutating func take(_ use: ContentUse, settled: Int64, under grant: ContentGrant) {
        let used = used
        let more = ContentUse(plays: use.plays - used.plays, playSeconds: use.playSeconds - used.playSeconds)
            .orMore(.none)
        if more != .none, firstPlay == nil { firstPlay = DeviceTime(grant.issuedAt) }
        carried = carried + more
        sequence = max(sequence, settled)
    }

    /// Removes the sessions that the server has received and that can't be continued; ``used`` still includes their
    /// use.
    public mutating func settle(upTo settled: Int64, under terms: ContentTerms, at now: Timestamp) {
        sessions.removeAll { session in
            guard session.sequence <= settled, !session.canGoOn(under: terms, at: now) else { return false }
            if session.version >= countsFrom { carried = carried + session.use }
            return true
        }
    }

    /// Records that the server stopped the license; a less final stop than the recorded one changes nothing.
    public mutating func stop(_ stop: ContentLedger.Stop, at now: Timestamp) {
        guard stop.isStronger(than: self.stop) else { return }
        rest(at: now)
        self.stop = stop
        sequence += 1
    }

    /// Corrects the times that the device wrote while its clock was ahead.
    ///
    /// Without this, a play could be continued, and the time after the first play would last, until the true time
    /// reaches the wrong one.
    package mutating func correct(by check: TimeCheck) {
        firstPlay = firstPlay?.corrected(by: check)
        for (index, session) in sessions.enumerated() {
            // Assigning copies the array, which costs memory in a ledger of thousands of licenses.
            let corrected = session.corrected(by: check)
            if corrected != session { sessions[index] = corrected }
        }
    }

    private mutating func changeLast(_ change: (inout PlaySession) -> Void) {
        guard !sessions.isEmpty else { return }
        sequence += 1
        change(&sessions[sessions.count - 1])
        sessions[sessions.count - 1].sequence = sequence
    }
}
