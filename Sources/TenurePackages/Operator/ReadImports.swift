public import TenureCore
import TenureHTTP
import TenureMarketplace
public import TenureServerKit
public import TenureStore

/// Tells how the packages stand that are or were fetched from App Store Connect.
public struct ReadImports: Sendable {
    let store: any Store

    /// Reads a store.
    public init(store: any Store) { self.store = store }

    /// A package that is or was fetched.
    public struct Line: Sendable, Hashable {
        /// Whose marketplace.
        public let tenant: TenantID
        /// What App Store Connect calls the version of the package.
        public let id: String
        /// What it calls the package; nil where nobody has told.
        public let package: String?
        /// Which app; nil where nobody knows yet.
        public let item: AppleItemID?
        /// Which version of it; nil where nobody knows yet.
        public let version: AppleVersionID?
        /// `announced`, `fetching`, `waiting`, `ready`, `held`, `failed` or `withdrawn`.
        public let state: String
        /// Why it waits, is held or failed; nil for nothing.
        public let cause: String?
        /// When it is tried again; nil where it is not, or is under way.
        public let nextAt: Timestamp?
        /// Bytes of its assets; 0 until they are known.
        public let size: Int64
        /// Those that are here.
        public let fetched: Int64
    }

    /// Those of a tenant, or all; what is served is told as well. Throws ``ServerError``.
    public func callAsFunction(of tenant: TenantID? = nil) async throws(ServerError) -> [Line] {
        guard let tenant else { return try await lines(PackageImport.State.allCases) }
        let rows = try await asking { () async throws(StoreError) in
            try await store.all(PackageImport.ofTenant, [.of(tenant)])
        }
        return try await lines(of: rows)
    }

    /// Those that are neither served nor taken down, 1000 of each state at most. Throws ``ServerError``.
    public func unfinished() async throws(ServerError) -> [Line] {
        try await lines(PackageImport.State.allCases.filter { $0 != .ready && $0 != .withdrawn })
    }

    /// One import; nil where there is none of that name. What lies in the folder of packages counts as fetched, also what no
    /// piece of the work has recorded yet. Throws ``ServerError``.
    /// - Parameter shelf: Where the packages are, if this machine has them.
    public func one(_ id: String, of tenant: TenantID, on shelf: PackageShelf) async throws(ServerError) -> Line? {
        let (form, key) = (ImportDesk.whole, [StoredValue.of(tenant), .of(id)])
        let seen = try await asking { () async throws(StoreError) in
            try await store.look(form.asked(all: key + key))
        }
        guard let row = seen[form.looks.0] else { return nil }
        let folder = try? FetchingPlace(shelf: shelf).opened(row)
        let assets = seen[form.looks.1].map { asset in
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
            let rows = try await asking { () async throws(StoreError) in
                try await store.list(Listing(PackageImport.inState, [.of(state)], limit: 1000))
            }
            lines += try await self.lines(of: rows)
        }
        return lines
    }

    private func lines(of rows: [PackageImport]) async throws(ServerError) -> [Line] {
        var lines: [Line] = []
        for row in rows {
            // Of what is served no asset is kept.
            let assets = try await asking { () async throws(StoreError) in
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
