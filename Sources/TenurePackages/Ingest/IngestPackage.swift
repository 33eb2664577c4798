public import TenureCore
import TenureFormats
import TenureHTTP
import TenureMarketplace
public import TenureServerKit
public import TenureStore

/// Brings a package in: its files are copied and checked beside those that are served, then take their place in one step.
///
/// A command that is killed at any moment leaves what was served before, or the new package whole; given again, it goes on.
public struct IngestPackage: Sendable {
    let store: any Store
    let shelf: PackageShelf
    let clock: any WallClock

    /// Brings packages to a shelf and into a store.
    public init(store: any Store, shelf: PackageShelf, clock: any WallClock) {
        self.store = store
        self.shelf = shelf
        self.clock = clock
    }

    /// What became of a package.
    public enum Outcome: Sendable, Hashable {
        /// It is served now; with whether its version is held back, how many key blobs were made for the simulated engine,
        /// and the assets without a key.
        case served(isHeld: Bool, made: Int, keyless: [AssetID])
        /// The same is served already.
        case unchanged
        /// The tenant's marketplace lists no such app.
        case appUnknown
        /// The app is another bundle.
        case otherBundle(String)
        /// A later revision of the same version is served.
        case outdated(revision: Int64)
        /// The app has as many versions as are kept.
        case tooManyVersions(limit: Int)
    }

    /// What can be said before a byte is copied: that the same is served, or that it cannot be; nil where it is to be
    /// copied. Throws ``ServerError``.
    /// - Parameter marketplace: The tenant's marketplace as it is stored.
    public func foresee(
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
            let parts = asset.path.split(separator: "/").map(String.init)
            guard try shelf.file(parts, of: ref)?.size == asset.size else { return nil }
        }
        return .unchanged
    }

    /// Copies and checks a package; nothing of it is served yet. It blocks while it copies. Throws ``ServerError``.
    /// - Parameter progress: Told how many bytes were copied since it was told the last time.
    public func stage(
        _ package: BroughtPackage, for tenant: TenantID, progress: (Int) -> Void
    ) throws(ServerError) -> StagedPackage {
        try StagedPackage.make(
            package, as: PackageRef(tenant: tenant, item: package.item, version: package.version), on: shelf,
            at: clock.now(), progress: progress)
    }

    /// Lets a copied package be served. Throws ``ServerError``.
    ///
    /// Its keys are recorded before its manifest can be read, so that no device asks for a license that cannot be written;
    /// a version that is new is recorded when its files are in their place.
    /// - Parameter packageID: What App Store Connect calls the package, by which takedowns name it; nil where nobody told.
    public func publish(_ staged: StagedPackage, packageID: String?) async throws(ServerError) -> Outcome {
        let listed = staged.package.listed(of: staged.ref.tenant)
        let hold = HoldPackage(store: store)
        let before = try await hold(listed, revision: staged.package.revision, held: nil)
        guard case .recorded = before else {
            try staged.discard()
            return Outcome(before)
        }
        try staged.takePlace()
        let held = HeldPackage(revision: staged.package.revision, id: packageID)
        return Outcome(try await hold(listed, revision: staged.package.revision, held: held))
    }

    private func bytes(_ name: String, of ref: PackageRef) throws(ServerError) -> [UInt8]? {
        try shelf.file([name], of: ref).map { FilePart($0).read() }
    }
}

extension IngestPackage.Outcome {
    fileprivate init(_ outcome: HoldPackage.Outcome) {
        switch outcome {
        case .recorded(let recorded):
            self = .served(isHeld: recorded.isHeld, made: recorded.made, keyless: recorded.keyless)
        case .appUnknown: self = .appUnknown
        case .otherBundle(let bundle): self = .otherBundle(bundle)
        case .outdated(let revision): self = .outdated(revision: revision)
        case .tooManyVersions(let limit): self = .tooManyVersions(limit: limit)
        }
    }
}

extension StagedPackage {
    /// Puts the files where they are served from: in one step, also in the place of a former revision.
    ///
    /// Where the disk cannot exchange two folders, such as one on the network, the former one is taken away first; the
    /// server answers 503 in that moment.
    fileprivate func takePlace() throws(ServerError) {
        let (name, place) = (ref.stagingName, ref.version.description)
        if try app.folder(place) == nil {
            try incoming.move(name, to: app, as: place)
        } else if !(try incoming.exchange(name, with: app, place)) {
            let former = name + ".former"
            try incoming.remove(former)
            try app.move(place, to: incoming, as: former)
            try incoming.move(name, to: app, as: place)
            try incoming.remove(former)
        }
        try app.sync()
        try discard()
        try incoming.sync()
    }
}
