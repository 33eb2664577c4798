import TenureCommandLine
import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

extension Concern {
    /// Reports files of served packages that are missing on disk.
    static let packages = Concern(
        after: .keys, title: "packages", arguments: [PackageOptions.packages], check: missingFiles)

    @Sendable private static func missingFiles(_ context: ConcernContext) async -> [Finding] {
        let (path, arguments) = (context.arguments.packagesPath, context.arguments)
        // If no option names the folder and the store is a shared database, `serve` may use another folder, perhaps on
        // another host.
        let isGuessed =
            context.location.isShared && arguments[PackageOptions.packages] == nil
            && !arguments.isNamed(SharedOptions.data)
        do {
            let catalog = try await context.features.catalog(of: context.store)
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
            let packages = try PackageStore(path).inspect(catalog)
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
