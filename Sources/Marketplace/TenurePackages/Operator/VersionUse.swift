import TenureCore
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

extension FeatureContext {
    /// Counts the devices whose current license is for this version and can still be renewed or used.
    func devices(with ref: PackageRef) async throws(ServerError) -> Int {
        let now = clock.now()
        var devices: Set<Digest> = []
        try await store.eachPage(
            of: AppLicense.ofApp, [.of(ref.tenant), .of(ref.item)],
            where: [[.equals("version", ref.version), .equals("is_replaced", false)]]
        ) { page in devices.formUnion(page.filter { $0.isDeviceActive(at: now) }.map(\.device)) }
        return devices.count
    }
}
