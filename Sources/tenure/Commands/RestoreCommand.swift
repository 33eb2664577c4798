import Glibc
import TenureCommandLine
import TenureFormats
import TenureSQLite
import TenureServer
import TenureStore

/// `tenure restore`
enum RestoreCommand {
    private static let file = Argument.positional("FILE", "A copy made by `tenure backup`.", as: .text)
    private static let replace = Argument.flag(
        "replace", "Put the copy in the place of a store that is there; the old one is kept beside it.")

    static let command = Command(
        "restore", "Puts a copy made by backup into the data folder, or into an empty PostgreSQL database.",
        discussion: """
            The copy is checked first, and nothing is changed if it is damaged. Leases that were given after the copy was \
            made stay valid until they end; activations made since are gone, and their devices are told to activate again.
            """,
        example: "tenure restore tenure-2026-11-21.sqlite --data ./tenure-data",
        arguments: [file, replace, SharedOptions.json] + SharedOptions.installation
    ) { arguments, console in
        let place = try StorePlace.named(by: arguments)
        let key = try place.masterKeyFile(arguments)
        guard case .folder(let path) = place else {
            guard !arguments[replace] else {
                throw UsageError("--replace is for data folders; name an empty database")
            }
            return try await restore(arguments, into: place, key, console: console)
        }
        let folder = try DataFolder.created(path)
        try folder.takeLock()
        let exists = access(folder.database, F_OK) == 0
        guard !exists || arguments[replace] else {
            throw CommandError(
                "\(folder.path) holds a store already. Name another folder, or add --replace to put it aside.")
        }
        let copy = try await soundCopy(arguments[file], key, console: console)
        if exists { try putAside(folder, console: console) }
        try await copy.backup(to: folder.database) { _ in }
        await copy.close()
        report(arguments, into: folder.path, on: console)
        return .done
    }

    private static func restore(
        _ arguments: Parsed, into place: StorePlace, _ key: MasterKeyFile, console: Console
    ) async throws -> ExitCode {
        let path = arguments[file]
        let copy = try await soundCopy(path, key, console: console)
        let target = try await place.open(creating: true)
        let bars = CopyBars(on: console)
        let outcome = try await CopyStore(from: copy, to: target)(report: bars.show)
        bars.finish()
        await target.close()
        await copy.close()
        _ = try outcome.parts(from: path, to: "the database", on: console)
        report(arguments, into: "the database", on: console)
        return .done
    }

    private static func report(_ arguments: Parsed, into place: String, on console: Console) {
        console.answer("restored \(arguments[file]) into \(place)", asJSON: arguments[SharedOptions.json]) { body in
            body.member("file", arguments[file])
            body.member("restoredInto", place)
        }
    }

    /// Opens the copy if it is whole and its master key is not known to be another.
    private static func soundCopy(
        _ path: String, _ key: MasterKeyFile, console: Console
    ) async throws -> SQLiteStore {
        let copy = try SQLiteStore.open(path: path, mode: .existing)
        let faults = try await copy.integrityFaults()
        guard faults.isEmpty else {
            throw CommandError("\(path) is damaged, and nothing was changed: \(faults.joined(separator: "; "))")
        }
        guard let checkValue = try await copy.setting(MasterKey.checkValueSetting) else { return copy }
        guard key.exists else {
            console.warn(
                "the copy needs the master key it was made with: put it at \(key.path), or name it with --master-key-file"
            )
            return copy
        }
        guard try key.read().matches(checkValue: checkValue) else {
            throw CommandError(
                "\(key.path) is not the master key of \(path). Put the right one in its place; nothing was changed.")
        }
        return copy
    }

    /// The log and the shared memory of the old database go with it: beside another one they would damage it.
    private static func putAside(_ folder: DataFolder, console: Console) throws(CommandError) {
        let aside = "\(folder.database).before-restore-\(time(nil))"
        for ending in ["", "-wal", "-shm"] where access(folder.database + ending, F_OK) == 0 {
            guard rename(folder.database + ending, aside + ending) == 0 else {
                throw CommandError("The old store cannot be put aside: \(DataFolder.reason(errno)).")
            }
        }
        console.note("the old store is kept as \(aside)")
    }
}
