import TenureCommandLine
import TenureCore
import TenureMarketplace
import TenurePackages
import TenureServerKit
import TenureStore

/// Checks that the files of served packages exist.
enum PackageCheck {
    /// Checks the files in a folder.
    ///
    /// - Parameter isGuessed: Whether no option names the folder and the store is a shared database. `serve` may then
    ///   use another folder, perhaps on another machine.
    static func run(_ store: any Store, at path: String, isGuessed: Bool = false) async -> [Finding] {
        do {
            let catalog = try await FeatureSet.tenure.catalog(of: store)
            if isGuessed, !CallersFile.exists(path) {
                let versions = catalog.tenants.values.compactMap(\.marketplace).flatMap(\.apps.values)
                    .flatMap(\.versions.values)
                guard versions.contains(where: { $0.package != nil }) else { return [] }
                return [
                    .ok(
                        "packages",
                        "not checked: there is no \(path); pass the folder that `serve` uses with --packages DIR")
                ]
            }
            let packages = try InspectPackages(shelf: PackageShelf(path))(catalog)
            if packages.isEmpty { return [] }
            let faulty = packages.filter { !$0.missing.isEmpty }
            guard let first = faulty.first else {
                let size = packages.reduce(0) { $0 + $1.size }
                return [.ok("packages", "\(packages.count), \(size >> 20) MiB in \(path)")]
            }
            let names = first.missing.prefix(3).joined(separator: ", ")
            let others = first.missing.count > 3 ? " and \(first.missing.count - 3) more" : ""
            let rest = faulty.count > 1 ? "; \(faulty.count - 1) more packages lack files" : ""
            return [
                .failure(
                    "packages", "missing in \(path)/\(first.ref): \(names)\(others)\(rest)",
                    cure:
                        "Backups don't contain packages. Import them again with `tenure marketplace ingest`, or pass the right folder with --packages DIR."
                )
            ]
        } catch {
            return [.failure("packages", "\(error)", cure: "See the message. The folder is set by --packages DIR.")]
        }
    }
}
