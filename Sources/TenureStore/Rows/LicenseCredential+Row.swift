import TenureCore

extension LicenseCredential {
    /// The columns that ``read(_:)`` and ``storedValues`` go by, in their order.
    package static let columns: StaticString = "hash, license_id, kind, created_at, expires_at, ended_at"
    /// What becomes of a row that is there already.
    package static let onConflict: StaticString = "ON CONFLICT (hash) DO UPDATE SET ended_at = excluded.ended_at"

    package static func read(_ row: some StoredRow) throws(StoreError) -> LicenseCredential {
        LicenseCredential(
            hash: try row.digest(0), license: try row.license(1), kind: try row.code(2, "a credential's kind"),
            createdAt: row.moment(3), expiresAt: row.moment(4), endedAt: row.optionalMoment(5))
    }

    package var storedValues: [StoredValue] {
        [
            .digest(hash), .integer(license.number), .text(kind.rawValue), .moment(createdAt), .moment(expiresAt),
            .moment(endedAt),
        ]
    }
}
