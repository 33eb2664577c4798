public import TenureCore

/// A content item's license on a device of a holder.
///
/// This is the server's record; the device gets signed versions of its limits (``ContentGrant``).
public struct ContentLicense: Sendable, Hashable {
    /// The state that acts by the operator, holder or device have set; a reached limit appears as a reason instead.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// In use; limits may still prevent playback.
        case active
        /// Ended by the operator, who can reset it.
        case expired
        /// Deleted from the device by the operator, who can reset it.
        case deleted
        /// Revoked by the operator; no act makes it active again.
        case revoked
        /// Returned for good, or its device was released.
        case returned
    }

    /// The id that every version of the license has in common.
    public let id: ContentLicenseID
    /// The vendor's id for the person who has the license.
    public let holder: String
    /// The enrolment that the license currently belongs to; the current grant may name an earlier one.
    public internal(set) var enrolment: EnrolmentID
    /// The newest version of the license's limits.
    public internal(set) var present: ContentGrant
    /// The state that acts have set; see ``stop`` for the reason.
    public internal(set) var state: State
    /// When the license was stopped; `nil` while it is active.
    public internal(set) var stoppedAt: Timestamp?
    /// Whether the license was returned because its device was released.
    public internal(set) var isReleased: Bool
    /// Whether the operator has reset the license, so that a renewal is due regardless of its limits.
    public internal(set) var isReset: Bool
    /// The first version whose use counts towards the current limits.
    public internal(set) var countsFrom: Int64
    /// The use under the versions from ``countsFrom`` on.
    public internal(set) var used: ContentUse
    /// The highest version that the device has named in a renewal, a report or a signed grant; 0 until then.
    public internal(set) var confirmed: Int64
    /// The version that doesn't count towards `maxRenewals`, because it never reached the device; `nil` if all count.
    ///
    /// At most one version of a license is excluded.
    public internal(set) var uncounted: Int64?
    /// The highest sequence received from the device's ledger.
    public internal(set) var settled: Int64
    /// The highest sequence among reported plays that the server stores only as part of ``used``; 0 without such plays.
    ///
    /// A report about an unknown play up to this sequence repeats one that has been counted.
    public internal(set) var summed: Int64 = 0
    /// When the content was first played under the versions from ``countsFrom`` on; `nil` if no such play was reported.
    public internal(set) var firstPlayAt: Timestamp?
    /// When the device reported the download as complete; `nil` if it hasn't.
    public internal(set) var downloadedAt: Timestamp?
    /// When the Kollus player reported the download as expired; `nil` again once it plays or is renewed.
    public var playerExpiredAt: Timestamp?
    /// When the device last sent a request.
    public var lastSeenAt: Timestamp

    /// Creates a license from a stored record without checking any rule.
    public init(
        id: ContentLicenseID, holder: String, enrolment: EnrolmentID, present: ContentGrant, state: State = .active,
        stoppedAt: Timestamp? = nil, isReleased: Bool = false, isReset: Bool = false, countsFrom: Int64,
        used: ContentUse = .none, confirmed: Int64 = 0, uncounted: Int64? = nil, settled: Int64 = 0,
        summed: Int64 = 0, firstPlayAt: Timestamp? = nil, downloadedAt: Timestamp? = nil,
        playerExpiredAt: Timestamp? = nil, lastSeenAt: Timestamp
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
        self.summed = summed
        self.firstPlayAt = firstPlayAt
        self.downloadedAt = downloadedAt
        self.playerExpiredAt = playerExpiredAt
        self.lastSeenAt = lastSeenAt
    }

    /// The number of the newest version, which starts at 1.
    public var version: Int64 { present.version }

    /// How many renewals count towards `maxRenewals`.
    public var renewals: Int64 { version - (uncounted == nil ? 1 : 2) }

    /// Whether the device reports its use; Kollus's player doesn't.
    public var reportsUse: Bool { settled > 0 || !present.request.hasPrefix(ContentRequest.kollusPrefix) }

    /// The plays left; `nil` if there is no limit.
    public var playsLeft: Int? { present.terms.plays.map { max(0, $0 - used.plays) } }

    /// The play time left, in seconds; `nil` if there is no limit.
    public var secondsLeft: Int64? { present.terms.playSeconds.map { max(0, $0 - used.playSeconds) } }

    /// How long the device may play without contacting the server, if it doesn't know that the license was stopped.
    public var reach: ContentGrant.PlayableReach {
        let window = firstPlayAt.flatMap { first in
            present.terms.windowAfterFirstPlay.map { first.adding(seconds: $0) }
        }
        switch (present.terms.reach, window) {
        case (.until(let end), .some(let window)): return .until(min(end, window))
        case (.unlimited, .some(let window)): return .until(window)
        case (let reach, _): return reach
        }
    }

    /// Why the license was stopped; `nil` while it is active.
    public var stop: ContentLedger.Stop? {
        switch state {
        case .active: nil
        case .expired: .expired
        case .deleted: .deleted
        case .revoked: .revoked
        case .returned: isReleased ? .released : .returned
        }
    }

    /// Whether the content plays again only with a new version, because a limit or a date has been reached.
    public func isOver(at now: Timestamp) -> Bool {
        playsLeft == 0 || secondsLeft == 0 || (reach.end.map { now >= $0 } ?? false)
    }

    /// Whether a renewal is due.
    ///
    /// It is due if a limit or the renewal date has been reached, or the operator has reset the license.
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

extension ContentLicense {
    /// Everything that a decision about content changes, to be saved in one transaction.
    public struct Consequences: Sendable, Hashable {
        /// The new or changed enrolment to save; `nil` if it doesn't change.
        public var enrolment: Enrolment?
        /// The new or changed licenses to save.
        public var licenses: [ContentLicense] = []
        /// The new or changed devices of enrolments to save.
        public var devices: [Enrolment.Device] = []
        /// The records of replaced devices that this decision adds.
        public var changes: [Enrolment.DeviceChange] = []
        /// The events to record in the same transaction.
        public var events: [Event] = []

        /// The consequences of a decision that changes nothing.
        public static let none = ContentLicense.Consequences()
    }
}

extension ContentLicense {
    /// Returns this license, restored from a backup, with a later copy's final or stopping state; `nil` if nothing
    /// changes.
    ///
    /// A revocation or return is carried over unless this license is already final. Any other stop is carried over only
    /// to an active license.
    package func takingBack(_ later: ContentLicense) -> (ContentLicense, acts: [String])? {
        let isFinal = state == .revoked || state == .returned
        let isLaterFinal = later.state == .revoked || later.state == .returned
        guard !isFinal, isLaterFinal || state == .active && later.state != .active else { return nil }
        var license = self
        license.state = later.state
        license.stoppedAt = later.stoppedAt
        license.isReleased = later.isReleased
        return (license, [later.state.rawValue])
    }
}
