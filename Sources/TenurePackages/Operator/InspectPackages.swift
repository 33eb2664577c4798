public import TenureCore
import TenureFormats
import TenureHTTP
public import TenureServerKit

/// Tells how the packages stand that a server is to serve, and what of them is not on the disk.
public struct InspectPackages: Sendable {
    let shelf: PackageShelf

    /// Looks at a shelf.
    public init(shelf: PackageShelf) { self.shelf = shelf }

    /// How a package stands.
    public enum State: String, Sendable, Hashable {
        /// It is served and offered.
        case ready
        /// It is served to whoever downloads it already, and offered to nobody.
        case held
        /// It belongs to an app that was taken down: it is not served.
        case withdrawn
        /// It cannot be served.
        case failed
    }

    /// A package and how it stands.
    public struct Inspected: Sendable, Hashable {
        /// Which package.
        public let ref: PackageRef
        /// How it stands.
        public let state: State
        /// Why it cannot be served, such as `files_missing`; nil where nothing is wrong.
        public let cause: String?
        /// The version as it is recorded.
        public let version: AppVersion
        /// Files that are not on the disk, or have another size than the manifest says.
        public let missing: [String]
        /// Bytes of the files that are there.
        public let size: Int64
    }

    /// Looks at all packages, or those of one tenant, in their order. It blocks while it looks. Throws ``ServerError``
    /// where the folder cannot be read.
    public func callAsFunction(_ catalog: Catalog, of tenant: TenantID? = nil) throws(ServerError) -> [Inspected] {
        var all: [Inspected] = []
        for one in catalog.tenants.values.sorted(by: { $0.id < $1.id }) where tenant == nil || one.id == tenant {
            for app in one.marketplace?.apps.values.sorted(by: { $0.item < $1.item }) ?? [] {
                for version in app.versions.values.sorted(by: { $0.id < $1.id }) where version.package != nil {
                    let ref = PackageRef(tenant: one.id, item: app.item, version: version.id)
                    all.append(try inspect(version, of: app, at: ref))
                }
            }
        }
        return all
    }

    private func inspect(
        _ version: AppVersion, of app: MarketplaceApp, at ref: PackageRef
    ) throws(ServerError) -> Inspected {
        let (missing, size) = try files(of: ref)
        var state = version.isHeld ? State.held : .ready
        if app.isWithdrawn || version.availability.isWithdrawn {
            state = .withdrawn
        } else if !missing.isEmpty {
            state = .failed
        }
        return Inspected(
            ref: ref, state: state, cause: missing.isEmpty ? nil : "files_missing", version: version, missing: missing,
            size: size)
    }

    private func files(of ref: PackageRef) throws(ServerError) -> (missing: [String], size: Int64) {
        guard let manifest = try shelf.manifest(of: ref), let file = try shelf.file(["manifest.json"], of: ref) else {
            return (["manifest.json"], 0)
        }
        var missing: [String] = []
        var size = file.size
        let signature = try shelf.file(["signature"], of: ref)
        if let signature { size += signature.size } else { missing.append("signature") }
        for asset in manifest.assets {
            let parts = asset.path.split(separator: "/").map(String.init)
            if try shelf.file(parts, of: ref)?.size == asset.size {
                size += asset.size
            } else {
                missing.append(asset.path)
            }
        }
        return (missing, size)
    }
}
