import Glibc
import TenureCommandLine
import TenureCore
import TenureCrypto
import TenureSQLite
import TenureServerKit
import TenureStore

/// An opened installation: the store, its master key and the clock of its commands.
struct Installation {
    /// The data folder; `nil` if the store is a shared database.
    let folder: DataFolder?
    let store: any Store
    let master: MasterKey
    let masterKeyFile: MasterKeyFile
    let clock: any WallClock
    /// Creates the service that stores the clock mark, given the log; `nil` for a virtual clock, which isn't watched.
    var keepTime: (@Sendable (any Log) -> KeepTime)?

    /// Reads the current catalog and keys.
    func catalog() async throws -> CatalogCache {
        try await FeatureSet.tenure.cache(of: store, under: master)
    }

    /// Opens an installation; with `creating`, missing parts are created.
    ///
    /// On PostgreSQL only `tenure init` creates an installation. Otherwise each of several servers could create a key
    /// of its own.
    static func open(_ arguments: Parsed, console: Console, creating: Bool = false) async throws -> Installation {
        let place = try StorePlace.named(by: arguments)
        return try await open(place, arguments, console: console, creating: creating && !place.isShared)
    }

    /// Creates an installation, or opens it if it already exists.
    static func begin(_ arguments: Parsed, console: Console) async throws -> Installation {
        try await open(StorePlace.named(by: arguments), arguments, console: console, creating: true)
    }

    private static func open(
        _ place: StorePlace, _ arguments: Parsed, console: Console, creating: Bool
    ) async throws -> Installation {
        let folder = try place.folder(creating: creating)
        let virtual = try virtualClock(arguments)
        let file = try place.masterKeyFile(arguments)
        let store = try await place.open(creating: creating)
        try await refuseUnfinishedCopy(store)
        let master: MasterKey
        if place.isShared, !creating, try await store.setting(MasterKey.checkValueSetting) == nil {
            throw notBegun
        } else {
            master = try await masterKey(file, of: store, console: console)
        }
        if let virtual {
            return Installation(folder: folder, store: store, master: master, masterKeyFile: file, clock: virtual)
        }
        let mark = try await ClockMark.read(from: store)
        let watched = WatchedClock.system(since: mark)
        try await watched.compare(with: store)
        let guarded = GuardedStore(store, by: watched)
        return Installation(
            folder: folder, store: guarded, master: master, masterKeyFile: file,
            clock: watched, keepTime: { log in KeepTime(watched, in: guarded, since: mark, log: log) })
    }

    /// The clock of a command, which is available before the store.
    static func clock(_ arguments: Parsed) throws(CommandError) -> any WallClock {
        try virtualClock(arguments) ?? SystemClock()
    }

    private static func virtualClock(_ arguments: Parsed) throws(CommandError) -> VirtualClock? {
        try arguments[SharedOptions.clock].map { path throws(CommandError) in try VirtualClock(path: path) }
    }

    /// Opens an installation for reading; if it doesn't exist, returns an empty in-memory store and creates nothing.
    static func look(_ arguments: Parsed, console: Console) async throws -> Installation {
        let place = try StorePlace.named(by: arguments)
        let folder = DataFolder(path: arguments[SharedOptions.data])
        if place.isShared || access(folder.database, F_OK) == 0 || errno != ENOENT {
            return try await open(arguments, console: console)
        }
        let clock = try clock(arguments)
        return Installation(
            folder: folder, store: try SQLiteStore.inMemory(.tenure),
            master: try MasterKey(bytes: SecureRandom.bytes(AES256GCM.keyLength)),
            masterKeyFile: MasterKeyFile(path: arguments[SharedOptions.masterKey] ?? folder.standardMasterKey),
            clock: clock)
    }

    /// Returns the store's master key, and creates it for a new store.
    private static func masterKey(
        _ file: MasterKeyFile, of store: any Store, console: Console
    ) async throws -> MasterKey {
        if let checkValue = try await store.setting(MasterKey.checkValueSetting) {
            return try matching(checkValue, file)
        }
        if !file.exists {
            try file.create()
            console.warn(
                "created a master key: \(file.path). Keep a copy away from the data, because backups don't contain it. Better "
                    + "still, move it off this disk and pass --master-key-file.")
        }
        let checkValue = try file.read().checkValue()
        // If two processes initialize a store at once with different keys, the first key stays.
        let form = checkValueForm
        let kept = try await store.perform(
            Change(form.asked(.of(MasterKey.checkValueSetting))) { seen -> Saving<[UInt8]> in
                if let earlier = seen[form.looks] { return Saving(earlier.value) }
                return Saving(
                    checkValue, [.insert(SettingRecord(name: MasterKey.checkValueSetting, value: checkValue))])
            })
        return try matching(kept, file)
    }

    /// Checks that a store is complete and belongs to this master key, as every start does.
    ///
    /// - Returns: The store's check value.
    static func check(
        _ store: any Store, against master: MasterKey, from file: MasterKeyFile
    ) async throws -> [UInt8] {
        try await refuseUnfinishedCopy(store)
        guard let checkValue = try await store.setting(MasterKey.checkValueSetting) else { throw notBegun }
        guard master.matches(checkValue: checkValue) else { throw otherKey(file) }
        return checkValue
    }

    private static let notBegun = CommandError(
        "The store has not been initialized. Run `tenure init` with the same store and master key first.")

    private static func otherKey(_ file: MasterKeyFile) -> CommandError {
        CommandError(
            "\(file.path) is not the master key of this store. Nothing was changed. Pass the right one with --master-key-file FILE."
        )
    }

    private static let checkValueForm = LoadForm { ask in ask.row(SettingRecord.table.key) }

    private static func matching(_ checkValue: [UInt8], _ file: MasterKeyFile) throws(CommandError) -> MasterKey {
        let key = try file.read()
        guard key.matches(checkValue: checkValue) else { throw otherKey(file) }
        return key
    }
}

extension Installation {
    /// Throws if the store is an unfinished copy.
    static func refuseUnfinishedCopy(_ store: any Store) async throws {
        guard try await UnfinishedCopy.isThere(in: store) else { return }
        throw CommandError(
            "This store is an interrupted copy, or differs from its source. Nothing was changed. Run the command that "
                + "started the copy again, such as `tenure migrate-store`.")
    }
}

/// Why a command ends with exit code 1: what went wrong, and what to do next.
struct CommandError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
