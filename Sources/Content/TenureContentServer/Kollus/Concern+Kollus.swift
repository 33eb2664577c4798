import TenureCore
import TenureServerKit

extension Concern {
    /// Warns of callbacks without a secret, and of completed downloads that wait for the store, where Kollus is used.
    static let kollus = Concern(after: .keys) { context in
        context.catalog.map { kollus($0, of: context.location) } ?? []
    }

    private static func kollus(_ catalog: CatalogSnapshot, of location: StoreLocation) -> [Finding] {
        let tenants = catalog.catalog.tenants.keys.filter { catalog.targets(of: $0).kollus != nil }.sorted()
        if tenants.isEmpty { return [] }
        let open = tenants.filter { catalog.targets(of: $0).kollus?.callbackAuth == KollusSettings.CallbackAuth.none }
        let openFindings = open.map { tenant in
            Finding.warning(
                "kollus",
                "anyone may call \(tenant)'s callback, so a stranger can activate devices and read license terms",
                cure:
                    "Set \"callbackAuth\": \"path\" in the catalog, and enter the path from `tenure content callback` in Kollus's console."
            )
        }
        return openFindings + [journal(of: location)]
    }

    private static func journal(of location: StoreLocation) -> Finding {
        guard case .folder(let path) = location else {
            return .ok("kollus", "not checked: completed downloads are recorded in each server's own folder")
        }
        let waiting = KollusJournals.entries(in: path)
        if waiting == 0 { return .ok("kollus", "no completed download is waiting to be stored") }
        return .warning(
            "kollus", "\(waiting) completed downloads are waiting in \(path) to be stored",
            cure: "A running server stores them once the store responds. See its log and the other lines here.")
    }
}
