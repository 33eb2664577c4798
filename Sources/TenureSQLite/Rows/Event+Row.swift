import TenureCore
import TenureStore

extension SQL {
    private static let insertEvent = SQL(
        """
        INSERT INTO events (at, kind, tenant, product, license_id, activation_id, actor, detail, app, account)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
        """)

    private static let adoptEvent = SQL(
        """
        INSERT INTO events (at, kind, tenant, product, license_id, activation_id, actor, detail, app, account, sequence)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT (sequence) DO NOTHING
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
            .moment(event.at), .text(event.kind.text), .slug(event.tenant),
            .text(event.product?.text ?? Event.noProduct), .integer(event.license?.number ?? Event.noLicense),
            .id(event.activation), .text(event.actor.description), .text(Event.code(event.detail)),
            event.app.map { Value(.item($0)) } ?? .null, Value(.account(event.account)),
        ]
    }
}
