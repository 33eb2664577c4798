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
    private static let lockEvents = SQL("SELECT pg_advisory_xact_lock(", AdvisoryLock.space, ", 3)")
    private static let insertEvents = SQL(
        """
        INSERT INTO events (at, kind, tenant, product, license_id, activation_id, actor, detail)
        SELECT at, kind, tenant, product, license_id, activation_id, actor, detail
        FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::uuid[], $7::text[], $8::text[])
            WITH ORDINALITY AS w (at, kind, tenant, product, license_id, activation_id, actor, detail, place)
        ORDER BY place
        """)

    /// Appends events in their order; the last of a transaction, for from here on no other server can append.
    static func appending(_ events: [Event]) -> [Statement] {
        [Statement(lockEvents), Statement(insertEvents, columns(of: events))]
    }

    private static let adoptEvents = SQL(
        """
        INSERT INTO events (sequence, at, kind, tenant, product, license_id, activation_id, actor, detail)
        OVERRIDING SYSTEM VALUE
        SELECT * FROM unnest($9::bigint[], $1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::uuid[],
            $7::text[], $8::text[])
        ON CONFLICT (sequence) DO NOTHING
        """)
    private static let continueSequence = SQL(
        "SELECT setval(pg_get_serial_sequence('events', 'sequence'), (SELECT max(sequence) FROM events))")

    /// Saves events under the numbers that they have in another store; new ones get higher numbers.
    static func adopting(_ records: [EventRecord]) -> [Statement] {
        let numbers = Value.integers(records.map(\.sequence))
        return [
            Statement(adoptEvents, columns(of: records.map(\.event)) + [numbers]), Statement(continueSequence),
        ]
    }

    private static func columns(of events: [Event]) -> [Value] {
        [
            .integers(events.map(\.at.seconds)), .texts(events.map(\.kind.text)),
            .texts(events.map(\.product.tenant.text)), .texts(events.map(\.product.product.text)),
            .integers(events.map(\.license.number)), .ids(events.map(\.activation)),
            .texts(events.map(\.actor.description)), .texts(events.map { event in Event.code(event.detail) }),
        ]
    }
}
