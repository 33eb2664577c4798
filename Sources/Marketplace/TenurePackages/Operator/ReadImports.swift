public import TenureCore
import TenureHTTP
import TenureMarketplaceServer
public import TenureServerKit
public import TenureStore

/// Reports the packages that were or are being fetched from App Store Connect.
public struct ReadImports: Sendable {
    let store: any Store

    /// Creates the use case for a store.
    public init(store: any Store) { self.store = store }

    /// The state and progress of one import, for display.
    public struct Line: Sendable, Hashable {
        /// The tenant whose marketplace the package is for.
        public let tenant: TenantID
        /// App Store Connect's id of the package version.
        public let id: String
        /// App Store Connect's id of the package; `nil` if unknown.
        public let package: String?
        /// The app; `nil` if unknown so far.
        public let item: AppleItemID?
        /// The version of the app; `nil` if unknown so far.
        public let version: AppleVersionID?
        /// The import's state: `announced`, `fetching`, `waiting`, `ready`, `held`, `failed` or `withdrawn`.
        public let state: String
        /// A code that says why the import waits, is held or failed; `nil` if nothing is wrong.
        public let cause: String?
        /// When the import is retried; `nil` if it is running or has ended.
        public let nextAt: Timestamp?
        /// The total size of the package's assets in bytes; 0 until it's known.
        public let size: Int64
        /// The bytes fetched so far.
        public let fetched: Int64
    }

    /// Reads all imports of a tenant, or of all tenants, including those that are served.
    ///
    /// If no tenant is given, the result has at most 1,000 imports of each state. Throws ``ServerError`` if the store
    /// fails.
    public func callAsFunction(of tenant: TenantID? = nil) async throws(ServerError) -> [Line] {
        guard let tenant else { return try await lines(PackageImport.State.allCases) }
        let rows = try await asking { try await store.all(PackageImport.ofTenant, [.of(tenant)]) }
        return try await lines(of: rows)
    }

    /// Reads the imports that are neither served nor taken down, at most 1,000 of each state.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    public func unfinished() async throws(ServerError) -> [Line] {
        try await lines(PackageImport.State.allCases.filter { $0 != .ready && $0 != .withdrawn })
    }

    /// Reads one import; `nil` if it doesn't exist.
    ///
    /// Bytes in the packages folder count as fetched, even if the store hasn't recorded them yet. Throws
    /// ``ServerError`` if the store fails.
    ///
    /// - Parameter packageStore: The packages folder, which may be missing on this host.
    public func one(_ id: String, of tenant: TenantID, on packageStore: PackageStore) async throws(ServerError) -> Line?
    {
        let plan = ImportContext.whole
        let results = try await asking { try await store.fetch(plan.bind(.init(tenant: tenant, id: id))) }
        guard let row = results[plan.queries.0] else { return nil }
        let folder = try? FetchFolder(packageStore: packageStore).opened(row)
        let assets = results[plan.queries.1].map { asset in
            var asset = asset
            let file = try? folder?.folder(asset.kind.rawValue)?.file("\(asset.asset).ipa")
            asset.fetched = max(asset.fetched, min(file?.size ?? 0, asset.size))
            return asset
        }
        return Line(row, assets)
    }

    private func lines(_ states: [PackageImport.State]) async throws(ServerError) -> [Line] {
        var lines: [Line] = []
        for state in states {
            let rows = try await asking {
                try await store.list(Listing(PackageImport.inState, [.of(state)], limit: 1000))
            }
            lines += try await self.lines(of: rows)
        }
        return lines
    }

    private func lines(of rows: [PackageImport]) async throws(ServerError) -> [Line] {
        var lines: [Line] = []
        for row in rows {
            // No assets are stored once an import is served.
            let assets = try await asking {
                row.state == .ready
                    ? [] : try await store.all(ImportAsset.ofImport, [.of(row.tenant), .of(row.id)])
            }
            lines.append(Line(row, assets))
        }
        return lines
    }
}

extension ReadImports.Line {
    fileprivate init(_ row: PackageImport, _ assets: [ImportAsset]) {
        self.init(
            tenant: row.tenant, id: row.id, package: row.package, item: row.item, version: row.version,
            state: row.state.rawValue, cause: row.cause, nextAt: row.nextAt, size: row.size,
            fetched: row.state == .ready ? row.size : assets.reduce(0) { $0 + $1.fetched })
    }
}
