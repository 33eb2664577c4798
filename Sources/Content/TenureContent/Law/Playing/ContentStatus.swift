public import TenureCore

extension ContentStatus {
    /// A device's trusted time (`Documentation/time.md`), whether its clock was set back, and when a server last signed
    /// the time.
    public struct Moment: Sendable, Hashable {
        /// The trusted time; if the clock was set back, the earliest that the true time can be.
        public let now: Timestamp
        /// Whether the clock was set back, so that the current time is unknown.
        public let isSetBack: Bool
        /// When a server last signed the time, in trusted time; `nil` if it never did.
        public let signedAt: Timestamp?

        /// How long a signed time proves that the server can be reached, in seconds.
        public static let onlineSeconds: Int64 = 60

        /// Creates a moment from its parts.
        public init(_ now: Timestamp, isSetBack: Bool = false, signedAt: Timestamp? = nil) {
            self.now = now
            self.isSetBack = isSetBack
            self.signedAt = signedAt
        }

        /// Until when the last signed time proves that the server can be reached; `nil` if that proof is missing or has
        /// expired.
        public var onlineUntil: Timestamp? {
            guard let end = signedAt?.adding(seconds: Self.onlineSeconds), now < end else { return nil }
            return end
        }
    }
}

/// The status of a downloaded content item: the first case below that applies.
public enum ContentStatus: String, Sendable, Hashable, CaseIterable {
    /// The server stopped the license, for the reason that the case names.
    case deleted, revoked, returned, expired
    /// The grant's start date hasn't come yet.
    case notYetValid
    /// The grant's end date has passed.
    case dateOver
    /// The time allowed after the first play has passed.
    case windowOver
    /// All plays of the grant have been used.
    case playsUsedUp
    /// All play time of the grant has been used.
    case playTimeUsedUp
    /// The date by which the device had to contact the server has passed.
    case checkInOverdue
    /// The content plays only while the server can be reached, and the server can't be reached now.
    case onlineNeeded
    /// The clock was set back, so that a date limit can't be checked.
    case clockSetBack
    /// The content can be played, and a renewal is due.
    case renewalDue
    /// The content can be played, and no renewal is due.
    case valid

    /// Whether content with this status can be played.
    public var isPlayable: Bool { self == .valid || self == .renewalDue }
}

extension ContentStatus {
    /// A downloaded content item's status at a time, with all reasons.
    public struct Evaluation: Sendable, Hashable {
        /// The first status that applies, in the order of the cases.
        public let status: ContentStatus
        /// Every reason why the content can't be played, in the order of the statuses; empty if it can.
        public let reasons: [Reason]
        /// Whether a renewal is due, because a limit or the date for it has been reached.
        public let isDue: Bool
        /// Until when the content can be played without contacting the server; used-up play time may end it sooner.
        public let reach: ContentGrant.PlayableReach
        /// The plays left; `nil` if there is no limit.
        public let playsLeft: Int?
        /// The play time left, in seconds; `nil` if there is no limit.
        public let secondsLeft: Int64?
        /// When the status, the reasons or ``isDue`` change without anyone acting; `nil` if they don't.
        public let nextChangeAt: Timestamp?
    }
}

extension ContentGrant {
    /// Computes the status from the grant, the recorded use and the time.
    public func status(of ledger: ContentLedger, at instant: ContentStatus.Moment) -> ContentStatus.Evaluation {
        let facts = obstacles(ledger, at: instant)
        let window = ledger.windowEnd(of: terms)
        let online = terms.onlineRequired ? instant.onlineUntil : nil
        let reach: ContentGrant.PlayableReach =
            facts.status.isPlayable
            ? [terms.expiresAt, window, terms.checkInBy, online, ledger.lastPlayEnds(under: terms)].compactMap(\.self)
                .min().map { .until($0) }
                ?? .unlimited
            : .nothing
        return ContentStatus.Evaluation(
            status: facts.status, reasons: facts.isEmpty ? [] : reasons(facts, ledger, instant),
            isDue: facts.contains(.due), reach: reach, playsLeft: ledger.playsLeft(of: terms),
            secondsLeft: ledger.secondsLeft(of: terms), nextChangeAt: change(from: facts, ledger, instant))
    }

    /// Returns every status that applies at a time.
    private func obstacles(_ ledger: ContentLedger, at instant: ContentStatus.Moment) -> Facts {
        var facts: Facts = []
        let now = instant.now
        switch ledger.stop {
        case nil: break
        case .deleted: facts.insert(.deleted)
        case .revoked: facts.insert(.revoked)
        case .returned, .released: facts.insert(.returned)
        case .expired: facts.insert(.expired)
        }
        if let start = terms.notBefore, now < start { facts.insert(.notYetValid) }
        if let end = terms.expiresAt, now >= end { facts.insert(.dateOver) }
        if let end = ledger.windowEnd(of: terms), now >= end { facts.insert(.windowOver) }
        if let limit = terms.plays, ledger.used.plays >= limit {
            facts.insert(.due)
            if ledger.sessionToGoOn(under: terms, at: now) == nil { facts.insert(.playsUsedUp) }
        }
        if ledger.secondsLeft(of: terms) == 0 { facts.insert(.playTimeUsedUp) }
        if let end = terms.checkInBy, now >= end { facts.insert(.checkInOverdue) }
        if terms.onlineRequired, instant.onlineUntil == nil { facts.insert(.onlineNeeded) }
        if instant.isSetBack, terms.hasDate { facts.insert(.clockSetBack) }
        if !facts.isDisjoint(with: .limits) { facts.insert(.due) }
        if let from = terms.renewFrom, now >= from { facts.insert(.due) }
        return facts
    }

    /// Returns the next time at which other statuses apply; `nil` if there isn't one.
    private func change(from facts: Facts, _ ledger: ContentLedger, _ instant: ContentStatus.Moment) -> Timestamp? {
        var moments = [
            terms.notBefore, terms.expiresAt, ledger.windowEnd(of: terms), terms.checkInBy, terms.renewFrom,
            terms.onlineRequired ? instant.onlineUntil : nil,
        ].compactMap(\.self)
        if let end = ledger.lastPlayEnds(under: terms) { moments.append(end) }
        return moments.filter { $0 > instant.now }.sorted().first { later in
            let then = ContentStatus.Moment(later, isSetBack: instant.isSetBack, signedAt: instant.signedAt)
            return obstacles(ledger, at: then) != facts
        }
    }

    private func reasons(_ facts: Facts, _ ledger: ContentLedger, _ instant: ContentStatus.Moment) -> [Reason] {
        var reasons: [Reason] = []
        if let stop = ledger.stop { reasons.append(.contentStopped(stop)) }
        if facts.contains(.notYetValid), let start = terms.notBefore { reasons.append(.grantNotStarted(start)) }
        if facts.contains(.dateOver), let end = terms.expiresAt { reasons.append(.grantExpired(end)) }
        if facts.contains(.windowOver), let end = ledger.windowEnd(of: terms) {
            reasons.append(.playWindowOver(end, under: terms.ledger))
        }
        if facts.contains(.playsUsedUp), let plays = terms.plays {
            reasons.append(.playsUsedUp(ledger.used.plays, of: plays))
        }
        if facts.contains(.playTimeUsedUp), let seconds = terms.playSeconds {
            reasons.append(.playTimeUsedUp(ledger.used.playSeconds, of: seconds))
        }
        if facts.contains(.checkInOverdue), let end = terms.checkInBy { reasons.append(.checkInOverdue(end)) }
        if facts.contains(.onlineNeeded) { reasons.append(.onlineNeeded(instant.signedAt)) }
        if facts.contains(.clockSetBack) { reasons.append(.contentClockSetBack(atLeast: instant.now)) }
        return reasons
    }
}

extension ContentTerms {
    /// Whether any limit is a date or turns into a date at the first play.
    var hasDate: Bool { notBefore != nil || expiresAt != nil || windowAfterFirstPlay != nil || checkInBy != nil }
}

/// The statuses that apply to a content item, as bits in the order of ``ContentStatus``.
private struct Facts: OptionSet {
    let rawValue: UInt16

    static let deleted = at(.deleted), revoked = at(.revoked), returned = at(.returned), expired = at(.expired)
    static let notYetValid = at(.notYetValid), dateOver = at(.dateOver), windowOver = at(.windowOver)
    static let playsUsedUp = at(.playsUsedUp), playTimeUsedUp = at(.playTimeUsedUp)
    static let checkInOverdue = at(.checkInOverdue), onlineNeeded = at(.onlineNeeded)
    static let clockSetBack = at(.clockSetBack), due = at(.renewalDue)
    static let limits: Facts = [dateOver, windowOver, playsUsedUp, playTimeUsedUp, checkInOverdue]

    // Computed once, because every item of a list needs it.
    private static let order = ContentStatus.allCases

    private static func at(_ status: ContentStatus) -> Facts {
        Facts(rawValue: 1 << UInt16(order.firstIndex(of: status) ?? 15))
    }

    /// The first status that applies.
    var status: ContentStatus {
        isEmpty ? .valid : Self.order[min(rawValue.trailingZeroBitCount, Self.order.count - 1)]
    }
}
