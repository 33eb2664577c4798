import TenureCommandLine
import TenureCore
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit

extension ApplyStep {
    /// Imports the packages that the file names.
    static let packages = ApplyStep(
        discussion:
            "Packages whose assets are present are checked and copied, as by `tenure marketplace ingest`.",
        arguments: [PackageOptions.packages]
    ) { catalog, files throws(CatalogFileError) in
        let listed = try PackageSpecs(catalog, files)
        return { installation, arguments, isDry, console in
            let staged = try await listed.stage(
                on: PackageStore(arguments.packagesPath), of: installation, isDry: isDry, console)
            return { try await staged.publish() }
        }
    }
}

/// The packages that a catalog file names by folder, which are imported with the catalog.
struct PackageSpecs: Sendable {
    private let packages: [(tenant: TenantID, package: BroughtPackage)]

    /// Reads the packages without copying them; throws all their errors, with positions in the catalog file.
    init(_ catalog: CatalogFile, _ files: FilesOnDisk) throws(CatalogFileError) {
        var packages: [(TenantID, BroughtPackage)] = []
        var problems: [CatalogFileError.Problem] = []
        for listed in catalog.listed(PackageSpec.Folder.self) {
            do throws(ServerError) {
                packages.append((listed.tenant, try BroughtPackage(at: files.path(of: listed.path))))
            } catch {
                problems.append(.init(pointer: listed.pointer, message: error.message))
            }
        }
        guard problems.isEmpty else { throw CatalogFileError(problems: problems) }
        self.packages = packages
    }

    /// Copies and checks packages that aren't served yet.
    ///
    /// This happens before the catalog is applied, so that a damaged package changes nothing.
    func stage(
        on packageStore: PackageStore, of installation: Installation, isDry: Bool, _ console: Console
    ) async throws -> StagedPackages {
        let ingest = IngestPackage(
            store: ServerStore(installation.store), packageStore: packageStore, clock: installation.clock)
        var staged = StagedPackages(ingest: ingest)
        if packages.isEmpty { return staged }
        let tenants = try await installation.catalog().current.catalog.tenants
        do {
            for (tenant, package) in packages {
                let ref = PackageRef(tenant: tenant, item: package.item, version: package.version)
                switch try ingest.foresee(package, packageID: nil, at: tenants[tenant]?.marketplace, of: tenant) {
                case .unchanged: continue
                case .outdated(let revision):
                    staged.tell(.keep, ref, "revision \(revision), which is newer, is already served")
                default:
                    if !isDry {
                        staged.add(
                            try PackageProgress.stage(package, for: tenant, by: ingest, on: console), ref, package)
                    } else {
                        staged.tell(.create, ref, PackageSpecs.summary(package))
                    }
                }
            }
        } catch {
            staged.discard()
            throw error
        }
        return staged
    }

    fileprivate static func summary(_ package: BroughtPackage) -> String {
        "\(package.title), \(package.size >> 10) KiB"
    }
}

/// Packages that were copied but aren't served yet, and notes about the other packages of the file.
struct StagedPackages: Sendable {
    private let ingest: IngestPackage
    private var staged: [(package: StagedPackage, change: PlannedChange)] = []
    private var changes: [PlannedChange] = []

    fileprivate init(ingest: IngestPackage) { self.ingest = ingest }

    fileprivate mutating func add(_ package: StagedPackage, _ ref: PackageRef, _ brought: BroughtPackage) {
        staged.append((package, PlannedChange(.create, "package", ref.description, PackageSpecs.summary(brought))))
    }

    fileprivate mutating func tell(_ verb: PlannedChange.Verb, _ ref: PackageRef, _ detail: String) {
        changes.append(PlannedChange(verb, "package", ref.description, detail))
    }

    /// Removes the copies of packages that won't be published.
    func discard() { for item in staged { try? item.package.discard() } }

    /// Starts serving the copied packages, once the catalog lists their apps, and returns the changes.
    func publish() async throws -> [PlannedChange] {
        var changes = changes
        for (package, change) in staged {
            guard case .served = try await ingest.publish(package, packageID: nil) else { continue }
            changes.append(change)
        }
        return changes
    }
}
