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
        try await store.eachPage(
            of: AppLicense.ofApp, [.of(ref.tenant), .of(ref.item)],
            where: [[.equals("version", ref.version), .equals("is_replaced", false)]]
        ) { page in devices.formUnion(page.filter { $0.takesPlace(at: now) }.map(\.device)) }
        return devices.count
    }
}
