public import TenureCore
public import TenureStore

/// A stored event with its sequence number.
public struct EventRecord: Sendable, Hashable {
    /// The sequence number. Later events of a tenant have higher numbers, and there can be gaps after a restore.
    public let sequence: Int64
    /// The event with its kind, time, actor, subject and facts.
    public let event: Event

    /// Creates the record of an event with a known sequence number.
    public init(sequence: Int64, event: Event) {
        self.sequence = sequence
        self.event = event
    }
}

extension EventRecord: Stored {
    /// The events, in the order of tenants and sequence numbers.
    public static let table = Table<EventRecord>(
        "events", key: ["tenant", "sequence"],
        [
            Field("sequence") { $0.sequence }, Field("kind") { $0.event.kind }, Field("at") { $0.event.at },
            Field("tenant") { $0.event.subject.tenant },
            Field("product") { $0.event.subject.product },
            Field("app") { $0.event.subject.app }, Field("account") { $0.event.subject.account },
            Field("license_id") { $0.event.subject.license },
            Field("activation_id") { $0.event.subject.activation }, Field("actor") { $0.event.actor },
            Field("detail") { Event.code($0.event.facts) }, Field("enrolment_id") { $0.event.subject.enrolment },
            Field("content_license_id") { $0.event.subject.contentLicense },
            Field("holder_ref") { $0.event.holderRef },
        ],
        indexes: [
            TableIndex("by_license", "license_id", "tenant", "sequence", where: .isNotNull("license_id")),
            TableIndex("by_account", "tenant", "account", "sequence", where: .isNotNull("account")),
            TableIndex("by_enrolment", "enrolment_id", "tenant", "sequence", where: .isNotNull("enrolment_id")),
            TableIndex(
                "by_content_license", "content_license_id", "tenant", "sequence",
                where: .isNotNull("content_license_id")),
            TableIndex("by_holder", "holder_ref", "tenant", "sequence", where: .isNotNull("holder_ref")),
        ],
        counter: EventCounter.table.shape, layout: .largeRows
    ) { row in
        let sequence: Int64 = try row.next()
        let (kind, at): (EventKind, Timestamp) = (try row.next(), try row.next())
        let (tenant, product): (TenantID, ProductID?) = (try row.next(), try row.next())
        let (app, account): (AppleItemID?, AccountID?) = (try row.next(), try row.next())
        let (license, activation): (LicenseID?, ActivationID?) = (try row.next(), try row.next())
        let (actor, facts): (Actor, [Reason.Evidence]) = (try row.next(), try facts(row.next()))
        let subject = Event.Subject(
            tenant: tenant, product: product, app: app, account: account, license: license, activation: activation,
            enrolment: try row.next(), contentLicense: try row.next())
        // The facts also contain the holder's reference. The column exists only for the index.
        _ = try row.next(String?.self)
        return EventRecord(sequence: sequence, event: Event(kind, at: at, actor: actor, about: subject, facts: facts))
    }

    /// The events of a tenant, by sequence number.
    public static let ofTenant = table.set("of_tenant", "tenant")
    /// The events of a license, which belongs to a product or an app, by sequence number.
    public static let ofLicense = table.set(
        "of_license", "license_id", "tenant", where: .isNotNull("license_id"))
    /// The events of a license, which belongs to a product or an app, newest first.
    package static let newestOfLicense = table.set(
        "newest_of_license", "license_id", "tenant", where: .isNotNull("license_id"), order: [.down("sequence")])
    /// The events of an enrolment and its licenses, by sequence number.
    public static let ofEnrolment = table.set(
        "of_enrolment", "enrolment_id", "tenant", where: .isNotNull("enrolment_id"))
    /// The events of a content license, by sequence number.
    public static let ofContentLicense = table.set(
        "of_content_license", "content_license_id", "tenant", where: .isNotNull("content_license_id"))
    /// The events of the holder with a reference, by sequence number.
    public static let ofHolder = table.set("of_holder", "holder_ref", "tenant", where: .isNotNull("holder_ref"))
    /// The events of an account, by sequence number.
    public static let ofAccount = table.set("of_account", "tenant", "account", where: .isNotNull("account"))

    private static func facts(_ code: String) throws(StoreError) -> [Reason.Evidence] {
        guard let facts = Event.facts(code: code) else { throw .unreadable("an event's detail") }
        return facts
    }
}

extension RowWrite {
    /// Returns the write that records an event, for the transaction of the change that the event is about.
    package static func event(_ event: Event) -> RowWrite { .append(EventRecord(sequence: 0, event: event)) }

    /// The event that this write records; `nil` if it writes a row of another table.
    package var event: Event? { after?.row(of: EventRecord.self)?.event }
}

extension EventKind: StorableAs {
    /// The kind's name, such as `license.renewed`.
    public var simple: String { text }
    /// Creates a kind from any text; never `nil`.
    public init?(simple: String) { self.init(told: simple) }
}

extension Actor: StorableAs {
    /// The actor as text, such as `operator:tok_...`.
    public var simple: String { description }
    /// Creates an actor from any text; never `nil`.
    public init?(simple: String) { self.init(text: simple) }
}
