import Glibc
import TenureCommandLine
import TenureCore
import TenureCrypto
import TenureSQLite
import TenureServer
import TenureServerKit
import TenureStore

/// An opened installation: the store, its master key and the clock that its commands go by.
struct Installation {
    /// The data folder; nil where the store is a database that servers share.
    let folder: DataFolder?
    let store: any Store
    let master: MasterKey
    let masterKeyFile: MasterKeyFile
    let clock: any WallClock
    /// What keeps the store's mark of time on a server, given the log; nil with a virtual clock, which is not watched.
    var keepTime: (@Sendable (any Log) -> KeepTime)?

    /// The catalog and keys as they are now.
    func catalog() async throws -> CatalogCache {
        try await CatalogCache(store: store, master: master)
    }

    /// Opens what is there, or, where a command may begin an installation, makes what is missing.
    ///
    /// On PostgreSQL `tenure init` alone begins one, so that of several servers none makes a key of its own.
    static func open(_ arguments: Parsed, console: Console, creating: Bool = false) async throws -> Installation {
        let place = try StorePlace.named(by: arguments)
        return try await open(place, arguments, console: console, creating: creating && !place.isShared)
    }

    /// Begins an installation, or finds it begun already.
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

    /// The clock that a command goes by, before it has a store.
    static func clock(_ arguments: Parsed) throws(CommandError) -> any WallClock {
        try virtualClock(arguments) ?? SystemClock()
    }

    private static func virtualClock(_ arguments: Parsed) throws(CommandError) -> VirtualClock? {
        try arguments[SharedOptions.clock].map { path throws(CommandError) in try VirtualClock(path: path) }
    }

    /// Opens what is there; where nothing is, an empty store in memory, so that a command which only looks makes nothing.
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

    /// The key that the store was begun with; a store that has none yet gets one.
    private static func masterKey(
        _ file: MasterKeyFile, of store: any Store, console: Console
    ) async throws -> MasterKey {
        if let checkValue = try await store.setting(MasterKey.checkValueSetting) {
            return try matching(checkValue, file)
        }
        if !file.exists {
            try file.create()
            console.warn(
                "made a master key: \(file.path). Keep a copy apart from the data (backups do not hold it), and better, "
                    + "move it off this disk and name it with --master-key-file.")
        }
        let checkValue = try file.read().checkValue()
        // Of two that begin a store at once, with two keys, the first one's key stays.
        let form = checkValueForm
        let kept = try await store.perform(
            Change(form.asked(.of(MasterKey.checkValueSetting))) { seen -> Saving<[UInt8]> in
                if let earlier = seen[form.looks] { return Saving(earlier.value) }
                return Saving(
                    checkValue, [.insert(SettingRecord(name: MasterKey.checkValueSetting, value: checkValue))])
            })
        return try matching(kept, file)
    }

    /// Checks a store that others began, as every start does: whether it is whole, and has this master key.
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
        "The store was not begun yet; run `tenure init` with the same store and master key first.")

    private static func otherKey(_ file: MasterKeyFile) -> CommandError {
        CommandError(
            "\(file.path) is not the master key of this store. Name the right one with --master-key-file FILE; nothing was changed."
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
    /// Nobody works with half a store.
    static func refuseUnfinishedCopy(_ store: any Store) async throws {
        guard try await UnfinishedCopy.isThere(in: store) else { return }
        throw CommandError(
            "This store is a copy that was interrupted, or that differs from its source. Finish it by the command that "
                + "began it, such as `tenure migrate-store`; nothing was changed.")
    }
}

/// Why a command ends with 1: a sentence or two, what went wrong and what to do next.
struct CommandError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
