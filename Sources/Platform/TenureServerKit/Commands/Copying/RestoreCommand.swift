import Glibc
import TenureCommandLine
import TenureCore
import TenureFiles
import TenureStore

/// The command `tenure restore`.
enum RestoreCommand {
    private static let file = Argument.positional("FILE", "A copy made by `tenure backup`.", as: .text)
    private static let replace = Argument.flag(
        "replace", "Replace the existing store; the old one is kept beside it.")
    private static let asCopied = Argument.flag(
        "as-copied", "Restore the copy as it is, which undoes all revocations made since.")
    private static let carryFrom: Argument<StoreAddress?> = .optional(
        "carry-from", "STORE",
        "Carry over later revocations from this store; default: the store being replaced.",
        as: .storeAddress)

    private static let formerKey: Argument<String?> = .optional(
        "former-key-file", "FILE",
        "The master key of the copy, if the store's key was changed after the copy was made.", as: .text)

    private static let carryIssued: Argument<CarryLimit?> = .optionalValue(
        "carry-issued", "UNTIL",
        "Also carry over what was given since the copy: licenses, renewals, changes, trials; with UNTIL, until then.",
        as: ArgumentReading.end.map { CarryLimit.until($0) }, alone: .everything)

    /// The records that `--carry-issued` carries over: all issued and changed ones, or only those up to a time.
    private enum CarryLimit: Sendable {
        case everything
        case until(Timestamp)
    }

    static func command(_ installations: Installations) -> Command {
        Command(
            "restore", "Restores a backup into the data folder or an empty PostgreSQL database.",
            discussion: """
                The copy is checked first; if it is damaged, nothing is changed. Leases issued after the copy was made \
                stay valid until they expire. Activations made since then are lost, and their devices are asked to \
                activate again.

                Revocations made after the copy are carried over from the replaced store, as far as it can be read, and \
                each one is listed: licenses revoked or suspended, devices released, keys replaced, tokens and links \
                ended, packages held back. --as-copied carries nothing over, for example after a mistaken mass \
                revocation. Event numbers continue above every number already issued, beginning with `store.restored`.

                What was given after the copy is listed, by actor first: licenses that were issued, later ends, changes \
                of plan and holder, trials. The restored store lacks it, unless you add --carry-issued. Then it's taken \
                over as it stands in the replaced store: licenses with their devices, former keys and orders. What \
                lacks its product or policy in the copy, or is damaged, is named and left behind. If a stolen token has \
                issued licenses, name the time before that: --carry-issued=2026-11-21T08:00:00Z.

                If the master key was changed after the copy was made, pass the present key with --master-key-file and the \
                former one with --former-key-file. The restored store then has the present key.

                STORE is sqlite:PATH, where PATH is a data folder or a database file, or postgres://USER@HOST/NAME.
                """,
            example: "tenure restore tenure-2026-11-21.sqlite --data ./tenure-data",
            arguments: [file, replace, asCopied, carryFrom, carryIssued, formerKey, SharedOptions.json]
                + SharedOptions.installation,
            output: RestoredFile.output
        ) { arguments, console in
            let place = try StoreLocation.named(by: arguments)
            let key = try place.masterKeyFile(arguments)
            let former = arguments[formerKey].map { MasterKeyFile(path: $0) }
            let source = arguments[carryFrom]
            guard source == nil || !arguments[asCopied] else {
                throw UsageError("--as-copied and --carry-from contradict each other: give only one of them")
            }
            guard arguments[carryIssued] == nil || !arguments[asCopied] else {
                throw UsageError("--as-copied and --carry-issued contradict each other: give only one of them")
            }
            let clock = try Installation.clock(arguments)
            let path = arguments[file]
            var restored: RestoredFile
            let later = RestoredFile.Later(
                named: source, isIgnored: arguments[asCopied], given: Self.mode(arguments[carryIssued]))
            switch place {
            case .folder(let name):
                let folder = try DataFolder.created(name)
                try folder.takeLock(
                    orElse:
                        "A server or another restore is running on \(folder.path). Stop the server, or wait until the "
                        + "restore has ended. Or choose another folder with --data DIR.")
                let exists = access(folder.database, F_OK) == 0
                guard !exists || arguments[replace] else {
                    throw CommandError(
                        "\(folder.path) already contains a store. Choose another folder, or add --replace to move the old store aside."
                    )
                }
                var own = later
                own.replaced = exists ? .file(folder.database) : nil
                let near = try Self.near(path, folder, by: installations.engines)
                defer { if near != path { installations.engines.files.remove(near) } }
                restored = try await RestoredFile.make(
                    from: near, at: "\(folder.database).restoring", key: key, formerKey: former, later: own,
                    clock: clock,
                    by: installations.engines, features: installations.features, console: console)
                let prepared = try installations.engines.sqlite(restored.path, false)
                try await restored.continueEvents(in: prepared, clock: clock)
                await prepared.close()
                let aside = Self.aside(folder.database)
                try installations.engines.files.replace(folder.database, restored.path, aside)
                if exists {
                    console.note("the old store is kept as \(aside)")
                    restored.aside = aside
                }
                restored.installationOptions = arguments.installationOptions
                restored.report(path, into: folder.path, asJSON: arguments[SharedOptions.json], on: console)
            case .postgres:
                guard !arguments[replace] else {
                    throw UsageError("--replace works only with data folders; choose an empty database")
                }
                restored = try await RestoredFile.make(
                    from: path, at: "\(path).restoring", key: key, formerKey: former, later: later, clock: clock,
                    by: installations.engines, features: installations.features, console: console)
                let file = restored.path
                defer { installations.engines.files.remove(file) }
                try await copy(installations, file, named: path, into: place, console: console)
                // Events are added only after the copy, because resuming an interrupted copy compares the same rows.
                let target = try await installations.engines.open(place, creating: false)
                try await restored.continueEvents(in: target, clock: clock)
                await target.close()
                restored.installationOptions = arguments.installationOptions
                restored.report(path, into: "the database", asJSON: arguments[SharedOptions.json], on: console)
            }
            return .done
        }
    }

    private static func mode(_ limit: CarryLimit?) -> CarryIssued.Mode {
        switch limit {
        case nil: .list
        case .everything: .carry(until: nil)
        case .until(let time): .carry(until: time)
        }
    }

    /// Returns the path of a backup file that the data folder's owner can read and write.
    ///
    /// If the owner can't read and write the original file, this makes a copy next to the store and returns the copy's
    /// path.
    private static func near(_ path: String, _ folder: DataFolder, by engines: StoreEngines) throws -> String {
        if access(path, R_OK | W_OK) == 0 || !CallersFile.exists(path) { return path }
        let near = "\(folder.database).brought"
        engines.files.remove(near)
        do throws(Errno) {
            for end in ["", "-wal"] where end.isEmpty || CallersFile.exists(path + end) {
                try CallersFile.copy(path + end, to: near + end)
            }
        } catch {
            engines.files.remove(near)
            throw CommandError("\(path) cannot be read: \(error). Nothing was changed.")
        }
        return near
    }

    /// Returns an unused name for the old store. A number is appended if two restores happen within one second.
    private static func aside(_ database: String) -> String {
        let name = "\(database).before-restore-\(time(nil))"
        let further = (2...).lazy.map { "\(name)-\($0)" }
        return access(name, F_OK) == 0 ? further.first { access($0, F_OK) != 0 } ?? name : name
    }

    private static func copy(
        _ installations: Installations, _ file: String, named path: String, into place: StoreLocation, console: Console
    ) async throws {
        let source = try installations.engines.sqlite(file, false)
        let target = try await installations.engines.open(place, creating: true)
        let bars = CopyBars(on: console)
        let outcome = try await CopyStore(from: source, to: target, tables: installations.engines.schema.tables)
            .copy(report: bars.show)
        bars.finish()
        await target.close()
        await source.close()
        _ = try outcome.parts(from: path, to: "the database", on: console)
    }
}
