import TenureCore
import TenureStore

extension SQL {
    private static let lockEvents = SQL("SELECT pg_advisory_xact_lock(", AdvisoryLock.space, ", 3)")
    private static let insertEvents = SQL(
        """
        INSERT INTO events (at, kind, tenant, product, license_id, activation_id, actor, detail, app, account)
        SELECT at, kind, tenant, product, license_id, activation_id, actor, detail, app, account
        FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::uuid[], $7::text[], $8::text[],
            $9::bigint[], $10::text[]) WITH ORDINALITY
            AS w (at, kind, tenant, product, license_id, activation_id, actor, detail, app, account, place)
        ORDER BY place
        """)

    /// Appends events in their order; the last of a transaction, for from here on no other server can append.
    static func appending(_ events: [Event]) -> [Statement] {
        [Statement(lockEvents), Statement(insertEvents, columns(of: events))]
    }

    private static let adoptEvents = SQL(
        """
        INSERT INTO events (sequence, at, kind, tenant, product, license_id, activation_id, actor, detail, app, account)
        OVERRIDING SYSTEM VALUE
        SELECT * FROM unnest($11::bigint[], $1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::uuid[],
            $7::text[], $8::text[], $9::bigint[], $10::text[])
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
            .texts(events.map(\.tenant.text)),
            .texts(events.map { event in event.product?.text ?? Event.noProduct }),
            .integers(events.map { event in event.license?.number ?? Event.noLicense }), .ids(events.map(\.activation)),
            .texts(events.map(\.actor.description)), .texts(events.map { event in Event.code(event.detail) }),
            .integers(events.map { event in event.app.map { Int64(bitPattern: $0.number) } }),
            .texts(events.map { event in event.account?.text }),
        ]
    }
}
