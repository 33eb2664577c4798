import TenureCommandLine
import TenureCore
import TenureMarketplace
import TenurePackages
import TenureServerKit

/// The packages that a catalog file names with their assets: they are brought in with the catalog.
struct ListedPackages {
    private let packages: [(tenant: TenantID, package: BroughtPackage)]

    /// Reads them as far as their assets; throws everything that is wrong with them, each with its place in the file.
    init(_ catalog: CatalogFile, _ files: FilesOnDisk) throws(CatalogFileError) {
        var packages: [(TenantID, BroughtPackage)] = []
        var problems: [CatalogFileError.Problem] = []
        for listed in catalog.listed(ListedFolder.self) {
            do throws(ServerError) {
                packages.append((listed.tenant, try BroughtPackage(at: files.path(of: listed.path))))
            } catch {
                problems.append(.init(pointer: listed.place, message: error.message))
            }
        }
        guard problems.isEmpty else { throw CatalogFileError(problems: problems) }
        self.packages = packages
    }

    /// Copies and checks those that are not served yet, before the catalog is applied: a damaged one changes nothing.
    func stage(
        on shelf: PackageShelf, of installation: Installation, isDry: Bool, _ console: Console
    ) async throws -> StagedPackages {
        let ingest = IngestPackage(store: installation.store, shelf: shelf, clock: installation.clock)
        var staged = StagedPackages(ingest: ingest)
        if packages.isEmpty { return staged }
        let tenants = try await installation.catalog().current.catalog.tenants
        do {
            for (tenant, package) in packages {
                let ref = PackageRef(tenant: tenant, item: package.item, version: package.version)
                switch try ingest.foresee(package, packageID: nil, at: tenants[tenant]?.marketplace, of: tenant) {
                case .unchanged: continue
                case .outdated(let revision):
                    staged.tell(.keep, ref, "revision \(revision) is served, which is later")
                default:
                    if !isDry {
                        staged.add(
                            try PackageProgress.stage(package, for: tenant, by: ingest, on: console), ref, package)
                    } else {
                        staged.tell(.create, ref, ListedPackages.told(package))
                    }
                }
            }
        } catch {
            staged.discard()
            throw error
        }
        return staged
    }

    fileprivate static func told(_ package: BroughtPackage) -> String { "\(package.title), \(package.size >> 10) KiB" }
}

/// Packages that were copied, and what is to be told of others.
struct StagedPackages {
    private let ingest: IngestPackage
    private var staged: [(package: StagedPackage, change: PlannedChange)] = []
    private var told: [PlannedChange] = []

    fileprivate init(ingest: IngestPackage) { self.ingest = ingest }

    fileprivate mutating func add(_ package: StagedPackage, _ ref: PackageRef, _ brought: BroughtPackage) {
        staged.append((package, PlannedChange(.create, "package", ref.description, ListedPackages.told(brought))))
    }

    fileprivate mutating func tell(_ verb: PlannedChange.Verb, _ ref: PackageRef, _ detail: String) {
        told.append(PlannedChange(verb, "package", ref.description, detail))
    }

    /// Removes what was copied.
    func discard() { for one in staged { try? one.package.discard() } }

    /// Lets what was copied be served, now that the catalog lists its apps; answers what changed.
    func publish() async throws -> [PlannedChange] {
        var changes = told
        for (package, change) in staged {
            guard case .served = try await ingest.publish(package, packageID: nil) else { continue }
            changes.append(change)
        }
        return changes
    }
}
