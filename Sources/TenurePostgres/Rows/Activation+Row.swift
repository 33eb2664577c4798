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
    static let activationColumns: StaticString = """
        SELECT id, license_id, activated_at, last_seen_at, released_at, name, identity, released_by
        FROM activations
        """
    static let activationByID = SQL(activationColumns, " WHERE id = $1")
    static let firstActivations = SQL(activationColumns, " ORDER BY id LIMIT $1")
    static let activationsAfter = SQL(activationColumns, " WHERE id > $2 ORDER BY id LIMIT $1")
    static let activationsOfLicense = SQL(activationColumns, " WHERE license_id = $1 ORDER BY activated_at, id")
    static let liveActivationsOfLicense = SQL(
        activationColumns, " WHERE license_id = $1 AND released_at IS NULL ORDER BY activated_at, id")

    private static let upsertActivations = SQL(
        """
        INSERT INTO activations (id, license_id, activated_at, last_seen_at, released_at, name, identity,
            released_by)
        SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[],
            $8::text[])
        ON CONFLICT (id) DO UPDATE SET last_seen_at = excluded.last_seen_at, released_at = excluded.released_at,
            released_by = excluded.released_by
        """)

    /// Saves activations, each of them once.
    static func saving(_ activations: [Activation]) -> Statement {
        Statement(
            upsertActivations,
            [
                .ids(activations.map(\.id)), .integers(activations.map(\.license.number)),
                .integers(activations.map(\.activatedAt.seconds)), .integers(activations.map(\.lastSeenAt.seconds)),
                .integers(activations.map(\.releasedAt?.seconds)), .texts(activations.map(\.name)),
                .texts(activations.map(\.identity.code)), .texts(activations.map(\.releasedBy?.rawValue)),
            ])
    }
}
