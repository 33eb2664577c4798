import TenureCore

extension MarketplaceKeyRecord {
    /// The columns that ``read(_:)`` and ``storedValues`` go by, in their order.
    package static let columns: StaticString =
        "tenant, purpose, kid, origin, certificate, sealed_secret, created_at, named_from"
    /// What becomes of a row that is there already.
    package static let onConflict: StaticString = """
        ON CONFLICT (tenant, purpose, kid) DO UPDATE SET origin = excluded.origin, certificate = excluded.certificate,
            sealed_secret = excluded.sealed_secret, created_at = excluded.created_at, named_from = excluded.named_from
        """

    package static func read(_ row: some StoredRow) throws(StoreError) -> MarketplaceKeyRecord {
        MarketplaceKeyRecord(
            tenant: try row.tenant(0), kid: row.text(2), purpose: try row.code(1, "a marketplace key's purpose"),
            origin: try row.code(3, "a marketplace key's origin"), certificate: row.bytes(4),
            sealedSecret: row.isNull(5) ? nil : row.bytes(5), createdAt: row.moment(6), namedFrom: row.moment(7))
    }

    package var storedValues: [StoredValue] {
        [
            .tenant(tenant), .text(purpose.rawValue), .text(kid), .text(origin.rawValue), .blob(certificate),
            .blob(sealedSecret), .moment(createdAt), .moment(namedFrom),
        ]
    }
}
