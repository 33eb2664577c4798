public import TenureCore

/// An account's right to an app, for a term; the app licenses of its devices are issued under it.
public struct AppGrant: Sendable, Hashable {
    /// The account.
    public let account: AccountRef

    /// The app.
    public let item: AppleItemID

    /// The term of the grant; without an end, it lasts until the operator ends it.
    public internal(set) var term: Term

    /// When the app was last granted.
    ///
    /// A repeated grant is dated one second later. A device whose license was revoked in the same second can then get a
    /// new one.
    public internal(set) var grantedAt: Timestamp

    /// When the operator ended the grant; `nil` if that hasn't happened.
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

/// An account's right to an app, as read for one transaction.
public struct AppRight: Sendable, Hashable {
    /// The grant; `nil` if the app was never granted.
    public let grant: AppGrant?
    /// The devices that count as holding a license of the app; see ``AppLicense/takesPlace(at:)``.
    public let holders: Set<Digest>
    /// The devices that the customer released, with the time until which each still counts.
    public let lately: [Digest: Timestamp]

    /// Creates a value from its parts.
    public init(grant: AppGrant?, holders: Set<Digest>, lately: [Digest: Timestamp] = [:]) {
        self.grant = grant
        self.holders = holders
        self.lately = lately
    }
}

extension AppGrant {
    /// Why the grant can't be used; empty if it can.
    func obstacles(at now: Timestamp) -> [Reason] {
        if let endedAt { return [.appGrantEnded(item, at: endedAt)] }
        if let end = term.end, now >= end { return [.appGrantExpired(item, at: end)] }
        return []
    }

    /// Grants an app to an account, newly or again.
    ///
    /// If the grant is open, only its end is changed; with the same end, nothing changes. A grant that was ended or has
    /// expired opens again. Devices whose license was revoked can then get a new one.
    ///
    /// - Parameters:
    ///   - end: The first second after the term; `nil` for no end.
    ///   - before: The current grant; `nil` if the app was never granted.
    public static func grant(
        _ item: AppleItemID, to account: AccountRef, until end: Timestamp?, over before: AppGrant?, by actor: Actor,
        at now: Timestamp
    ) -> AppConsequences {
        if let before, before.endedAt == nil, before.term.end == end { return .none }
        let open = before.flatMap { $0.isOpen(at: now) ? $0 : nil }
        let begin = open?.term.start ?? now
        let start = end.map { min($0, begin) } ?? begin
        let term = Term(start: start, end: end) ?? .perpetual(from: start)
        let granted = open?.grantedAt ?? (before == nil ? now : Self.grantedAnew(at: now))
        let grant = AppGrant(account: account, item: item, term: term, grantedAt: granted, endedAt: nil)
        let until: Reason.Evidence = end.map { .init("expiresAt", .date($0)) } ?? .init("expiresAt", .text("never"))
        return AppConsequences(grant: grant, events: [grant.event(.appGranted, by: actor, at: now, [until])])
    }

    /// Grants the app again with the same term, so that a device whose license was revoked can get a new one.
    public func again(by actor: Actor, at now: Timestamp) -> AppConsequences {
        var grant = self
        grant.grantedAt = Self.grantedAnew(at: now)
        grant.endedAt = nil
        return AppConsequences(grant: grant, events: [grant.event(.appGranted, by: actor, at: now)])
    }

    /// Timestamps are whole seconds. One second more makes the grant later than a revocation in the current second.
    private static func grantedAnew(at now: Timestamp) -> Timestamp { now.adding(seconds: 1) }

    /// Ends the grant: no new licenses are issued under it and none is renewed.
    ///
    /// Ending it again changes nothing.
    public func end(by actor: Actor, at now: Timestamp) -> AppConsequences {
        guard endedAt == nil else { return .none }
        var grant = self
        grant.endedAt = now
        return AppConsequences(grant: grant, events: [event(.appGrantEnded, by: actor, at: now)])
    }

    private func event(
        _ kind: EventKind, by actor: Actor, at now: Timestamp, _ detail: [Reason.Evidence] = []
    ) -> Event {
        Event(kind, at: now, actor: actor, about: .init(account, app: item), facts: detail)
    }
}
