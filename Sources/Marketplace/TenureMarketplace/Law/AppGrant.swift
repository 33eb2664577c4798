public import TenureCore

/// An account's right to an app, for a term; the app licenses of its devices are issued under it.
public struct AppGrant: Sendable, Hashable {
    /// The account that has the right.
    public let account: AccountRef

    /// The app that the account may use, in every version.
    public let item: AppleItemID

    /// The term of the grant; without an end, it lasts until the operator ends it.
    public internal(set) var term: Term

    /// When the app was last granted.
    ///
    /// A repeated grant is dated one second later, so that a device whose license was revoked in the same second can
    /// get a new one.
    public internal(set) var grantedAt: Timestamp

    /// When the operator ended the grant; `nil` if the operator hasn't ended it.
    public internal(set) var endedAt: Timestamp?

    /// Creates a grant from a stored record without checking any rule.
    public init(account: AccountRef, item: AppleItemID, term: Term, grantedAt: Timestamp, endedAt: Timestamp?) {
        self.account = account
        self.item = item
        self.term = term
        self.grantedAt = grantedAt
        self.endedAt = endedAt
    }

    /// Whether the grant is usable: not ended by the operator, and within its term.
    public func isOpen(at now: Timestamp) -> Bool { endedAt == nil && !term.isOver(at: now) }
}

extension AppGrant {
    /// A change to one field of a grant, with its new value.
    public enum FieldChange: Sendable, Hashable {
        /// Sets the first second after the term; `nil` for no end.
        case end(Timestamp?)
    }

    private mutating func apply(_ changes: [FieldChange]) {
        for change in changes {
            switch change {
            case .end(let end): term = Term(start: min(end ?? term.start, term.start), end: end) ?? term
            }
        }
    }

    /// The facts that events record about the fields that a change can set.
    private var facts: [Reason.Evidence] { [.init("expiresAt", term.end.map { .date($0) } ?? .text("never"))] }

    /// Whether changes would have an effect.
    public func isChanged(by changes: [FieldChange]) -> Bool {
        var grant = self
        grant.apply(changes)
        return grant.facts != facts
    }

    /// An account's right to an app, as read for one transaction.
    public struct Right: Sendable, Hashable {
        /// The grant; `nil` if the app was never granted.
        public let grant: AppGrant?
        /// The devices of the account that count as holding a license of the app; see
        /// ``AppLicense/isDeviceActive(at:)``.
        public let active: Set<Digest>
        /// The devices that the customer released, with the time until which each of them still counts towards the
        /// device limit.
        public let recent: [Digest: Timestamp]

        /// Creates a value from its parts, which must all concern the same account and app.
        public init(grant: AppGrant?, active: Set<Digest>, recent: [Digest: Timestamp] = [:]) {
            self.grant = grant
            self.active = active
            self.recent = recent
        }
    }

    /// Why the grant can't be used; empty if the grant can be used.
    func obstacles(at now: Timestamp) -> [Reason] {
        if let endedAt { return [.appGrantEnded(item, at: endedAt)] }
        if let end = term.end, now >= end { return [.appGrantExpired(item, at: end)] }
        return []
    }

    /// Grants an app to an account, newly or again.
    ///
    /// If the grant is open, only the changes apply; if they have no effect, nothing changes. A grant that was ended or
    /// has expired opens again, without an end unless a change sets one. Devices whose license was revoked can then get
    /// a new one.
    ///
    /// - Parameter before: The current grant; `nil` if the app was never granted.
    public static func grant(
        _ item: AppleItemID, to account: AccountRef, _ changes: [FieldChange] = [], over before: AppGrant?,
        by actor: Actor,
        at now: Timestamp
    ) -> AppLicense.Consequences {
        let open = before.flatMap { $0.isOpen(at: now) ? $0 : nil }
        var grant =
            open
            ?? AppGrant(
                account: account, item: item, term: .perpetual(from: now),
                grantedAt: before == nil ? now : grantedAnew(at: now), endedAt: nil)
        grant.apply(changes)
        if let before, before.endedAt == nil, before.facts == grant.facts { return .none }
        return AppLicense.Consequences(
            grant: grant, events: [grant.event(.appGranted, by: actor, at: now, grant.facts)])
    }

    /// Grants the app again with the same term, so that a device whose license was revoked can get a new one.
    public func again(by actor: Actor, at now: Timestamp) -> AppLicense.Consequences {
        var grant = self
        grant.grantedAt = Self.grantedAnew(at: now)
        grant.endedAt = nil
        return AppLicense.Consequences(grant: grant, events: [grant.event(.appGranted, by: actor, at: now)])
    }

    /// Returns the date of a repeated grant: one second from now.
    ///
    /// Timestamps are whole seconds, so this is later than any revocation in the current second.
    private static func grantedAnew(at now: Timestamp) -> Timestamp { now.adding(seconds: 1) }

    /// Ends the grant: no new licenses are issued under it and none is renewed.
    ///
    /// Ending it again changes nothing.
    public func end(by actor: Actor, at now: Timestamp) -> AppLicense.Consequences {
        guard endedAt == nil else { return .none }
        var grant = self
        grant.endedAt = now
        return AppLicense.Consequences(grant: grant, events: [event(.appGrantEnded, by: actor, at: now)])
    }

    private func event(
        _ kind: EventKind, by actor: Actor, at now: Timestamp, _ detail: [Reason.Evidence] = []
    ) -> Event {
        Event(kind, at: now, actor: actor, about: .init(account, app: item), facts: detail)
    }
}
