import FoundationEssentials
import TenureCommandLine
import TenureCore
import TenureFormats
import TenureMarketplace
import TenureServerKit
import TenureStore

enum MarketplaceIngestCommand {
    private static let path: Argument<String?> = .optionalPositional(
        "PATH", "An assembled package: a folder, or a zip file of one.", as: .text)
    private static let packageVersion: Argument<String?> = .optional(
        "package-version", "UUID", "Instead of PATH: let a running server fetch this package version.", as: .uuid)
    private static let tenant = Argument.required(
        "tenant", "TENANT", "The tenant of the marketplace.", as: ArgumentReading<TenantID>.slug())
    private static let packageID: Argument<String?> = .optional(
        "package-id", "UUID", "The package's id in App Store Connect, which takedowns refer to.", as: .uuid)

    private static let wait = Argument.flag(
        "wait", "With --package-version: wait until the package is served, and show the progress.")

    static func command(_ installations: Installations) -> Command {
        Command(
            "ingest", "Imports an app's package: checks it, copies it, and serves it to devices.",
            discussion: """
                The package must contain exactly the files that manifest.json names. Each chunk is compared with its \
                digest if the manifest has digests. The signature is not checked here: its format is Apple's, and \
                devices check it. The previous package is served until the new files are complete and replace it in one \
                step. After an interruption, run the command again. The app must be listed in the catalog.
                """,
            example: "tenure marketplace ingest game-1.4.2.zip --tenant acme",
            arguments: [path, tenant, packageID, packageVersion, wait, PackageOptions.packages, SharedOptions.json]
                + SharedOptions.installation,
            output: Schema.output(
                [("tenant", .text())],
                optional: [
                    ("appleItemID", .textOrNull), ("appleVersionID", .textOrNull), ("packageVersion", .text()),
                    ("state", .text()), ("cause", .textOrNull), ("changed", .boolean), ("bytes", .integer()),
                ])
        ) { arguments, console in
            if let version = arguments[packageVersion] {
                guard arguments[path] == nil else { throw UsageError("give PATH or --package-version, not both") }
                return try await announce(installations, version, arguments, console)
            }
            guard let path = arguments[path] else { throw UsageError("PATH is missing") }
            guard !arguments[wait] else { throw UsageError("--wait works only with --package-version") }
            let package = try BroughtPackage(at: path)
            let installation = try await installations.open(arguments, console: console)
            let ingest = IngestPackage(
                store: ServerStore(installation.store), packageStore: PackageStore(arguments.packagesPath),
                clock: installation.clock
            )
            let tenant = arguments[tenant]
            let marketplace = try await installation.catalog().current.catalog.tenants[tenant]?.marketplace
            var outcome = try ingest.foresee(package, packageID: arguments[packageID], at: marketplace, of: tenant)
            if outcome == nil {
                let staged = try PackageProgress.stage(package, for: tenant, by: ingest, on: console)
                outcome = try await ingest.publish(staged, packageID: arguments[packageID])
            }
            await installation.store.close()
            try PackageProgress.tell(
                outcome, of: package, at: tenant, asJSON: arguments[SharedOptions.json], on: console)
            return .done
        }
    }
}

extension MarketplaceIngestCommand {
    /// Queues a package version, so that a running server fetches it from App Store Connect.
    private static func announce(
        _ installations: Installations, _ version: String, _ arguments: Parsed, _ console: Console
    ) async throws -> ExitCode {
        let installation = try await installations.open(arguments, console: console)
        let outcome = try await installation.context.announcePackage(
            version, package: arguments[packageID], of: arguments[tenant])
        switch outcome {
        case .announced, .unchanged:
            if arguments[wait] {
                let line = try await PackageProgress.follow(
                    version, of: arguments[tenant], in: installation.context,
                    on: PackageStore(arguments.packagesPath), console)
                await installation.store.close()
                try PackageProgress.tell(line, asJSON: arguments[SharedOptions.json], on: console)
                return .done
            }
            await installation.store.close()
            let line =
                outcome == .announced
                ? "announced; a running server will fetch it, and `tenure marketplace packages` shows its progress"
                : "nothing was changed: it is already being fetched or served"
            console.answer(line, asJSON: arguments[SharedOptions.json]) { body in
                body.member("tenant", arguments[tenant].text)
                body.member("packageVersion", version)
                body.member("changed", outcome == .announced)
            }
        case .marketplaceUnknown:
            throw CommandError(
                "Nothing was changed: \(arguments[tenant]) has no marketplace. Add one to the catalog file and run `tenure apply FILE`."
            )
        case .nameless:
            throw CommandError(
                "Nothing was changed: \(version) is not an id of App Store Connect. Copy the package version's id from there."
            )
        }
        return .done
    }
}

/// Copies a package or waits for its import, and prints the progress and the result.
enum PackageProgress {
    /// Copies a package to its staging folder, with a progress bar in KiB.
    static func stage(
        _ package: BroughtPackage, for tenant: TenantID, by ingest: IngestPackage, on console: Console
    ) throws -> StagedPackage {
        let progress = console.progress("copying KiB", total: Int(package.size >> 10))
        var rest = 0
        let staged: StagedPackage
        do {
            staged = try ingest.stage(package, for: tenant) { bytes in
                rest += bytes
                progress.advance(by: rest >> 10)
                rest &= 1023
            }
        } catch {
            progress.clear()
            throw error
        }
        progress.finish()
        return staged
    }

    /// Waits until an import has ended, with a progress bar in KiB; prints each cause of a delay once.
    static func follow(
        _ version: String, of tenant: TenantID, in context: FeatureContext, on packageStore: PackageStore,
        _ console: Console
    ) async throws -> PackageImport.Line {
        var (progress, shown): (TenureCommandLine.Progress?, Int64) = (nil, 0)
        var note: String?
        while let line = try await context.packageImport(version, of: tenant, on: packageStore) {
            if progress == nil, line.size > 0 {
                progress = console.progress("fetching KiB", total: Int(line.size >> 10))
            }
            progress?.advance(by: Int((line.fetched >> 10) - (shown >> 10)))
            shown = line.fetched
            if ["ready", "failed", "withdrawn", "held"].contains(line.state) {
                line.state == "ready" ? progress?.finish() : progress?.clear()
                return line
            }
            if let cause = line.cause, cause != note {
                note = cause
                progress?.clear()
                console.note("waiting: \(cause)")
            }
            try await Task.sleep(for: .milliseconds(250))
        }
        throw CommandError("The import is no longer in the store. Run the command again.")
    }

    /// Prints the result of an import from App Store Connect; throws if the package isn't served.
    static func tell(_ line: PackageImport.Line, asJSON: Bool, on console: Console) throws {
        let name = "\(line.tenant)/\(line.item?.description ?? "?")/\(line.version?.description ?? "?")"
        guard line.state == "ready" else {
            let cause = line.cause.map { ", \($0)" } ?? ""
            throw CommandError(
                "The package \(name) is not served: \(line.state)\(cause). Run `tenure marketplace packages` to see its state."
            )
        }
        console.answer(
            "+ package \(name), \(line.size >> 10) KiB" + (line.cause.map { ", \($0)" } ?? ""), asJSON: asJSON
        ) { body in
            body.member("tenant", line.tenant.text)
            body.member("appleItemID", line.item?.description)
            body.member("appleVersionID", line.version?.description)
            body.member("state", line.state)
            body.member("cause", line.cause)
            body.member("bytes", line.size)
        }
    }

    /// Prints the result of importing a package from disk; throws if it isn't served.
    static func tell(
        _ outcome: IngestPackage.Outcome?, of package: BroughtPackage, at tenant: TenantID, asJSON: Bool,
        on console: Console
    ) throws {
        let ref = PackageRef(tenant: tenant, item: package.item, version: package.version)
        switch outcome {
        case .served(let isHeld, let createdCount, let keyless):
            console.answer(
                "+ package \(ref): \(package.title), \(package.size >> 10) KiB" + (isHeld ? ", held back" : ""),
                asJSON: asJSON
            ) { $0.package(ref, state: isHeld ? .held : .ready, isChanged: true, package.size) }
            if createdCount > 0 { console.note("\(createdCount) key blobs created (simulated)") }
            if let first = keyless.first {
                console.warn(
                    "there is no key blob for \(keyless.count) assets, such as \(first), so they can't be licensed. Add "
                        + "keyblobs.json to the package and run the command again.")
            }
            if package.unchecked > 0 {
                console.note(
                    "the manifest has no digests for \(package.unchecked) assets, so only their sizes were compared")
            }
            console.note("the signature was not checked; devices check it")
        case .unchanged, nil:
            console.answer("nothing was changed: the same package is already served", asJSON: asJSON) {
                $0.package(ref, state: nil, isChanged: false, package.size)
            }
        case .appUnknown:
            throw CommandError(
                "Nothing was changed: the catalog of \(tenant) has no app \(package.item). Add it to the catalog file, run "
                    + "`tenure apply FILE`, and run this command again.")
        case .otherBundle(let bundle):
            throw CommandError(
                "Nothing was changed: the app \(package.item) has the bundle id \(bundle), but the package is for another app."
            )
        case .outdated(let revision):
            throw CommandError("Nothing was changed: the newer revision \(revision) of \(ref) is already served.")
        case .tooManyVersions(let limit):
            throw CommandError(
                "Nothing was changed: the app \(package.item) already has the maximum of \(limit) versions. Remove one with "
                    + "`tenure marketplace remove`.")
        }
    }
}

extension JSONObjectWriter {
    fileprivate mutating func package(
        _ ref: PackageRef, state: InspectedPackage.State?, isChanged: Bool, _ size: Int64
    ) {
        member("tenant", ref.tenant.text)
        member("appleItemID", ref.item.description)
        member("appleVersionID", ref.version.description)
        if let state { member("state", state.rawValue) }
        member("changed", isChanged)
        member("bytes", size)
    }
}

extension ArgumentReading where Value == String {
    /// Reads a UUID in either case, and converts it to lower case.
    fileprivate static var uuid: ArgumentReading {
        ArgumentReading { text in
            guard let uuid = UUID(uuidString: text) else { throw UsageError("enter a UUID") }
            return uuid.uuidString.lowercased()
        }
    }
}
