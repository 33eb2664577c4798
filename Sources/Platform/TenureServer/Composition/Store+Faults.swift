import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
public import TenureServerKit
public import TenureStore

extension Store {
    /// Checks the store's integrity and what constraints don't cover.
    ///
    /// Returns the problems found.
    public func faults() async throws(StoreError) -> [String] {
        let stray = try await view(EventRecord.stray)
        return try await integrityFaults(of: nil)
            + stray.map { number in "events: number \(number) refers to a license that doesn't exist" }
    }
}

extension EventRecord {
    /// The numbers of up to 100 events that refer to a missing license; no constraint covers this.
    public static let stray = View<Int64>(
        "stray events", touches: [table.shape, License.table.shape, AppLicense.table.shape], sqlite: strayText,
        postgres: strayText
    ) { row throws(StoreError) in
        try row.next()
    }

    private static let strayText = """
        SELECT sequence FROM events e
        WHERE license_id >= 0 AND NOT EXISTS (SELECT 1 FROM licenses l WHERE l.id = e.license_id)
            AND NOT EXISTS (SELECT 1 FROM app_licenses l WHERE l.id = e.license_id) LIMIT 100
        """
}
