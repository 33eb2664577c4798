/// The license of one content on one device of a holder: the server's record behind its grants.
public struct ContentLicense: Sendable, Hashable, Numbered {
    /// Content licenses are written `clc_` and 13 digits.
    public static let namePrefix = "clc_"

    /// Where it stands. Limits that are used up or over are reasons, not states.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// Nothing stops it.
        case active
        /// The operator ended it; a reset opens it again.
        case expired
        /// The operator had it deleted from the device; a reset opens it again.
        case deleted
        /// The operator took it back, finally.
        case revoked
        /// It was given back, or its device released, finally.
        case returned
    }

    /// Its name.
    public let id: ContentLicenseID
    /// Whose right it is.
    public let holder: String
    /// The enrolment that it hangs on now; the present grant may still name the one before.
    public internal(set) var enrolment: EnrolmentID
    /// The newest version of its limits.
    public internal(set) var present: ContentGrant
    /// Where it stands by acts.
    public internal(set) var state: State
    /// When it was stopped; nil while it is active.
    public internal(set) var stoppedAt: Timestamp?
    /// Whether it was returned by a release of its device.
    public internal(set) var isReleased: Bool
    /// Whether the operator opened it again, so that it is due whatever its limits say.
    public internal(set) var isReset: Bool
    /// The first version whose use counts against the present one.
    public internal(set) var countsFrom: Int64
    /// What was used of the versions that count.
    public internal(set) var used: ContentUse
    /// The highest version that the device has named, in a renewal, a report or a signed grant; 0 before the first.
    public internal(set) var confirmed: Int64
    /// The version whose answer never reached the device, which `maxRenewals` doesn't count; nil until that happens.
    /// At most one for each license.
    public internal(set) var uncounted: Int64?
    /// The highest sequence of the device's ledger that was received.
    public internal(set) var settled: Int64
    /// When it was first played under the versions that count; nil when that was not reported.
    public internal(set) var firstPlayAt: Timestamp?
    /// When the device had downloaded the content; nil when it did not say so.
    public internal(set) var downloadedAt: Timestamp?
    /// When its Kollus player reported that the download has expired; `nil` once it plays or is renewed again.
    public var playerExpiredAt: Timestamp?
    /// When the device last asked.
    public var lastSeenAt: Timestamp

    /// Puts a license together from what a store holds. It decides nothing.
    public init(
        id: ContentLicenseID, holder: String, enrolment: EnrolmentID, present: ContentGrant, state: State = .active,
        stoppedAt: Timestamp? = nil, isReleased: Bool = false, isReset: Bool = false, countsFrom: Int64,
        used: ContentUse = .none, confirmed: Int64 = 0, uncounted: Int64? = nil, settled: Int64 = 0,
        firstPlayAt: Timestamp? = nil, downloadedAt: Timestamp? = nil, playerExpiredAt: Timestamp? = nil,
        lastSeenAt: Timestamp
    ) {
        self.id = id
        self.holder = holder
        self.enrolment = enrolment
        self.present = present
        self.state = state
        self.stoppedAt = stoppedAt
        self.isReleased = isReleased
        self.isReset = isReset
        self.countsFrom = countsFrom
        self.used = used
        self.confirmed = confirmed
        self.uncounted = uncounted
        self.settled = settled
        self.firstPlayAt = firstPlayAt
        self.downloadedAt = downloadedAt
        self.playerExpiredAt = playerExpiredAt
        self.lastSeenAt = lastSeenAt
    }

    /// The newest version's number.
    public var version: Int64 { present.version }

    /// How many renewals count towards `maxRenewals`.
    public var renewals: Int64 { version - (uncounted == nil ? 1 : 2) }

    /// Whether the device reports what it uses. Kollus's player does not: it counts by itself and tells nobody.
    public var reportsUse: Bool { settled > 0 || !present.request.hasPrefix(ContentRequest.kollusPrefix) }

    /// What is left of the plays; nil without a limit.
    public var playsLeft: Int? { present.terms.plays.map { max(0, $0 - used.plays) } }

    /// What is left of the play time, in seconds; nil without a limit.
    public var secondsLeft: Int64? { present.terms.playSeconds.map { max(0, $0 - used.playSeconds) } }

    /// How long its device may play without asking, if it does not know that it was stopped.
    public var reach: PlayableReach {
        let window = firstPlayAt.flatMap { first in
            present.terms.windowAfterFirstPlay.map { first.adding(seconds: $0) }
        }
        switch (present.terms.reach, window) {
        case (.until(let end), .some(let window)): return .until(min(end, window))
        case (.unlimited, .some(let window)): return .until(window)
        case (let reach, _): return reach
        }
    }

    /// Why the server no longer gives anything for it; nil while it is active.
    public var stop: ContentStop? {
        switch state {
        case .active: nil
        case .expired: .expired
        case .deleted: .deleted
        case .revoked: .revoked
        case .returned: isReleased ? .released : .returned
        }
    }

    /// Whether nothing of it can be played any more without a new version: a limit is used up, or a date has passed.
    public func isOver(at now: Timestamp) -> Bool {
        playsLeft == 0 || secondsLeft == 0 || (reach.moment.map { now >= $0 } ?? false)
    }

    /// Whether a renewal is due: it is over, the time for one has come, or the operator opened it again.
    public func isDue(at now: Timestamp) -> Bool {
        isReset || isOver(at: now) || (present.terms.renewFrom.map { now >= $0 } ?? false)
    }

    func event(
        _ kind: EventKind, by actor: Actor, at now: Timestamp, _ facts: [Reason.Evidence] = []
    ) -> Event {
        let digits = Array("0123456789abcdef".utf8)
        let device = String(
            decoding: present.device.bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
        let own: [Reason.Evidence] = [
            .init("content", .text(present.content.text)), .init("device", .text(device)),
        ]
        let subject = Event.Subject(tenant: present.tenant, enrolment: enrolment, contentLicense: id)
        return Event(kind, at: now, actor: actor, about: subject, facts: own + facts)
    }
}

/// Names a content license.
public typealias ContentLicenseID = NumberedID<ContentLicense>

/// What a decision about content changes, to be saved in one transaction.
public struct ContentConsequences: Sendable, Hashable {
    /// The enrolment to save, when it changes or is new.
    public var enrolment: Enrolment?
    /// The licenses to save, new or changed.
    public var licenses: [ContentLicense]
    /// The places to save, new or changed.
    public var places: [EnrolmentPlace]
    /// The early takings of places to save, all new.
    public var takings: [EarlyTaking]
    /// What is to be recorded of it.
    public var events: [Event]

    /// Puts consequences together.
    public init(
        enrolment: Enrolment? = nil, licenses: [ContentLicense] = [], places: [EnrolmentPlace] = [],
        takings: [EarlyTaking] = [], events: [Event] = []
    ) {
        self.enrolment = enrolment
        self.licenses = licenses
        self.places = places
        self.takings = takings
        self.events = events
    }

    /// Nothing changes.
    public static let none = ContentConsequences()
}
