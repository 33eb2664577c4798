import Glibc
import Synchronization
import TenureCommandLine
import TenureFormats
import TenureSQLite
import TenureServer
import TenureServerKit
import TenureStore

/// `tenure backup`
enum BackupCommand {
    private static let out = Argument.positional("FILE", "A new file for the copy.", as: .text)

    static let command = Command(
        "backup", "Copies the whole store into one file, while a server runs or not.",
        discussion: """
            The copy is one consistent moment. It does not hold the master key: keep that apart, for without it the signing \
            keys in the copy cannot be opened. Of a PostgreSQL store it is a file like that of any other, and is compared \
            with the database before it gets its name.
            """,
        example: "tenure backup tenure-2026-11-21.sqlite",
        arguments: [out, SharedOptions.json] + SharedOptions.installation
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        if installation.folder == nil {
            try await copyRows(of: installation.store, to: arguments[out], console: console)
        } else {
            try await copyPages(of: installation.store, to: arguments[out], console: console)
        }
        await installation.store.close()
        console.answer("wrote \(arguments[out])", asJSON: arguments[SharedOptions.json]) {
            $0.member("file", arguments[out])
        }
        console.note("the master key is not in it: keep \(installation.masterKeyFile.path) safe, apart from the copy")
        return .done
    }

    private static func copyPages(of store: any Store, to path: String, console: Console) async throws {
        let progress = console.progress("copying", total: 1000)
        let done = Share()
        try await store.backup(to: path) { share in progress.advance(by: done.advance(to: Int(share * 1000))) }
        progress.finish()
        console.note("checking the copy, which reads all of it")
        let faults = try await faults(ofCopy: path)
        guard faults.isEmpty else {
            for ending in ["", "-wal", "-shm"] { _ = unlink(path + ending) }
            throw CommandError(
                "The store is damaged, and so was the copy, which was removed: \(faults.joined(separator: "; ")). "
                    + "`tenure doctor` says what to do; keep the earlier backups.")
        }
    }

    /// What is wrong with a copy; also that it is too damaged to be read. Throws ``CommandError`` when it cannot be checked.
    private static func faults(ofCopy path: String) async throws(CommandError) -> [String] {
        do throws(StoreError) {
            let copy = try SQLiteStore.open(.tenure, path: path, mode: .existing)
            let faults: Result<[String], StoreError>
            do throws(StoreError) { faults = .success(try await copy.faults()) } catch { faults = .failure(error) }
            await copy.close()
            return try faults.get()
        } catch {
            guard error.code == .corrupt else {
                throw CommandError(
                    "\(path) was written, but could not be checked there: \(error.description). Copy to a folder of this "
                        + "machine first.")
            }
            return [error.description]
        }
    }

    private static func copyRows(of store: any Store, to path: String, console: Console) async throws {
        let bars = CopyBars(on: console)
        try await SQLiteStore.makeFile(path, of: .tenure) { file in
            let outcome = try await CopyStore(from: store, to: file)(report: bars.show)
            bars.finish()
            _ = try outcome.parts(from: "the database", to: path, on: console)
        }
    }
}

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
        try await beginTime(in: try await place.open(creating: false))
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
        try await beginTime(in: target)
        await copy.close()
        _ = try outcome.parts(from: path, to: "the database", on: console)
        report(arguments, into: "the database", on: console)
        return .done
    }

    /// The copy is of another time: what it had seen says nothing about the clock of now.
    private static func beginTime(in store: any Store) async throws(StoreError) {
        try await ClockMark.forget(in: store)
        await store.close()
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
        let copy = try SQLiteStore.open(.tenure, path: path, mode: .existing)
        let faults = try await copy.faults()
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

/// Turns "so much is done" into "so much more is done", as a progress bar wants it.
final class Share: Sendable {
    private let reached = Atomic<Int>(0)

    /// How much further than the last time; never negative.
    func advance(to now: Int) -> Int {
        max(0, now - reached.exchange(now, ordering: .relaxed))
    }
}
