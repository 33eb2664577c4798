import TenureCore
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

/// Counts the devices that have a version of an app.
struct VersionUse: Sendable {
    let store: any Store
    let clock: any WallClock

    /// The number of devices whose current license is for this version and can still be renewed or used.
    ///
    /// Throws ``ServerError`` if the store fails.
    func devices(of ref: PackageRef) async throws(ServerError) -> Int {
        let now = clock.now()
        var devices: Set<Digest> = []
        var cursor: LicenseID?
        repeat {
            let after: [StoredValue] = cursor.map { [.of($0)] } ?? []
            let page = try await asking {
                try await store.list(
                    Listing(
                        AppLicense.ofApp, [.of(ref.tenant), .of(ref.item)],
                        where: [[.equals("version", ref.version), .equals("is_replaced", false)]], after: after,
                        limit: 1000))
            }
            for license in page where license.takesPlace(at: now) { devices.insert(license.device) }
            cursor = page.count == 1000 ? page.last?.id : nil
        } while cursor != nil
        return devices.count
    }
}
