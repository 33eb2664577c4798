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
