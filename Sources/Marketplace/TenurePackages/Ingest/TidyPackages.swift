import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore
import TenureThreads

/// Removes files that are no longer needed:
///
/// - files that a killed command left behind;
/// - assets of a previous revision, a day after the revision was replaced;
/// - files of a failed import, after a week.
struct TidyPackages: Service {
    let store: ServerStore
    let packageStore: PackageStore
    let pool: WorkerPool<Void>
    let clock: any WallClock

    var name: String { "tidy_packages" }

    /// How long downloads of a previous revision may continue, in seconds.
    static let retention: Int64 = 86_400
    /// How long the files of a failed import are kept for `tenure job retry`, in seconds.
    static let keptFailed: Int64 = 7 * 86_400

    func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        let now = clock.now()
        try await onDisk { [packageStore] in try Self.tidy(packageStore, at: now) }
        for name in try await onDisk({ [packageStore] in try Self.fetching(packageStore) }) {
            guard try await isOver(name, at: now) else { continue }
            try await onDisk { [packageStore] in
                try Folder.open(packageStore.path)?.folder(FetchFolder.name)?.remove(name)
            }
        }
        return .after(.seconds(6 * 3600))
    }

    private func onDisk<Result: Sendable>(
        _ work: @escaping @Sendable () throws -> Result
    ) async throws(ServerError) -> Result {
        try await pool.run(
            { _ throws(ServerError) in
                do { return try work() } catch { throw ServerError(thrown: error) }
            },
            refused: { _ in
                ServerError(.packagesBusy, "The package storage is busy. Try again in a moment.", isTransient: true)
            })
    }

    /// Returns the names of the folders of imports.
    private static func fetching(_ packageStore: PackageStore) throws(ServerError) -> [String] {
        try Folder.open(packageStore.path)?.folder(FetchFolder.name)?.entries().map(\.name) ?? []
    }

    /// Whether the import that a folder belongs to no longer needs it.
    ///
    /// If the store doesn't know the import, another store may share the folder by mistake, so the files are kept.
    private func isOver(_ name: String, at now: Timestamp) async throws(ServerError) -> Bool {
        guard let (vendor, id) = name.cut(at: "."), let tenant = TenantID(String(vendor)) else { return false }
        let row = try await store.fetch(Self.plan.bind(.init(tenant: tenant, id: String(id))))[Self.plan.queries]
        return row?.leavesNothing(at: now) ?? false
    }

    private static let plan = QueryPlan(for: ImportRef.self) { query in
        query.row(PackageImport.table.key) { [.of($0.tenant), .of($0.id)] }
    }

    static func tidy(_ packageStore: PackageStore, at now: Timestamp) throws(ServerError) {
        guard let root = try Folder.open(packageStore.path) else { return }
        for tenant in try root.entries() where tenant.kind == .folder && !tenant.name.hasPrefix(".") {
            guard let apps = try root.folder(tenant.name) else { continue }
            for entry in try apps.entries() where entry.kind == .folder {
                // A process that adds a package of this app holds the lock on the app's folder.
                guard let app = try apps.folder(entry.name), app.lock() else { continue }
                try removeLeftovers(of: "\(tenant.name).\(entry.name).", in: root)
                for version in try app.entries() where version.kind == .folder {
                    if let package = try app.folder(version.name) { try removeFormerAssets(of: package, at: now) }
                }
            }
        }
    }

    private static func removeLeftovers(of app: String, in root: Folder) throws(ServerError) {
        guard let incoming = try root.folder(PackageStore.incoming) else { return }
        for entry in try incoming.entries() where entry.name.hasPrefix(app) { try incoming.remove(entry.name) }
    }

    private static func removeFormerAssets(of package: Folder, at now: Timestamp) throws(ServerError) {
        guard let file = try package.file("manifest.json"), file.changedAt + retention <= now.seconds,
            file.size <= PackageManifest.byteLimit,
            let manifest = try? PackageManifest(parsing: file.read())
        else { return }
        let named = Set(manifest.assets.map(\.path))
        for name in ["variant", "delta"] {
            guard let folder = try package.folder(name) else { continue }
            for entry in try folder.entries() where !named.contains("\(name)/\(entry.name)") {
                try folder.remove(entry.name)
            }
        }
    }
}

extension PackageImport {
    /// Whether the import's files are no longer needed, because it is served, was taken down, or failed at least
    /// ``TidyPackages/keptFailed`` seconds ago.
    func leavesNothing(at now: Timestamp) -> Bool {
        switch state {
        case .ready, .withdrawn: true
        case .failed: changedAt.adding(seconds: TidyPackages.keptFailed) <= now
        case .announced, .fetching, .waiting, .held: false
        }
    }
}
