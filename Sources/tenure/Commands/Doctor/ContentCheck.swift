import TenureContentServer
import TenureCore
import TenureServerKit

/// Checks the settings that were agreed with Kollus, for tenants that use it.
enum ContentCheck {
    static func run(_ catalog: CatalogSnapshot, of place: StorePlace) -> [Finding] {
        let tenants = catalog.catalog.tenants.keys.filter { catalog.targets(of: $0).kollus != nil }.sorted()
        if tenants.isEmpty { return [] }
        let open = tenants.filter { catalog.targets(of: $0).kollus?.callbackAuth == KollusSettings.CallbackAuth.none }
        let openFindings = open.map { tenant in
            Finding.warning(
                "kollus", "anybody may call \(tenant)'s callback: a stranger can take places and read terms",
                cure: "Say \"callbackAuth\": \"path\" in the catalog, and name the path of `tenure content callback`.")
        }
        return openFindings + [book(of: place)]
    }

    private static func book(of place: StorePlace) -> Finding {
        guard case .folder(let path) = place else {
            return .ok("kollus", "the books of completed downloads lie in the servers' own folders")
        }
        let waiting = KollusBooks.entries(in: path)
        if waiting == 0 { return .ok("kollus", "no completed download waits for the store") }
        return .warning(
            "kollus", "\(waiting) completed downloads wait for the store in \(path)",
            cure: "A running server enters them once the store answers; see its log and `tenure doctor`'s other lines.")
    }
}
