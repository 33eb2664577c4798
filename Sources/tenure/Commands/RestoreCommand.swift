import Glibc
import TenureCommandLine
import TenureSQLite
import TenureServer
import TenureStore

/// `tenure restore`
enum RestoreCommand {
    private static let file = Argument.positional("FILE", "A copy made by `tenure backup`.", as: .text)
    private static let replace = Argument.flag(
        "replace", "Put the copy in the place of a store that is there; the old one is kept beside it.")

    static let command = Command(
        "restore", "Puts a copy made by backup into the data folder.",
        discussion: """
            The copy is checked first, and nothing is changed if it is damaged. Leases that were given after the copy was \
            made stay valid until they end; activations made since are gone, and their devices are told to activate again.
            """,
        example: "tenure restore tenure-2026-11-21.sqlite --data ./tenure-data",
        arguments: [file, replace] + SharedOptions.installation
    ) { arguments, console in
        guard case .folder(let path) = try StorePlace.named(by: arguments) else {
            throw CommandError(
                "restore puts a copy into a data folder, not into PostgreSQL; use the database's own means, such as pg_restore."
            )
        }
        let folder = try DataFolder.created(path)
        try folder.takeLock()
        let exists = access(folder.database, F_OK) == 0
        guard !exists || arguments[replace] else {
            throw CommandError(
                "\(folder.path) holds a store already. Name another folder, or add --replace to put it aside.")
        }
        let copy = try SQLiteStore.open(path: arguments[file], mode: .existing)
        let faults = try await copy.integrityFaults()
        guard faults.isEmpty else {
            throw CommandError(
                "\(arguments[file]) is damaged, and nothing was changed: \(faults.joined(separator: "; "))")
        }
        try await checkMasterKey(arguments, of: copy, folder: folder, console: console)
        if exists { try putAside(folder, console: console) }
        try await copy.backup(to: folder.database) { _ in }
        await copy.close()
        console.answer("restored \(arguments[file]) into \(folder.path)")
        return .done
    }

    private static func checkMasterKey(
        _ arguments: Parsed, of store: SQLiteStore, folder: DataFolder, console: Console
    ) async throws {
        let file = MasterKeyFile(path: arguments[SharedOptions.masterKey] ?? folder.standardMasterKey)
        guard let checkValue = try await store.setting(MasterKey.checkValueSetting) else { return }
        guard file.exists else {
            console.warn(
                "the copy needs the master key it was made with: put it at \(file.path), or name it with --master-key-file"
            )
            return
        }
        guard try file.read().matches(checkValue: checkValue) else {
            throw CommandError(
                "\(file.path) is not the master key of \(arguments[RestoreCommand.file]). Put the right one in its place; nothing was changed."
            )
        }
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
