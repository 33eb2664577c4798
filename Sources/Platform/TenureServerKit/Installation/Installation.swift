import Glibc
package import TenureCommandLine
import TenureCore
import TenureCrypto
package import TenureStore

/// An open installation: the store, its master key and the clock that commands use.
package struct Installation: Sendable {
    /// The data folder; `nil` if the store is a shared database.
    package let folder: DataFolder?
    package let store: any Store
    package let master: MasterKey
    package let masterKeyFile: MasterKeyFile
    package let clock: any WallClock
    package let features: FeatureSet
    /// The options that named the installation on the command line, such as ` --data ./shop`; empty without such
    /// options.
    package private(set) var namedBy = ""
    /// Creates the service that updates the clock mark, given a log; `nil` for a virtual clock, which isn't watched.
    package var keepTime: (@Sendable (any Log) -> KeepTime)?

    package init(
        folder: DataFolder?, store: any Store, master: MasterKey, masterKeyFile: MasterKeyFile, clock: any WallClock,
        of installations: Installations, keepTime: (@Sendable (any Log) -> KeepTime)? = nil
    ) {
        self.folder = folder
        self.store = store
        self.master = master
        self.masterKeyFile = masterKeyFile
        self.clock = clock
        features = installations.features
        self.keepTime = keepTime
    }

    /// Returns a copy with ``namedBy`` set to the options on this command line.
    func named(by arguments: Parsed) -> Installation {
        var installation = self
        installation.namedBy = arguments.installationOptions
        return installation
    }

    /// Reads the current catalog and decrypts its keys.
    package func catalog() async throws(ServerError) -> CatalogCache {
        try await features.cache(of: store, under: master)
    }

    /// Creates records that the features' parts of the catalog need, such as keys (see ``Feature/prepare``).
    package func prepare(_ console: Console) async throws {
        for feature in features.all { try await feature.prepare(self, console) }
    }

    /// Returns the clock for a command that doesn't open the store first: the virtual clock, or the system's clock.
    package static func clock(_ arguments: Parsed) throws(CommandError) -> any WallClock {
        try virtualClock(arguments) ?? SystemClock()
    }

    package static func virtualClock(_ arguments: Parsed) throws(CommandError) -> VirtualClock? {
        try arguments[SharedOptions.clock].map { path throws(CommandError) in try VirtualClock(path: path) }
    }

    /// Checks that a store isn't an unfinished copy, is initialized, and belongs to a master key.
    ///
    /// Throws ``CommandError`` otherwise.
    ///
    /// - Returns: The id of the store (``StoreID``).
    package static func check(
        _ store: any Store, against master: MasterKey, from file: MasterKeyFile
    ) async throws -> [UInt8] {
        try await refuseUnfinishedCopy(store)
        let state = try await MasterKeyState.read(from: store)
        guard state.checkValue != nil, let id = try await store.setting(StoreID.setting) else { throw notBegun }
        guard state.resolved(master) != nil else { throw otherKey(file, state.replacedAt(master)) }
        return id
    }

    package static let notBegun = CommandError(
        "The store has not been initialized. Run `tenure init` with the same store and master key first.")

    /// The error for a key that isn't the store's master key.
    ///
    /// - Parameter replacedAt: The time at which the key was replaced; `nil` if it never was the store's key.
    static func otherKey(_ file: MasterKeyFile, _ replacedAt: Timestamp?) -> CommandError {
        if let replacedAt {
            return CommandError(
                "The master key of this store was changed on \(replacedAt.local), and \(file.path) is the former one. Nothing was changed. Pass the new one with --master-key-file FILE."
            )
        }
        return CommandError(
            "\(file.path) is not the master key of this store. Nothing was changed. Pass the right one with --master-key-file FILE."
        )
    }
}

extension Installation {
    /// Throws ``CommandError`` if the store is an unfinished copy.
    package static func refuseUnfinishedCopy(_ store: any Store) async throws {
        guard try await UnfinishedCopy.isThere(in: store) else { return }
        throw CommandError(
            "This store is an interrupted copy, or differs from its source. Nothing was changed. Run the command that "
                + "started the copy again, such as `tenure migrate-store`.")
    }
}
