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
    static let licenseByID = SQL(licenseColumns, " WHERE id = ?1")
    static let licensesAfter = SQL(licenseColumns, " WHERE id > ?1 ORDER BY id LIMIT ?2")
    static let licenseByKey = SQL(licenseColumns, " WHERE key_hash = ?1 AND tenant = ?2 AND product = ?3")

    private static let insertLicense = SQL(
        """
        INSERT INTO licenses (id, tenant, product, policy, state, term_start, term_end, issued_at, first_activated_at,
            key_masked, holder, key_hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
        ON CONFLICT (id) DO UPDATE SET policy = excluded.policy, state = excluded.state,
            term_start = excluded.term_start, term_end = excluded.term_end,
            first_activated_at = excluded.first_activated_at, key_masked = excluded.key_masked,
            holder = excluded.holder, key_hash = excluded.key_hash
        """)
    private static let moveLicense = SQL(
        "UPDATE licenses SET state = ?2, first_activated_at = ?3 WHERE id = ?1")

    /// Saves a license; what the change loaded tells whether its indexes need to be touched at all.
    static func save(_ license: License, over loaded: License?, on connection: Connection) throws(StoreError) {
        let state = Value.text(license.recordedState.rawValue)
        if let loaded, license.differsOnlyInState(from: loaded) {
            return try connection.run(
                moveLicense, [.license(license.id), state, .moment(license.firstActivatedAt)])
        }
        do {
            try connection.run(
                insertLicense,
                [
                    .license(license.id), .slug(license.product.tenant), .slug(license.product.product),
                    .slug(license.policy), state, .moment(license.term.start), .moment(license.term.end),
                    .moment(license.issuedAt), .moment(license.firstActivatedAt), .text(license.key.masked),
                    .text(license.holder), .blob(license.key.hash),
                ])
        } catch  where error.code == .duplicate {
            throw StoreError(
                .keyTaken,
                "Another license of \(license.product) has the key \(license.key.masked); choose another key."
            )
        }
    }
}
