import TenureCore
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

/// Adds a package: copies and checks its files in a staging folder, then publishes them in one step.
///
/// Whenever the command is killed, either the previous state or the complete new package remains. Running the command
/// again completes the work.
struct IngestPackage: Sendable {
    let store: ServerStore
    let packageStore: PackageStore
    let clock: any WallClock

    /// The result of adding a package.
    enum Outcome: Sendable, Hashable {
        /// The package is served.
        ///
        /// The values say whether the version is held back, how many key blobs were generated for the simulated engine,
        /// and which assets have no key.
        case served(isHeld: Bool, createdCount: Int, keyless: [AssetID])
        /// The same package is already served.
        case unchanged
        /// The tenant's marketplace doesn't list the app.
        case appUnknown
        /// The app has a different bundle id, which is the associated value.
        case otherBundle(String)
        /// A later revision of the same version is already served.
        case outdated(revision: Int64)
        /// The app already has the maximum number of versions.
        case tooManyVersions(limit: Int)
    }

    /// Predicts the outcome if the package is already served or can't be served; `nil` if it must be copied.
    ///
    /// - Parameter marketplace: The tenant's marketplace as stored.
    /// - Throws: ``ServerError`` if the served files can't be read.
    func foresee(
        _ package: BroughtPackage, packageID: String?, at marketplace: Marketplace?, of tenant: TenantID
    ) throws(ServerError) -> Outcome? {
        guard let app = marketplace?.apps[package.item] else { return .appUnknown }
        if let bundle = app.bundleID, bundle != package.manifest.bundleID { return .otherBundle(bundle) }
        guard let version = app.versions[package.version], let held = version.package else { return nil }
        if held.revision > package.revision { return .outdated(revision: held.revision) }
        guard held.revision == package.revision, packageID == nil || packageID == held.id,
            version.downloadBytes == package.manifest.downloadBytes
        else { return nil }
        let ref = PackageRef(tenant: tenant, item: package.item, version: package.version)
        guard try bytes("manifest.json", of: ref) == package.manifestBytes,
            try bytes("signature", of: ref) == package.signature
        else { return nil }
        for asset in package.manifest.assets {
            let parts = asset.path.split(atByte: "/").map(String.init)
            guard try packageStore.file(parts, of: ref)?.size == asset.size else { return nil }
        }
        return .unchanged
    }

    /// Copies and checks a package without serving it yet.
    ///
    /// The call blocks while it copies.
    ///
    /// - Parameter progress: Receives the number of bytes copied since its last call.
    /// - Throws: ``ServerError`` if the package is damaged or the disk fails.
    func stage(
        _ package: BroughtPackage, for tenant: TenantID, progress: (Int) -> Void
    ) throws(ServerError) -> StagedPackage {
        try StagedPackage.make(
            package, as: PackageRef(tenant: tenant, item: package.item, version: package.version), on: packageStore,
            at: clock.now(), progress: progress)
    }

    /// Publishes a staged package.
    ///
    /// The keys of the package's assets are recorded before devices can read the manifest. Otherwise, a device could
    /// request a license that can't be written yet. A new version is recorded once its files are in place.
    ///
    /// - Parameter packageID: App Store Connect's id of the package, which takedowns refer to; `nil` if unknown.
    /// - Throws: ``ServerError`` if the store or the disk fails.
    func publish(_ staged: StagedPackage, packageID: String?) async throws(ServerError) -> Outcome {
        let listed = staged.package.listed(of: staged.ref.tenant)
        let context = FeatureContext(store: store, clock: clock)
        let before = try await context.recordHostedPackage(listed, revision: staged.package.revision, held: nil)
        guard case .recorded = before else {
            try staged.discard()
            return Outcome(before)
        }
        try staged.takePlace()
        let held = HeldPackage(revision: staged.package.revision, id: packageID)
        return Outcome(try await context.recordHostedPackage(listed, revision: staged.package.revision, held: held))
    }

    private func bytes(_ name: String, of ref: PackageRef) throws(ServerError) -> [UInt8]? {
        try packageStore.file([name], of: ref).map { $0.read() }
    }
}

extension IngestPackage.Outcome {
    fileprivate init(_ outcome: HostedPackageOutcome) {
        switch outcome {
        case .recorded(let recorded):
            self = .served(isHeld: recorded.isHeld, createdCount: recorded.createdCount, keyless: recorded.keyless)
        case .appUnknown: self = .appUnknown
        case .otherBundle(let bundle): self = .otherBundle(bundle)
        case .outdated(let revision): self = .outdated(revision: revision)
        case .tooManyVersions(let limit): self = .tooManyVersions(limit: limit)
        }
    }
}

extension StagedPackage {
    /// Moves the files to the folder that is served, replacing a previous revision in one step.
    ///
    /// If the file system can't exchange two folders, as on a network share, the previous revision is moved away first.
    /// In between, the server responds with 503.
    fileprivate func takePlace() throws(ServerError) {
        let (name, versionName) = (ref.stagingName, ref.version.description)
        if try app.folder(versionName) == nil {
            try incoming.move(name, to: app, as: versionName)
        } else if !(try incoming.exchange(name, with: app, versionName)) {
            let former = name + ".former"
            try incoming.remove(former)
            try app.move(versionName, to: incoming, as: former)
            try incoming.move(name, to: app, as: versionName)
            try incoming.remove(former)
        }
        try app.sync()
        try discard()
        try incoming.sync()
    }
}
