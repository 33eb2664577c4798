import TenureCore
import TenureStore

extension Activation {
    static func read(_ row: Row) throws(StoreError) -> Activation {
        try read(row, id: row.activationID(0), from: 1)
    }

    /// Reads the columns from `license_id` on, where the id is known from the question.
    static func read(_ row: Row, id: ActivationID, from place: Int32) throws(StoreError) -> Activation {
        guard let identity = DeviceIdentity(code: row.optionalText(place + 5)) else {
            throw .unreadable("a device's identity")
        }
        let releasedBy = try row.isNull(place + 6) ? nil : row.code(place + 6, "who released", as: Releaser.self)
        return Activation(
            id: id, license: try row.license(place), identity: identity, name: row.text(place + 4),
            activatedAt: row.moment(place + 1), lastSeenAt: row.moment(place + 2),
            releasedAt: row.optionalMoment(place + 3), releasedBy: releasedBy)
    }
}

extension SQL {
    private static let activationColumns: StaticString = """
        SELECT id, license_id, activated_at, last_seen_at, released_at, name, identity, released_by
        FROM activations
        """
    static let activationByID = SQL(activationColumns, " WHERE id = ?1")
    static let activationsAfter = SQL(activationColumns, " WHERE id > ?1 ORDER BY id LIMIT ?2")
    static let activationsOfLicense = SQL(activationColumns, " WHERE license_id = ?1 ORDER BY activated_at, id")
    static let liveActivationsOfLicense = SQL(
        activationColumns, " WHERE license_id = ?1 AND released_at IS NULL ORDER BY activated_at, id")
    static let liveActivationOfDevice = SQL(
        activationColumns,
        " WHERE license_id = ?1 AND released_at IS NULL AND identity = ?2 ORDER BY activated_at DESC, id DESC LIMIT 1")
    static let releasesByHolder = SQL(
        """
        SELECT released_at FROM activations WHERE license_id = ?1 AND released_at > ?2 AND released_by = 'holder'
        """)
    static let seatsTaken = SQL(
        "SELECT count(*) FROM (SELECT 1 FROM activations WHERE license_id = ?1 AND released_at IS NULL LIMIT ?2)")

    private static let insertActivation = SQL(
        """
        INSERT INTO activations (id, license_id, activated_at, last_seen_at, released_at, name, identity,
            released_by)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        ON CONFLICT (id) DO UPDATE SET last_seen_at = excluded.last_seen_at, released_at = excluded.released_at,
            released_by = excluded.released_by
        """)

    static func save(_ activation: Activation, on connection: Connection) throws(StoreError) {
        try connection.run(
            insertActivation,
            [
                .id(activation.id), .license(activation.license), .moment(activation.activatedAt),
                .moment(activation.lastSeenAt), .moment(activation.releasedAt), .text(activation.name),
                .text(activation.identity.code), .text(activation.releasedBy?.rawValue),
            ])
    }
}
