import Glibc
import TenureCommandLine
import TenureCore
import TenureCrypto
import TenureSQLite
import TenureServer
import TenureStore

/// An opened installation: the store, its master key and the clock that its commands go by.
struct Installation {
    let folder: DataFolder
    let store: any Store
    let master: MasterKey
    let masterKeyFile: MasterKeyFile
    let clock: any WallClock

    /// The catalog and keys as they are now.
    func catalog() async throws -> CatalogCache {
        try await CatalogCache(store: store, master: master)
    }

    /// Opens what is there, or, where a command may begin an installation, makes what is missing.
    static func open(_ arguments: Parsed, console: Console, creating: Bool = false) async throws -> Installation {
        let path = arguments[SharedOptions.data]
        let folder = creating ? try DataFolder.created(path) : try DataFolder.existing(path)
        let clock: any WallClock = try arguments[SharedOptions.clock].map(VirtualClock.init(path:)) ?? SystemClock()
        let store = try SQLiteStore.open(path: folder.database, mode: creating ? .readWriteCreate : .existing)
        let file = MasterKeyFile(path: arguments[SharedOptions.masterKey] ?? folder.standardMasterKey)
        let master = try await masterKey(file, of: store, console: console)
        return Installation(folder: folder, store: store, master: master, masterKeyFile: file, clock: clock)
    }

    /// Opens what is there; where nothing is, an empty store in memory, so that a command which only looks makes nothing.
    static func look(_ arguments: Parsed, console: Console) async throws -> Installation {
        let folder = DataFolder(path: arguments[SharedOptions.data])
        if access(folder.database, F_OK) == 0 || errno != ENOENT { return try await open(arguments, console: console) }
        let clock: any WallClock = try arguments[SharedOptions.clock].map(VirtualClock.init(path:)) ?? SystemClock()
        return Installation(
            folder: folder, store: try SQLiteStore.inMemory(),
            master: try MasterKey(bytes: SecureRandom.bytes(AES256GCM.keyLength)),
            masterKeyFile: MasterKeyFile(path: arguments[SharedOptions.masterKey] ?? folder.standardMasterKey),
            clock: clock)
    }

    /// The key that the store was begun with; a store that has none yet gets one.
    private static func masterKey(
        _ file: MasterKeyFile, of store: any Store, console: Console
    ) async throws -> MasterKey {
        if let checkValue = try await store.setting(MasterKey.checkValueSetting) {
            let key = try file.read()
            guard key.matches(checkValue: checkValue) else {
                throw CommandError(
                    "\(file.path) is not the master key of this store. Name the right one with --master-key-file FILE; nothing was changed."
                )
            }
            return key
        }
        if !file.exists {
            try file.create()
            console.warn(
                "made a master key: \(file.path). Keep a copy apart from the data (backups do not hold it), and better, "
                    + "move it off this disk and name it with --master-key-file.")
        }
        let key = try file.read()
        let checkValue = try key.checkValue()
        try await store.perform(
            Change(loading: LoadKeys()) { _ in
                Saving((), [.setting(name: MasterKey.checkValueSetting, value: checkValue)])
            })
        return key
    }
}
