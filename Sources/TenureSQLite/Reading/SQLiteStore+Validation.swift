public import TenureCore
public import TenureStore

extension SQLiteStore {
    /// Reads what a validation needs, in one statement: it begins and ends one read transaction, whose file locks cost
    /// as much as the look itself.
    public func validation(
        of activation: ActivationID, for key: Digest, in product: ProductRef
    ) async throws(StoreError) -> ValidationRecord {
        let record = try readers.read { connection throws(StoreError) in
            try connection.first(
                .validation, [.id(activation), .blob(key), .slug(product.tenant), .slug(product.product)],
                { row throws(StoreError) in
                    try ValidationRecord.read(row, of: activation, for: key, in: product)
                })
        }
        guard let record else { throw .unreadable("a catalog version") }
        return record
    }
}

extension ValidationRecord {
    fileprivate static func read(
        _ row: Row, of activation: ActivationID, for key: Digest, in product: ProductRef
    ) throws(StoreError) -> ValidationRecord {
        ValidationRecord(
            catalogVersion: row.integer(0),
            license: row.isNull(1)
                ? nil : try License.read(row, id: row.license(1), product: product, hash: key, from: 2),
            activation: row.isNull(10) ? nil : try Activation.read(row, id: activation, from: 10))
    }
}

extension SQL {
    fileprivate static let validation = SQL(
        """
        SELECT c.version, l.id, l.policy, l.state, l.term_start, l.term_end, l.issued_at, l.first_activated_at,
            l.key_masked, l.holder,
            a.license_id, a.activated_at, a.last_seen_at, a.released_at, a.name, a.identity,
            a.released_by
        FROM catalog_version c
        LEFT JOIN licenses l ON l.key_hash = ?2 AND l.tenant = ?3 AND l.product = ?4
        LEFT JOIN activations a ON a.id = ?1
        """)
}
