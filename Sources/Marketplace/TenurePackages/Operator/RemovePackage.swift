import TenureCore
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

extension FeatureContext {
    /// Removes one version of an app with its package files; returns `false` if neither the version nor its files
    /// exist.
    ///
    /// If the command is killed halfway, it leaves files that are no longer served. Running the command again removes
    /// these files. Throws ``ServerError`` if the folder is locked, or if the store or the disk fails.
    func removePackage(_ ref: PackageRef, from packageStore: PackageStore) async throws(ServerError) -> Bool {
        let app = try Folder.open(packageStore.path)?.folder(ref.tenant.text)?.folder(ref.item.description)
        if let app, !app.lock() {
            throw ServerError(
                .packagesBusy,
                "Another command is changing the packages of the app \(ref.item). Try again when it is done.")
        }
        let wasKnown = try await removeVersion(ref.item, ref.version, of: ref.tenant)
        try await forgetImports(of: ref)
        guard let app, try app.folder(ref.version.description) != nil else { return wasKnown }
        // Hide the files in one step, then delete them one by one.
        let incoming = try Folder.creating(packageStore.path).creating(PackageStore.incoming)
        try incoming.remove(ref.stagingName)
        try app.move(ref.version.description, to: incoming, as: ref.stagingName)
        try app.sync()
        try incoming.remove(ref.stagingName)
        return true
    }

    /// Marks finished imports of this version as taken down, so that it can be fetched again.
    private func forgetImports(of ref: PackageRef) async throws(ServerError) {
        let plan = importsPlan
        try await store.perform(
            Transaction(plan.bind(ref)) { results in
                let own = results[plan.queries].filter { $0.version == ref.version && $0.state == .ready }
                return TransactionResult(
                    (), own.map { .replace($0, by: $0.taking(.withdrawn, at: $0.changedAt, draw: 0)) })
            })
    }
}

private let importsPlan = QueryPlan(for: PackageRef.self) { query in
    query.rows(PackageImport.ofApp, upTo: .everything) { [.of($0.tenant), .of($0.item)] }
}

extension FeatureContext {
    /// Counts the devices that have a license for this version which hasn't been replaced, revoked or returned and
    /// hasn't expired.
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
