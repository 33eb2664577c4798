import Synchronization
import TenureCommandLine
import TenureCore
import TenurePostgres
import TenureServerKit
import TenureStore

/// Connects a server that started while its database was unavailable.
final class StoreConnection: Sendable {
    private let location: StoreLocation
    private let engines: StoreEngines
    private let store: ConnectingStore
    private let file: MasterKeyFile
    private let watched: WatchedClock?
    private let observer: ConnectionObserver?
    private let stopped = Mutex<(any Error)?>(nil)

    init(
        _ location: StoreLocation, by engines: StoreEngines, _ store: ConnectingStore, file: MasterKeyFile,
        watched: WatchedClock?, observer: ConnectionObserver?
    ) {
        self.location = location
        self.engines = engines
        self.store = store
        self.file = file
        self.watched = watched
        self.observer = observer
    }

    /// Why the server can't use the database that it connected to; `nil` if it can, or hasn't connected yet.
    var failure: (any Error)? { stopped.withLock { $0 } }

    /// The values that are needed to finish the start once the store is connected.
    struct Beginning: Sendable {
        let installation: Installation
        let snapshot: StartSnapshot?
        let keepTime: KeepTime?
        let catalog: CatalogCache
        let log: any Log
        let console: Console
    }

    /// Tries to connect until it succeeds, fails permanently or the task is cancelled. On success, finishes the start.
    ///
    /// Pauses between the tries grow to five seconds.
    ///
    /// - Parameter stop: Called if the server can't use the database; ``failure`` says why.
    func run(_ beginning: Beginning, stop: @Sendable () -> Void) async {
        var pause = Duration.milliseconds(250)
        var connected: (any Store)?
        while !Task.isCancelled {
            do {
                let opened = if let connected { connected } else { try await connect(beginning) }
                connected = opened
                try await finish(beginning)
                beginning.log.write(LogLine(.info, "store_connected"))
                return
            } catch {
                guard Self.isTransient(error) else {
                    stopped.withLock { $0 = error }
                    return stop()
                }
            }
            try? await Task.sleep(for: pause + pause * Double.random(in: 0...0.2), clock: .suspending)
            pause = min(pause * 2, .seconds(5))
        }
    }

    /// Opens the store, checks it as every start does, and makes it available to requests.
    private func connect(_ beginning: Beginning) async throws -> any Store {
        let opened = try await engines.open(location, creating: false, observer: observer)
        do {
            let storeID = try await Installation.check(opened, against: beginning.installation.master, from: file)
            beginning.snapshot?.removeIfMade(ofOtherThan: storeID)
            if let watched {
                let mark = try await ClockWatch.Mark.read(from: opened)
                watched.begin(since: mark)
                beginning.keepTime?.begin(since: mark)
                try await watched.compare(with: opened)
            }
        } catch {
            await opened.close()
            throw error
        }
        store.connect(to: opened)
        return opened
    }

    private func finish(_ beginning: Beginning) async throws {
        try await beginning.installation.prepareForServing(beginning.console)
        try await beginning.catalog.refresh()
        if beginning.catalog.current.catalog.tenants.isEmpty { beginning.console.warn(Catalog.withoutTenant) }
    }

    private static func isTransient(_ error: any Error) -> Bool {
        switch error {
        case let error as StoreError: error.mayPassByItself
        case let error as ServerError: error.isTransient
        default: false
        }
    }
}

extension Installations {
    /// Opens the installation for `serve`.
    ///
    /// If a database is unavailable, it returns a store that waits for the connection, and the object that connects it
    /// later.
    ///
    /// - Parameters:
    ///   - creating: Whether to create a new installation in a data folder without a database.
    ///   - observer: Receives the connections of a shared database, and the rows that they append.
    func openForServing(
        _ arguments: Parsed, creating: Bool, observer: ConnectionObserver?, console: Console
    ) async throws -> (Installation, connection: StoreConnection?) {
        let location = try StoreLocation.named(by: arguments)
        do {
            return (try await open(arguments, console: console, creating: creating, observer: observer), nil)
        } catch let error as StoreError {
            guard location.isShared, error.mayPassByItself else { throw error }
            let file = try location.masterKeyFile(arguments)
            let master = try file.read()
            let store = ConnectingStore(waitingFor: error)
            let installation = try away(store, arguments, master: master, file: file)
            let reason = error.cause.map { " (\($0))" } ?? ""
            console.warn(
                "\(error.message)\(reason) The server tries again automatically. Until it connects, it answers only "
                    + "requests that need no database.")
            let watched = installation.clock as? WatchedClock
            return (
                installation,
                StoreConnection(location, by: engines, store, file: file, watched: watched, observer: observer)
            )
        }
    }

    private func away(
        _ store: ConnectingStore, _ arguments: Parsed, master: MasterKey, file: MasterKeyFile
    ) throws -> Installation {
        let clock = try Installation.clock(arguments)
        if clock is VirtualClock {
            return Installation(folder: nil, store: store, master: master, masterKeyFile: file, clock: clock, of: self)
        }
        let watched = WatchedClock.system(since: .none)
        let guarded = ClockGuardedStore(store, by: watched)
        return Installation(
            folder: nil, store: guarded, master: master, masterKeyFile: file, clock: watched,
            of: self,
            keepTime: { log in KeepTime(watched, in: guarded, since: .none, probe: guarded.writing, log: log) })
    }
}

extension StoreError {
    /// Whether a server may start and wait for its database.
    ///
    /// The error may pass without a change on this host: the database becomes reachable or is promoted to primary.
    fileprivate var mayPassByItself: Bool { (isTransient && !isConnectionRefusedForGood) || code == .readOnly }
}

extension Installation {
    /// Prepares the features for serving, or warns that the clock can't be trusted.
    func prepareForServing(_ console: Console) async throws {
        guard let doubt = clock.doubt else { return try await prepare(console) }
        console.warn("\(doubt.message) Until then, the server issues nothing with a date. \(doubt.cure)")
    }
}
