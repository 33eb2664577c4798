import TenureCore
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

extension PackageImport {
    /// The state and progress of one import, for display.
    struct Line: Sendable, Hashable {
        /// The tenant whose marketplace the package is for.
        let tenant: TenantID
        /// App Store Connect's id of the package version.
        let id: String
        /// App Store Connect's id of the package; `nil` if unknown.
        let package: String?
        /// The app; `nil` if unknown so far.
        let item: AppleItemID?
        /// The version of the app; `nil` if unknown so far.
        let version: AppleVersionID?
        /// The import's state: `announced`, `fetching`, `waiting`, `ready`, `held`, `failed` or `withdrawn`.
        let state: String
        /// A code for the condition that the import waits for, or for why it is held or failed; a remark if the package
        /// is served. It's `nil` if there's nothing to report.
        let cause: String?
        /// When the import is retried; `nil` if it is running or has ended.
        let nextAt: Timestamp?
        /// The total size of the package's assets in bytes; 0 until it's known.
        let size: Int64
        /// The bytes fetched so far.
        let fetched: Int64
    }
}

extension FeatureContext {
    /// Reads all imports of a tenant, or of all tenants, including those that are served.
    ///
    /// If no tenant is given, the result has at most 1,000 imports of each state.
    func imports(of tenant: TenantID? = nil) async throws(ServerError) -> [PackageImport.Line] {
        guard let tenant else { return try await lines(PackageImport.State.allCases) }
        let rows = try await store.all(PackageImport.ofTenant, [.of(tenant)])
        return try await lines(of: rows)
    }

    /// Reads the imports that are neither served nor taken down, at most 1,000 of each state.
    func unfinishedImports() async throws(ServerError) -> [PackageImport.Line] {
        try await lines(PackageImport.State.allCases.filter { $0 != .ready && $0 != .withdrawn })
    }

    /// Reads one import; `nil` if it doesn't exist.
    ///
    /// Bytes in the packages folder count as fetched, even if the store hasn't recorded them yet.
    ///
    /// - Parameter packageStore: The packages folder, which may be missing on this host.
    /// - Throws: ``ServerError`` if the store fails.
    func packageImport(
        _ id: String, of tenant: TenantID, on packageStore: PackageStore
    ) async throws(ServerError) -> PackageImport.Line? {
        let plan = ImportContext.whole
        let results = try await store.fetch(plan.bind(.init(tenant: tenant, id: id)))
        guard let row = results[plan.queries.0] else { return nil }
        let folder = try? FetchFolder(packageStore: packageStore).opened(row)
        let assets = results[plan.queries.1].map { asset in
            var asset = asset
            let file = try? folder?.folder(asset.kind.rawValue)?.file("\(asset.asset).ipa")
            asset.fetched = max(asset.fetched, min(file?.size ?? 0, asset.size))
            return asset
        }
        return PackageImport.Line(row, assets)
    }

    private func lines(_ states: [PackageImport.State]) async throws(ServerError) -> [PackageImport.Line] {
        var lines: [PackageImport.Line] = []
        for state in states {
            let rows = try await store.list(Listing(PackageImport.inState, [.of(state)], limit: 1000))
            lines += try await self.lines(of: rows)
        }
        return lines
    }

    private func lines(of rows: [PackageImport]) async throws(ServerError) -> [PackageImport.Line] {
        var lines: [PackageImport.Line] = []
        for row in rows {
            // No assets are stored once an import is served.
            let assets =
                row.state == .ready ? [] : try await store.all(ImportAsset.ofImport, [.of(row.tenant), .of(row.id)])
            lines.append(PackageImport.Line(row, assets))
        }
        return lines
    }
}

extension PackageImport.Line {
    fileprivate init(_ row: PackageImport, _ assets: [ImportAsset]) {
        self.init(
            tenant: row.tenant, id: row.id, package: row.package, item: row.item, version: row.version,
            state: row.state.rawValue, cause: row.cause, nextAt: row.nextAt, size: row.size,
            fetched: row.state == .ready ? row.size : assets.reduce(0) { $0 + $1.fetched })
    }
}
