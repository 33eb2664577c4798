package import TenureCore
package import TenureStore

/// A one-time link to a site's pages, or a session on these pages, as a feature stores it.
///
/// The table may also contain credentials of other kinds, such as tokens, which don't open pages.
package protocol PageCredential: Credential {
    associatedtype Kind: PageCredentialKind
    associatedtype Owner: PageOwner where Owner.Credential == Self

    /// The SHA-256 hash of the link's text or of the session's token.
    var hash: Digest { get }
    var kind: Kind { get }

    init(sessionOf owner: Owner, hash: Digest, createdAt: Timestamp, expiresAt: Timestamp)

    /// Reads a credential by its hash, together with the rows that its owner is built from.
    ///
    /// The plan takes the lock that serializes transactions that use the credential or end all credentials of its
    /// owner.
    static var withOwner: QueryPlan<Digest, PageCredentialQueries<Self>> { get }

    static var sessionEvents: SessionEvents { get }
}

/// The kinds of credentials that open pages.
package protocol PageCredentialKind: Sendable, Equatable {
    /// A one-time link, which opens a session.
    static var link: Self { get }
    /// A session, whose token is in a cookie of the browser.
    static var session: Self { get }
}

/// The person or the license holder whose pages a session shows.
package protocol PageOwner: Sendable {
    associatedtype Credential: PageCredential where Credential.Owner == Self

    /// The only tenant on whose pages the owner's credentials are valid.
    var tenant: TenantID { get }
    /// The owner as the header of the pages names it.
    var whose: PageFrame.Whose { get }
    /// The name under which the owner's actions are counted for the rate limit, unique within the tenant.
    var limitName: String { get }

    /// Creates an event about a session of the owner.
    func event(_ kind: EventKind, at now: Timestamp, _ facts: [Reason.Evidence]) -> Event

    /// The facts that identify the owner in an event without a name.
    ///
    /// By default, there are no such facts, because the event's subject identifies the owner.
    func identity(under secrets: StoreSecrets) -> [Reason.Evidence]
}

extension PageOwner {
    package func identity(under secrets: StoreSecrets) -> [Reason.Evidence] { [] }
}

/// The queries of a credential and its owner.
package struct PageCredentialQueries<Row: PageCredential>: Sendable {
    package let credential: RowQuery<Row>
    /// Returns the owner; `nil` if the owner no longer exists.
    let owner: @Sendable (Row, QueryResult) -> Row.Owner?

    package init(_ credential: RowQuery<Row>, owner: @escaping @Sendable (Row, QueryResult) -> Row.Owner?) {
        self.credential = credential
        self.owner = owner
    }
}

/// The events of sessions on a site's pages.
package struct SessionEvents: Sendable {
    let opened: EventKind
    let closed: EventKind
    /// Whether ``opened`` has a fact `by`, such as `link` or `password`.
    let saysMeans: Bool

    package init(opened: EventKind, closed: EventKind, saysMeans: Bool = false) {
        self.opened = opened
        self.closed = closed
        self.saysMeans = saysMeans
    }
}

extension PageCredential {
    /// Whether the credential has this kind and is valid.
    package func works(as kind: Kind, at now: Timestamp) -> Bool { self.kind == kind && works(at: now) }
}

extension SessionToken {
    /// Returns the rows to write when this token opens a session.
    ///
    /// - Parameters:
    ///   - means: The way in which the session was opened, such as `link` or `password`.
    ///   - identity: The owner's ``PageOwner/identity(under:)``.
    package func opening<Owner: PageOwner>(
        for owner: Owner, by means: String, at now: Timestamp, identity: [Reason.Evidence] = []
    ) -> [RowWrite] {
        let session = Owner.Credential(
            sessionOf: owner, hash: hash, createdAt: now, expiresAt: now.adding(seconds: Self.lifetime))
        let events = Owner.Credential.sessionEvents
        let facts =
            identity + (events.saysMeans ? [.init("by", .text(means))] : []) + [SupportReference(of: hash).evidence]
        return [.insert(session), .event(owner.event(events.opened, at: now, facts))]
    }
}
