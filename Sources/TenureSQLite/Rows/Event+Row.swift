import TenureCore
import TenureStore

extension EventRecord {
    static func read(_ row: Row) throws(StoreError) -> EventRecord {
        guard let actor = Actor(text: row.text(7)), let detail = Event.detail(code: row.text(8)) else {
            throw .unreadable("an event")
        }
        let event = Event(
            EventKind(row.text(2)), at: row.moment(1), product: try row.product(3, 4), license: try row.license(5),
            activation: row.isNull(6) ? nil : try row.activationID(6), actor: actor, detail: detail)
        return EventRecord(sequence: row.integer(0), event: event)
    }
}

extension SQL {
    static let eventColumns: StaticString = """
        SELECT sequence, at, kind, tenant, product, license_id, activation_id, actor, detail FROM events
        """
    private static let insertEvent = SQL(
        """
        INSERT INTO events (at, kind, tenant, product, license_id, activation_id, actor, detail)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        """)

    private static let adoptEvent = SQL(
        """
        INSERT INTO events (at, kind, tenant, product, license_id, activation_id, actor, detail, sequence)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (sequence) DO NOTHING
        """)

    static func append(_ event: Event, on connection: Connection) throws(StoreError) {
        try connection.run(insertEvent, values(of: event))
    }

    /// Saves an event under the number that it has in another store.
    static func adopt(_ record: EventRecord, on connection: Connection) throws(StoreError) {
        try connection.run(adoptEvent, values(of: record.event) + [.integer(record.sequence)])
    }

    private static func values(of event: Event) -> [Value] {
        [
            .moment(event.at), .text(event.kind.text), .slug(event.product.tenant), .slug(event.product.product),
            .license(event.license), .id(event.activation), .text(event.actor.description),
            .text(Event.code(event.detail)),
        ]
    }
}
