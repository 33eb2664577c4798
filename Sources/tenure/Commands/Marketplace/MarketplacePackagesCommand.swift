import TenureMarketplace
import TenureCommandLine
import TenureCore
import TenureFormats
import TenurePackages
import TenureServerKit
import TenureStore

/// The commands `tenure marketplace packages` and `tenure marketplace remove`.
enum MarketplacePackagesCommand {
    private static let tenant = Argument.required(
        "tenant", "TENANT", "Whose marketplace.", as: ArgumentReading<TenantID>.slug())
    private static let item = Argument.required("item", "APP", "The app's number.", as: .appleItem)
    private static let version = Argument.required("version", "VERSION", "The version's number.", as: .appleVersion)

    static let list = Command(
        "packages", "Lists the packages that are served or fetched, and what of them is missing.",
        discussion: """
            ready: served and offered. held: offered to nobody, while downloads under way go on. withdrawn: its app was \
            taken down. failed: files are missing; bring the package in again.

            Packages from App Store Connect are announced, fetching or waiting before; held while the catalog lacks their \
            app; failed where the cause says why and `tenure job retry` goes on.
            """,
        example: "tenure marketplace packages --tenant acme --json",
        arguments: [SharedOptions.tenant, SharedOptions.packages, SharedOptions.json] + SharedOptions.installation
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let catalog = try await installation.catalog().current.catalog
        let imports = try await ReadImports(store: installation.store)(of: arguments[SharedOptions.tenant])
            .filter { $0.state != "ready" }
        await installation.store.close()
        let packages = try InspectPackages(shelf: PackageShelf(arguments.packagesPath))(
            catalog, of: arguments[SharedOptions.tenant])
        if arguments[SharedOptions.json] {
            console.answer { body in
                body.array("packages") { list in
                    for package in packages { list.object { $0.package(package) } }
                    for line in imports { list.object { $0.imported(line) } }
                }
            }
            return .done
        }
        if packages.isEmpty, imports.isEmpty {
            console.note("no packages; `tenure marketplace ingest PATH` brings one in")
        }
        var table = TextTable([
            .text("package"), .text("version"), .number("revision"), .number("KiB"), .text("state"), .text("missing"),
        ])
        for package in packages {
            table.add([
                package.ref.description, "\(package.version.shortVersion) (\(package.version.bundleVersion))",
                String(package.version.package?.revision ?? 0), String(package.size >> 10), package.state.rawValue,
                package.missing.isEmpty ? "-" : package.missing.joined(separator: " "),
            ])
        }
        if !packages.isEmpty { console.answer(table) }
        if !imports.isEmpty { console.answer(fetched(imports)) }
        return .done
    }

    private static func fetched(_ imports: [ReadImports.Line]) -> TextTable {
        var table = TextTable([
            .text("app"), .text("version"), .text("state"), .text("cause"), .text("next try"), .number("KiB"),
            .number("of KiB"), .text("package version"),
        ])
        for line in imports {
            table.add([
                line.item?.description ?? "-", line.version?.description ?? "-", line.state, line.cause ?? "-",
                line.nextAt?.description ?? "-", String(line.fetched >> 10), String(line.size >> 10), line.id,
            ])
        }
        return table
    }

    static let remove = Command(
        "remove", "Takes a version of an app away, with the files of its package.",
        discussion: """
            Devices are told that they asked for an unknown version. Licenses of devices that have it stay, and are not \
            renewed until the app is updated. A catalog file that names the version's package brings it back when it is \
            applied.
            """,
        example: "tenure marketplace remove --tenant acme --item 6483539426 --version 868184258",
        arguments: [tenant, item, version, SharedOptions.packages, SharedOptions.json] + SharedOptions.installation
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let ref = PackageRef(tenant: arguments[tenant], item: arguments[item], version: arguments[version])
        let isRemoved = try await RemovePackage(
            store: installation.store, shelf: PackageShelf(arguments.packagesPath))(ref)
        await installation.store.close()
        guard isRemoved else {
            throw CommandError(
                "\(ref.tenant) has no version \(ref.version) of an app \(ref.item). Nothing was changed.")
        }
        console.answer("- package \(ref)", asJSON: arguments[SharedOptions.json]) { body in
            body.member("tenant", ref.tenant.text)
            body.member("appleItemID", ref.item.description)
            body.member("appleVersionID", ref.version.description)
            body.member("removed", true)
        }
        return .done
    }
}

extension JSONObjectWriter {
    fileprivate mutating func imported(_ line: ReadImports.Line) {
        member("tenant", line.tenant.text)
        member("appleItemID", line.item?.description)
        member("appleVersionID", line.version?.description)
        member("packageVersion", line.id)
        member("packageID", line.package)
        member("state", line.state)
        member("cause", line.cause)
        member("nextAt", line.nextAt?.description)
        member("bytes", line.size)
        member("fetched", line.fetched)
    }

    fileprivate mutating func package(_ package: InspectPackages.Inspected) {
        member("tenant", package.ref.tenant.text)
        member("appleItemID", package.ref.item.description)
        member("appleVersionID", package.ref.version.description)
        member("shortVersion", package.version.shortVersion)
        member("bundleVersion", package.version.bundleVersion)
        member("revision", package.version.package?.revision ?? 0)
        member("packageID", package.version.package?.id)
        member("state", package.state.rawValue)
        member("cause", package.cause)
        member("missing", package.missing)
        member("bytes", package.size)
    }
}
