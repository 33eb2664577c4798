import TenureCommandLine
import TenureCore
import TenureFormats
import TenureMarketplace
import TenureServerKit
import TenureStore

/// The commands `tenure marketplace packages` and `tenure marketplace remove`.
enum MarketplacePackagesCommand {
    private static let tenant = Argument.required(
        "tenant", "TENANT", "The tenant of the marketplace.", as: ArgumentReading<TenantID>.slug())
    private static let item = Argument.required("item", "APP", "The app's Apple item id.", as: .appleItem)
    private static let version = Argument.required("version", "VERSION", "The Apple version id.", as: .appleVersion)

    private static let isSure = Argument.flag("yes", "Don't ask before removing a version that devices have.")

    private static let package = Schema.output([
        ("tenant", .text()), ("appleItemID", .text()), ("appleVersionID", .text()), ("shortVersion", .text()),
        ("bundleVersion", .text()), ("revision", .integer()), ("packageID", .textOrNull), ("state", .text()),
        ("cause", .textOrNull), ("missing", .texts), ("bytes", .integer()),
    ])

    private static let imported = Schema.output([
        ("tenant", .text()), ("appleItemID", .textOrNull), ("appleVersionID", .textOrNull),
        ("packageVersion", .text()), ("packageID", .textOrNull), ("state", .text()), ("cause", .textOrNull),
        ("nextAt", .momentOrNull), ("bytes", .integer()), ("fetched", .integer()),
    ])

    static func list(_ installations: Installations) -> Command {
        Command(
            "packages", "Lists packages that are served or being fetched, and their missing files.",
            discussion: """
                ready: served and offered. held: not offered, but downloads in progress continue. withdrawn: its app \
                was taken down. failed: files are missing; import the package again.

                Packages from App Store Connect are first announced, fetching or waiting. They are held while the \
                catalog lacks their app. If one has failed, see its cause; `tenure job retry` tries again.
                """,
            example: "tenure marketplace packages --tenant acme --json",
            arguments: [SharedOptions.tenant, PackageOptions.packages, SharedOptions.json, SharedOptions.wide]
                + SharedOptions.installation,
            output: Schema.page("packages", of: package.or(imported))
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let catalog = try await installation.catalog().current.catalog
            let imports = try await installation.context.imports(of: arguments[SharedOptions.tenant])
                .filter { $0.state != "ready" }
            await installation.store.close()
            let packages = try PackageStore(arguments.packagesPath).inspect(
                catalog, of: arguments[SharedOptions.tenant])
            if arguments[SharedOptions.json] {
                console.answer { body in
                    body.array("packages") { list in
                        for package in packages { list.object { $0.package(package) } }
                        for line in imports { list.object { $0.imported(line) } }
                    }
                    body.next(nil)
                }
                return .done
            }
            if packages.isEmpty, imports.isEmpty {
                console.note("there are no packages; import one with `tenure marketplace ingest PATH`")
            }
            var table = TextTable([
                .text("package"), .text("version"), .number("revision"), .number("KiB"), .state("state"),
                .text("missing"),
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
    }

    private static func fetched(_ imports: [PackageImport.Line]) -> TextTable {
        var table = TextTable([
            .text("app"), .text("version"), .state("state"), .text("cause"), .text("next try"), .number("KiB"),
            .number("total KiB"), .text("package version"),
        ])
        for line in imports {
            table.add([
                line.item?.description ?? "-", line.version?.description ?? "-", line.state, line.cause ?? "-",
                line.nextAt?.local ?? "-", String(line.fetched >> 10), String(line.size >> 10), line.id,
            ])
        }
        return table
    }

    static func remove(_ installations: Installations) -> Command {
        Command(
            "remove", "Removes a version of an app, and its package's files.",
            discussion: """
                Devices that request it are told that the version is unknown. Licenses of devices that have it stay, \
                but are not renewed until the app is updated. Applying a catalog file that names the version's package \
                brings it back. If devices have the version, the command says how many, and asks.
                """,
            example: "tenure marketplace remove --tenant acme --item 6483539426 --version 868184258",
            arguments: [tenant, item, version, isSure, PackageOptions.packages, SharedOptions.json]
                + SharedOptions.installation,
            output: Schema.output([
                ("tenant", .text()), ("appleItemID", .text()), ("appleVersionID", .text()), ("removed", .boolean),
                ("devices", .integer()),
            ])
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let ref = PackageRef(tenant: arguments[tenant], item: arguments[item], version: arguments[version])
            let devices = try await installation.context.devices(with: ref)
            if devices > 0 {
                let fact =
                    "\(devices == 1 ? "1 device has" : "\(devices) devices have") a license for this version, which "
                    + "won't be renewed until \(devices == 1 ? "it updates" : "they update") the app."
                if arguments[isSure] {
                    console.note(fact)
                } else {
                    try console.confirm(fact, orElse: "Nothing was removed: \(fact)")
                }
            }
            let isRemoved = try await installation.context.removePackage(
                ref, from: PackageStore(arguments.packagesPath))
            await installation.store.close()
            guard isRemoved else {
                throw CommandError(
                    "Nothing was changed: \(ref.tenant) has no version \(ref.version) of an app \(ref.item). Run `tenure marketplace packages` to see all versions."
                )
            }
            console.answer("- package \(ref)", asJSON: arguments[SharedOptions.json]) { body in
                body.member("tenant", ref.tenant.text)
                body.member("appleItemID", ref.item.description)
                body.member("appleVersionID", ref.version.description)
                body.member("removed", true)
                body.member("devices", devices)
            }
            return .done
        }
    }
}

extension JSONObjectWriter {
    fileprivate mutating func imported(_ line: PackageImport.Line) {
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

    fileprivate mutating func package(_ package: InspectedPackage) {
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
