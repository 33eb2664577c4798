package import TenureCore
package import TenureStore

/// A one-time link to a site's pages or a session on them, as a feature stores it.
///
/// The table may also contain credentials of other kinds, such as tokens, which open no page.
package protocol PageCredential: Credential {
    associatedtype Kind: PageCredentialKind
    associatedtype Owner: PageOwner where Owner.Credential == Self

    /// The SHA-256 of the link's text or of the session's token.
    var hash: Digest { get }
    var kind: Kind { get }

    init(sessionOf owner: Owner, hash: Digest, createdAt: Timestamp, expiresAt: Timestamp)

    /// Reads a credential by its hash, and the rows from which its owner is built.
    ///
    /// It takes the lock under which other transactions use the credential, or end all credentials of the owner.
    static var withOwner: QueryPlan<Digest, PageCredentialQueries<Self>> { get }

    static var sessionEvents: SessionEvents { get }
}

/// The kinds of credentials that open pages.
package protocol PageCredentialKind: Sendable, Equatable {
    /// A one-time link, which opens a session.
    static var link: Self { get }
    /// A session, which the cookie of a browser contains.
    static var session: Self { get }
}

/// The person, or the holder of the license, whose pages a session shows.
package protocol PageOwner: Sendable {
    associatedtype Credential: PageCredential where Credential.Owner == Self

    /// The only tenant on whose pages the owner's credentials are valid.
    var tenant: TenantID { get }
    /// How the header of the pages names the owner.
    var whose: PageFrame.Whose { get }
    /// The name by which the limit on actions counts, unique at the tenant.
    var limitName: String { get }

    /// Creates an event about a session of the owner.
    func event(_ kind: EventKind, at now: Timestamp, _ facts: [Reason.Evidence]) -> Event

    /// The facts that identify the owner in an event without a name; by default none, because the event's subject does.
    func identity(under secrets: StoreSecrets) -> [Reason.Evidence]
}

extension PageOwner {
    package func identity(under secrets: StoreSecrets) -> [Reason.Evidence] { [] }
}

/// The queries of a credential and its owner.
package struct PageCredentialQueries<Row: PageCredential>: Sendable {
    package let credential: RowQuery<Row>
    /// Returns the owner, or `nil` if it no longer exists.
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
    /// Whether ``opened`` has a fact `by` that says what opened the session.
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
    /// The rows to write when this token opens a session.
    ///
    /// - Parameters:
    ///   - means: What opens the session, such as `link` or `password`.
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
