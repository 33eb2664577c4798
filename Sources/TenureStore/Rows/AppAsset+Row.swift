package import TenureCore

extension AppAsset {
    /// The columns that ``read(_:)`` and ``storedValues`` go by, in their order.
    package static let columns: StaticString = "tenant, item, version, asset, kind, key_blob, is_simulated"
    /// What becomes of a row that is there already.
    package static let onConflict: StaticString = """
        ON CONFLICT (tenant, item, version, asset) DO UPDATE SET kind = excluded.kind, key_blob = excluded.key_blob,
            is_simulated = excluded.is_simulated
        """

    package static func read(_ row: some StoredRow) throws(StoreError) -> AppAsset {
        AppAsset(
            tenant: try row.tenant(0), ref: try row.asset(1, 2, 3), kind: try row.code(4, "an asset's kind"),
            keyBlob: row.isNull(5) ? nil : row.bytes(5), isSimulated: row.flag(6))
    }

    /// Reads the columns up to the asset's name.
    package static func readName(_ row: some StoredRow) throws(StoreError) -> (tenant: TenantID, ref: AssetRef) {
        (try row.tenant(0), try row.asset(1, 2, 3))
    }

    package var storedValues: [StoredValue] {
        [
            .tenant(tenant), .item(ref.item), .version(ref.version), .text(ref.asset.text), .text(kind.rawValue),
            .blob(keyBlob), .flag(isSimulated),
        ]
    }
}
