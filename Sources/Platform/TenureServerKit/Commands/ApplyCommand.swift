package import TenureCommandLine
import TenureCore
import TenureFiles
import TenureFormats
import TenureStore

/// The command `tenure apply`.
package enum ApplyCommand {
    private static let file = Argument.positional("FILE", "The catalog file; - reads standard input.", as: .text)
    private static let dryRun = Argument.flag("dry-run", "Show what would change, without changing anything.")
    private static let prune = Argument.flag(
        "prune", "Remove products, policies and apps that the file omits from its tenants and no license uses.")

    package static func command(_ installations: Installations) -> Command {
        let features = installations.features
        let steps = features.all.compactMap(\.applying)
        return Command(
            "apply", "Applies a catalog file to the store.",
            discussion: """
                Creates and updates everything that the file names and leaves the rest alone. It never removes a \
                license and never makes a license less restrictive. Applying a file twice changes nothing. If the file \
                has mistakes, nothing is changed and each mistake is reported with its position. \
                \(steps.map { $0.discussion + " " }.joined())Prints one line per change: + \
                created, ~ updated, - removed, ! not done or worth knowing.
                """,
            example: "tenure apply catalog.json --dry-run",
            arguments: [file, dryRun, prune] + steps.flatMap(\.arguments) + [SharedOptions.json]
                + SharedOptions.installation,
            output: Schema.output([("change", .text()), ("kind", .text()), ("name", .text()), ("detail", .text())])
        ) { arguments, console in
            let files = FilesOnDisk(besideCatalog: arguments[file])
            let bytes = try read(arguments[file])
            let catalog: CatalogFile
            var stages: [ApplyStep.Stage] = []
            do throws(CatalogFileError) {
                catalog = try features.catalogFile(parsing: bytes, files: files)
                for step in steps { stages.append(try step.read(catalog, files)) }
            } catch {
                throw CommandError(text(error, in: bytes, of: arguments[file]))
            }
            let isDry = arguments[dryRun]
            let installation =
                isDry
                ? try await installations.fetch(arguments, console: console)
                : try await installations.open(arguments, console: console, creating: true)
            var publications: [ApplyStep.Publication] = []
            for stage in stages { publications.append(try await stage(installation, arguments, isDry, console)) }
            let progress = console.progress("applying", total: catalog.entries.joined().count)
            var shown = ShownChanges(on: console, asJSON: arguments[SharedOptions.json])
            var done = 0
            try await ApplyCatalog(
                features, store: installation.store, master: installation.master, clock: installation.clock
            ).apply(
                catalog, options: .init(dryRun: isDry, prune: arguments[prune]), by: .commandLine
            ) { changes, itemsDone in
                if !changes.isEmpty { progress.clear() }
                for change in changes { shown.show(change) }
                progress.advance(by: itemsDone - done)
                done = itemsDone
            }
            progress.finish()
            let rows = RefoldRows(installation.store, of: features.schema)
            for change in try await asking({ () async throws(StoreError) in try await rows.refold(isDry: isDry) }) {
                shown.show(change)
            }
            for publish in publications {
                for change in try await publish() { shown.show(change) }
            }
            shown.end()
            let changed = shown.changed
            if !isDry { try await installation.prepare(console) }
            await installation.store.close()
            console.note(
                changed == 0 ? "nothing to change" : changed.of("change") + (isDry ? " would be made" : " made"))
            return .done
        }
    }

    private static func read(_ path: String) throws(CommandError) -> [UInt8] {
        do throws(Errno) {
            return try path == "-" ? CallersFile.standardInput() : CallersFile.bytes(of: path)
        } catch {
            throw CommandError("\(path) cannot be read: \(error)")
        }
    }

    /// Formats the problems of a catalog file, one per line: `FILE:LINE:COLUMN`, the JSON pointer and the message.
    private static func text(_ error: CatalogFileError, in bytes: [UInt8], of path: String) -> String {
        let name = path == "-" ? "standard input" : path
        var places = JSONPlaces(in: bytes)
        return error.problems.map { problem in
            let position = places.next(problem.pointer).map { ":\($0)" } ?? ""
            let text = (problem.pointer.isEmpty ? "" : problem.pointer + ": ") + problem.message
            return "\(name)\(position): \(text)".printable
        }.joined(separator: "\n")
    }
}
