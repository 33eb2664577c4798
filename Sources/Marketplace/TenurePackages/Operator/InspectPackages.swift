import TenureCore
import TenureMarketplace
import TenureServerKit

/// A package as it is in the packages folder.
struct InspectedPackage: Sendable, Hashable {
    let ref: PackageRef
    let state: State
    /// The code `files_missing` if the package can't be served for that reason; `nil` otherwise.
    let cause: String?
    /// The version as the catalog stores it.
    let version: AppVersion
    /// The paths of files that are missing on disk or differ in size from the manifest.
    let missing: [String]
    /// The total size of the files that exist, in bytes.
    let size: Int64

    enum State: String, Sendable, Hashable {
        /// The package is served and offered.
        case ready
        /// The package is served to devices that already download it, but it isn't offered.
        case held
        /// The package or its app was taken down, so the package isn't served.
        case withdrawn
        /// The package can't be served, for the reason in ``InspectedPackage/cause``.
        case failed
    }
}

extension PackageStore {
    /// Inspects all packages of a catalog, or those of one tenant, sorted by tenant, app and version.
    ///
    /// The call blocks while it reads the disk. Throws ``ServerError`` if the folder can't be read.
    func inspect(_ catalog: Catalog, of tenant: TenantID? = nil) throws(ServerError) -> [InspectedPackage] {
        var packages: [InspectedPackage] = []
        for candidate in catalog.tenants.values.sorted(by: { $0.id < $1.id })
        where tenant == nil || candidate.id == tenant {
            for app in candidate.marketplace?.apps.values.sorted(by: { $0.item < $1.item }) ?? [] {
                for version in app.versions.values.sorted(by: { $0.id < $1.id }) where version.package != nil {
                    let ref = PackageRef(tenant: candidate.id, item: app.item, version: version.id)
                    packages.append(try inspect(version, of: app, at: ref))
                }
            }
        }
        return packages
    }

    private func inspect(
        _ version: AppVersion, of app: MarketplaceApp, at ref: PackageRef
    ) throws(ServerError) -> InspectedPackage {
        let (missing, size) = try files(of: ref)
        var state = version.isHeld ? InspectedPackage.State.held : .ready
        if app.isWithdrawn || version.availability.isWithdrawn {
            state = .withdrawn
        } else if !missing.isEmpty {
            state = .failed
        }
        return InspectedPackage(
            ref: ref, state: state, cause: missing.isEmpty ? nil : "files_missing", version: version, missing: missing,
            size: size)
    }

    private func files(of ref: PackageRef) throws(ServerError) -> (missing: [String], size: Int64) {
        guard let manifest = try manifest(of: ref),
            let file = try file(["manifest.json"], of: ref)
        else {
            return (["manifest.json"], 0)
        }
        var missing: [String] = []
        var size = file.size
        let signature = try self.file(["signature"], of: ref)
        if let signature { size += signature.size } else { missing.append("signature") }
        for asset in manifest.assets {
            let parts = asset.path.split(atByte: "/").map(String.init)
            if try self.file(parts, of: ref)?.size == asset.size {
                size += asset.size
            } else {
                missing.append(asset.path)
            }
        }
        return (missing, size)
    }
}
