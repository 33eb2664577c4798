/// One account's right to one app, with its term; app licenses, one per device, are issued under it (design §4).
public struct AppGrant: Sendable, Hashable {
    /// Whose right.
    public let account: AccountRef

    /// To which app.
    public let item: AppleItemID

    /// For how long; without an end until it is ended.
    public internal(set) var term: Term

    /// When it was last granted, or the second after when that was not for the first time: a device whose license was
    /// revoked before may ask for a new one.
    public internal(set) var grantedAt: Timestamp

    /// When the operator ended it; nil while nobody has.
    public internal(set) var endedAt: Timestamp?

    /// Puts a grant together from what a store holds. It decides nothing.
    public init(account: AccountRef, item: AppleItemID, term: Term, grantedAt: Timestamp, endedAt: Timestamp?) {
        self.account = account
        self.item = item
        self.term = term
        self.grantedAt = grantedAt
        self.endedAt = endedAt
    }

    /// Whether it can be used at a moment: neither ended nor over.
    public func isOpen(at now: Timestamp) -> Bool { endedAt == nil && !term.isOver(at: now) }
}

/// What an account may do with one app, as a transaction sees it.
public struct AppRight: Sendable, Hashable {
    /// The grant; nil when the app was never granted.
    public let grant: AppGrant?
    /// The devices that hold a license of the app now; see ``AppLicense/takesPlace(at:)``.
    public let holders: Set<Digest>
    /// The devices that hold none because their person released them, and until when each counts still.
    public let lately: [Digest: Timestamp]

    /// Puts it together.
    public init(grant: AppGrant?, holders: Set<Digest>, lately: [Digest: Timestamp] = [:]) {
        self.grant = grant
        self.holders = holders
        self.lately = lately
    }
}

extension AppGrant {
    /// Why it cannot be used; empty when it can.
    func obstacles(at now: Timestamp) -> [Reason] {
        if let endedAt { return [.appGrantEnded(item, at: endedAt)] }
        if let end = term.end, now >= end { return [.appGrantExpired(item, at: end)] }
        return []
    }

    /// Decides on granting an app to an account, newly or again.
    ///
    /// An open grant with the same end changes nothing; another end replaces its end alone. One that was ended or is over
    /// opens again, and lets devices whose license was revoked ask for a new one.
    /// - Parameters:
    ///   - end: The first moment that no longer belongs to the term; nil for one without an end.
    ///   - before: The grant as it is; nil when there was none.
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

    /// Grants anew what is as it was: the way to let a device whose license was revoked come back.
    public func again(by actor: Actor, at now: Timestamp) -> AppConsequences {
        var grant = self
        grant.grantedAt = Self.grantedAnew(at: now)
        grant.endedAt = nil
        return AppConsequences(grant: grant, events: [grant.event(.appGranted, by: actor, at: now)])
    }

    /// A second later: moments are whole seconds, and a license that was revoked in this one was revoked before.
    private static func grantedAnew(at now: Timestamp) -> Timestamp { now.adding(seconds: 1) }

    /// Decides on its end: no new licenses, and none of its licenses is renewed. Repeating it changes nothing.
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
