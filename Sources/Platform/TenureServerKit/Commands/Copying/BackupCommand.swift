import FoundationEssentials
import Glibc
import Synchronization
import TenureCommandLine
import TenureCore
import TenureFiles
import TenureFormats
import TenureStore

/// The command `tenure backup`.
enum BackupCommand {
    private static let out = Argument.positional("FILE", "The new file to write.", as: .text)

    static func command(_ installations: Installations) -> Command {
        Command(
            "backup", "Copies the whole store into one file, even while a server is running.",
            discussion: """
                The copy is a consistent snapshot. It does not contain the master key: keep that separately, because \
                the signing keys in the copy can't be decrypted without it. The copy of a PostgreSQL store is the same \
                kind of file; it is compared with the database before it gets its final name.
                """,
            example: "tenure backup tenure-2026-11-21.sqlite",
            arguments: [out, SharedOptions.json] + SharedOptions.installation,
            output: Schema.output([("file", .text())])
        ) { arguments, console in
            try checkFolder(of: arguments[out])
            let installation = try await installations.open(arguments, console: console)
            if let folder = installation.folder {
                removeLeftovers(in: folder, by: installations.engines)
                let place = folder.path + "/" + leftover + "\(getpid())"
                try await copyPages(
                    of: installation.store, to: arguments[out], near: place, by: installations.engines, console: console
                )
            } else {
                try await copyRows(
                    of: installation.store, to: arguments[out], by: installations.engines, console: console)
            }
            await installation.store.close()
            console.answer("wrote \(arguments[out])", asJSON: arguments[SharedOptions.json]) {
                $0.member("file", arguments[out])
            }
            console.note(
                "the copy does not contain the master key: keep \(installation.masterKeyFile.path) safe, separately from the copy"
            )
            return .done
        }
    }

    /// Copies an SQLite store's pages into a new file.
    ///
    /// If the data folder's owner can't create files in the target folder, the copy is first made next to the store.
    /// It isn't enough to create only the target file for SQLite, because SQLite creates further files next to it.
    private static func copyPages(
        of store: any Store, to path: String, near place: String, by engines: StoreEngines, console: Console
    ) async throws {
        let folder = path.cut(atLastByte: "/").map { "\($0.before)/" } ?? "."
        if access(folder, W_OK) == 0 || !CallersFile.exists(folder) {
            return try await copyPages(of: store, to: path, by: engines, console: console)
        }
        guard !CallersFile.exists(path) else { throw CommandError("\(path) already exists. Choose a new file.") }
        defer { engines.files.remove(place) }
        try await copyPages(of: store, to: place, by: engines, console: console)
        do throws(Errno) {
            try CallersFile.copy(place, to: path)
        } catch {
            throw CommandError("\(path) cannot be written: \(error). No incomplete file was left behind.")
        }
    }

    /// Throws if the folder of the new file doesn't exist. The engine's own error would name a temporary file in that
    /// folder.
    private static func checkFolder(of path: String) throws(CommandError) {
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "."
        guard CallersFile.exists(folder) else {
            throw CommandError("There is no folder \(folder). Create it, or choose another file.")
        }
    }

    /// The prefix of a temporary copy's name; the process id follows.
    private static let leftover = ".backup-"

    /// Removes temporary copies that killed commands left, because each copy is as large as the store.
    private static func removeLeftovers(in folder: DataFolder, by engines: StoreEngines) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where name.hasPrefix(leftover) {
            guard let process = pid_t(name.dropFirst(leftover.count)), kill(process, 0) != 0, errno == ESRCH else {
                continue
            }
            engines.files.remove("\(folder.path)/\(name)")
        }
    }

    private static func copyPages(
        of store: any Store, to path: String, by engines: StoreEngines, console: Console
    ) async throws {
        let progress = console.progress("copying", total: 1000)
        let done = Share()
        try await store.backup(to: path) { share in progress.advance(by: done.advance(to: Int(share * 1000))) }
        progress.finish()
        console.note("checking the whole copy")
        let faults = try await faults(ofCopy: path, by: engines)
        guard faults.isEmpty else {
            for ending in ["", "-wal", "-shm"] { _ = unlink(path + ending) }
            throw CommandError(
                "The store is damaged, so the copy was removed: \(faults.joined(separator: "; ")). "
                    + "Keep the earlier backups, and run `tenure doctor` to see what to do.")
        }
        if let schemaFaults = try? await store.schemaFaults(of: engines.schema), !schemaFaults.isEmpty {
            let told = schemaFaults.map { "\($0.object) \($0.sentence)" }.joined(separator: "; ")
            console.warn(
                "the store's schema isn't the one that Tenure creates, so `tenure restore` refuses this copy: \(told.printable)"
            )
        }
    }

    /// Returns the problems of a copy, even if the copy is too damaged to be opened.
    ///
    /// Throws ``CommandError`` if the copy can't be checked.
    private static func faults(
        ofCopy path: String, by engines: StoreEngines
    ) async throws(CommandError) -> [String] {
        do throws(StoreError) {
            let copy = try engines.sqlite(path, false)
            let faults: Result<[String], StoreError>
            do throws(StoreError) { faults = .success(try await engines.faults(copy)) } catch {
                faults = .failure(error)
            }
            await copy.close()
            return try faults.get()
        } catch {
            guard error.code == .corrupt else {
                throw CommandError(
                    "\(path) was written, but could not be checked: \(error.description). Back up to a local folder "
                        + "first, then copy the file.")
            }
            return [error.description]
        }
    }

    private static func copyRows(
        of store: any Store, to path: String, by engines: StoreEngines, console: Console
    ) async throws {
        let bars = CopyBars(on: console)
        try await engines.files.make(path) { file in
            let outcome = try await CopyStore(from: store, to: file, tables: engines.schema.tables)
                .copy(report: bars.show)
            bars.finish()
            _ = try outcome.parts(from: "the database", to: path, on: console)
        }
    }
}

/// Converts absolute progress into the increments that a progress bar needs.
final class Share: Sendable {
    private let reached = Atomic<Int>(0)

    /// Returns the increment since the last call, or 0 if the progress decreased.
    func advance(to now: Int) -> Int {
        max(0, now - reached.exchange(now, ordering: .relaxed))
    }
}
