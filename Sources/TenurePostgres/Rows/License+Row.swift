import TenureCore
import TenureStore

extension License {
    static func read(_ row: Row) throws(StoreError) -> License {
        try read(row, id: row.license(0), product: row.product(1, 2), hash: row.digest(3), from: 4)
    }

    /// Reads the columns from `policy` on, where the others are known from the question.
    static func read(
        _ row: Row, id: LicenseID, product: ProductRef, hash: Digest, from place: Int32
    ) throws(StoreError) -> License {
        guard let state = License.State(rawValue: row.text(place + 1)),
            let term = Term(start: row.moment(place + 2), end: row.optionalMoment(place + 3))
        else { throw .unreadable("a license's state or term") }
        return License(
            id: id, product: product, key: LicenseKey(hash: hash, masked: row.text(place + 6)),
            policy: try row.slug(place), holder: row.optionalText(place + 7), term: term, recordedState: state,
            issuedAt: row.moment(place + 4), firstActivatedAt: row.optionalMoment(place + 5))
    }
}

extension SQL {
    static let licenseColumns: StaticString = """
        SELECT id, tenant, product, key_hash, policy, state, term_start, term_end, issued_at, first_activated_at, \
        key_masked, holder FROM licenses
        """
    static let licensesAfter = SQL(licenseColumns, " WHERE id > $1 ORDER BY id LIMIT $2")
    private static let upsertLicenses = SQL(
        """
        INSERT INTO licenses (id, tenant, product, policy, state, term_start, term_end, issued_at, first_activated_at,
            key_masked, holder, key_hash)
        SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[],
            $8::bigint[], $9::bigint[], $10::text[], $11::text[], $12::bytea[])
        ON CONFLICT (id) DO UPDATE SET policy = excluded.policy, state = excluded.state,
            term_start = excluded.term_start, term_end = excluded.term_end,
            first_activated_at = excluded.first_activated_at, key_masked = excluded.key_masked,
            holder = excluded.holder, key_hash = excluded.key_hash
        """)
    private static let moveLicenses = SQL(
        """
        UPDATE licenses l SET state = w.state, first_activated_at = w.first_activated_at
        FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS w (id, state, first_activated_at) WHERE l.id = w.id
        """)

    /// Saves licenses whose state alone has changed, so that their indexes stay as they are.
    static func moving(_ licenses: [License]) -> Statement {
        Statement(
            moveLicenses,
            [
                .integers(licenses.map(\.id.number)), .texts(licenses.map(\.recordedState.rawValue)),
                .integers(licenses.map(\.firstActivatedAt?.seconds)),
            ])
    }

    /// Saves licenses, each of them once.
    static func saving(_ licenses: [License]) -> Statement {
        Statement(
            upsertLicenses,
            [
                .integers(licenses.map(\.id.number)), .texts(licenses.map(\.product.tenant.text)),
                .texts(licenses.map(\.product.product.text)), .texts(licenses.map(\.policy.text)),
                .texts(licenses.map(\.recordedState.rawValue)), .integers(licenses.map(\.term.start.seconds)),
                .integers(licenses.map(\.term.end?.seconds)), .integers(licenses.map(\.issuedAt.seconds)),
                .integers(licenses.map(\.firstActivatedAt?.seconds)), .texts(licenses.map(\.key.masked)),
                .texts(licenses.map(\.holder)), .blobs(licenses.map(\.key.hash.bytes)),
            ]
        ) { error in
            guard error.code == .duplicate else { return error }
            let key = licenses.count == 1 ? "the key \(licenses[0].key.masked)" : "one of these keys"
            return StoreError(.keyTaken, "Another license of the product has \(key); choose another key.")
        }
    }
}
