package import TenureCommandLine
import TenureCore
import TenureCrypto
package import TenureStore

/// Opens the installation that a command line names, with the engines and features of the program.
///
/// The program creates this value and passes it to each feature, whose commands use it.
package struct Installations: Sendable {
    package let features: FeatureSet
    /// Opens stores on either database engine.
    package let engines: StoreEngines
    /// Creates the client for a command's requests to servers that the operator names.
    package let outbound: @Sendable () throws -> any Outbound

    package init(
        of features: FeatureSet, engines: StoreEngines, outbound: @escaping @Sendable () throws -> any Outbound
    ) {
        self.features = features
        self.engines = engines
        self.outbound = outbound
    }

    /// Opens an installation. If `creating` is set, creates missing parts of an installation in a data folder.
    ///
    /// On PostgreSQL, only `tenure init` creates an installation. Otherwise, several servers could each create a
    /// master key. Without `creating`, a folder without a database is refused, because its volume may not be mounted,
    /// or its path may be mistyped.
    ///
    /// - Parameter observer: Receives the connections of a shared database. By default, connections to a former
    ///   primary are refused, based on the history that servers have saved in the data folder.
    package func open(
        _ arguments: Parsed, console: Console, creating: Bool = false, observer: ConnectionObserver? = nil
    ) async throws -> Installation {
        let location = try StoreLocation.named(by: arguments)
        let isCreated = creating && !location.isShared
        let folder = location.isShared ? HistoryFolder(path: arguments[SharedOptions.data]) : nil
        return try await open(
            location, arguments, console: console, creating: isCreated,
            observer: try observer
                ?? folder.flatMap { folder throws(CommandError) in
                    try commandObserver(in: folder, arguments, console)
                }
        )
        .named(by: arguments)
    }

    /// Creates an installation in a data folder or on PostgreSQL, or opens it if it already exists.
    package func begin(_ arguments: Parsed, console: Console) async throws -> Installation {
        try await open(StoreLocation.named(by: arguments), arguments, console: console, creating: true)
    }

    private func open(
        _ location: StoreLocation, _ arguments: Parsed, console: Console, creating: Bool,
        observer: ConnectionObserver? = nil
    ) async throws -> Installation {
        let folder = try location.folder(creating: creating)
        let virtual = try Installation.virtualClock(arguments)
        let file = try location.masterKeyFile(arguments)
        let store = try await engines.open(location, creating: creating, observer: observer)
        try await Installation.refuseUnfinishedCopy(store)
        let master: MasterKey
        if location.isShared, !creating, try await store.setting(MasterKey.checkValueSetting) == nil {
            throw Installation.notBegun
        } else {
            master = try await Installation.masterKey(file, of: store, console: console)
        }
        if let virtual {
            return Installation(
                folder: folder, store: store, master: master, masterKeyFile: file, clock: virtual,
                of: self)
        }
        let mark = try await ClockWatch.Mark.read(from: store)
        let watched = WatchedClock.system(since: mark)
        try await watched.compare(with: store)
        let guarded = ClockGuardedStore(store, by: watched)
        return Installation(
            folder: folder, store: guarded, master: master, masterKeyFile: file,
            clock: watched, of: self,
            keepTime: { log in KeepTime(watched, in: guarded, since: mark, probe: guarded.writing, log: log) })
    }

    /// Opens an installation for a dry run. If there is no database yet, the installation has an empty store in
    /// memory.
    package func fetch(_ arguments: Parsed, console: Console) async throws -> Installation {
        let location = try StoreLocation.named(by: arguments)
        let folder = DataFolder(path: arguments[SharedOptions.data])
        if location.isShared || folder.hasDatabase {
            return try await open(arguments, console: console)
        }
        let clock = try Installation.clock(arguments)
        return Installation(
            folder: folder, store: try engines.inMemory(),
            master: try MasterKey(bytes: SecureRandom.bytes(AES256GCM.keyLength)),
            masterKeyFile: try StoreLocation.folder(path: folder.path).masterKeyFile(arguments),
            clock: clock, of: self)
    }
}
