import TenureStore

/// A connection that is opened on demand and replaced when it is lost.
///
/// While the database is unreachable, callers fail at once. The next connection attempt follows after a pause that
/// grows from 50 ms to 1 s.
// No lock: one thread owns it.
final class Session {
    private let database: Database
    private let settings: SessionSettings
    private let purpose: NewConnection.Purpose
    private var connection: Connection?
    private var failure: (error: StoreError, retryAt: ContinuousClock.Instant, pause: Duration)?
    /// The database's suspicion count when this session last opened or checked its connection.
    private var checkedAt = 0
    /// The database's count of suspected losses when this session's connection was last checked for a loss.
    private var checkedLossAt = 0
    /// When this session last moved to the server of the session for changes.
    private var followedAt: ContinuousClock.Instant?
    /// When this session last replaced a connection because the database accepted no changes.
    private var replacedReadOnlyAt: ContinuousClock.Instant?

    /// - Parameter purpose: The purpose of the session's connections, for the database's observer. The other sessions
    ///   follow the session for changes to its server.
    init(_ database: Database, _ settings: SessionSettings, for purpose: NewConnection.Purpose = .other) {
        self.database = database
        self.settings = settings
        self.purpose = purpose
    }

    /// Runs the body with the connection; runs it again on a new one if the connection was lost before anything took
    /// effect.
    func use<Result>(_ body: (Connection) throws -> Result) throws(StoreError) -> Result {
        let isFresh = connection == nil
        let connection = try connected()
        do {
            let result = try storeErrors { try body(connection) }
            reportFaults(of: connection)
            if connection.isLost { self.connection = nil }
            return result
        } catch {
            reportFaults(of: connection)
            guard connection.isLost else { throw error }
            self.connection = nil
            if isFresh || connection.isOutcomeUnknown || error.code != .unavailable { throw error }
        }
        return try use(body)
    }

    /// Returns the connection, or opens one.
    @discardableResult
    func connected() throws(StoreError) -> Connection {
        if let connection, isUsable(connection), try !hasLost(connection) { return connection }
        connection = nil
        if let failure, ContinuousClock.now < failure.retryAt { throw failure.error }
        do {
            let fresh = try openChecked()
            connection = fresh
            failure = nil
            if isWriting {
                database.writingServer = Database.WritingServer(startedAt: fresh.server, host: fresh.chosenHost)
            }
            return fresh
        } catch {
            let pause = min((failure?.pause ?? .milliseconds(25)) * 2, .seconds(1))
            failure = (error, .now + pause, pause)
            throw error
        }
    }

    private var isWriting: Bool { purpose == .changes }

    func close() { connection = nil }

    /// Opens a connection and checks it.
    ///
    /// If the database has returned to an older state, another host of the URL may have the newer one. libpq itself
    /// stays with the first host that accepts changes, such as a former primary that came back.
    private func openChecked() throws(StoreError) -> Connection {
        checkedLossAt = database.suspectedLossCount
        let fresh = try open()
        // The observer's statements are prepared, so a transaction pooler must be refused first.
        if fresh.isPooled {
            try database.checkPoolerOnce { () throws(StoreError) in
                try PoolerCheck.refuseTransactionPooling(at: database, settings)
            }
        }
        do throws(StoreError) {
            try database.observer?.check(fresh, of: database, for: purpose)
            return fresh
        } catch {
            guard error.code == .rewound else { throw error }
            // The session for changes may still use the former primary on an older connection.
            if !isWriting, fresh.server == database.writingServer?.startedAt { database.suspectLoss() }
            for host in database.address.hosts {
                do throws(StoreError) {
                    let other = try Connection(database, settings, host: host)
                    try database.observer?.check(other, of: database, for: purpose)
                    return other
                } catch {
                    // The next host may work.
                    continue
                }
            }
            throw error
        }
    }

    /// Opens a connection; if that fails, tries once more with the address as it is stored now, because its password
    /// may have changed.
    private func open() throws(StoreError) -> Connection {
        let count = database.suspicionCount
        let fresh: Connection
        do {
            fresh = try connect()
        } catch {
            guard database.rereadAddress() else { throw error }
            fresh = try connect()
        }
        checkedAt = count
        return fresh
    }

    private func connect() throws(StoreError) -> Connection {
        let first = isWriting ? nil : database.writingServer?.host
        return try database.connectToWritableHost(settings, first: first)
    }

    /// Whether the session for changes is connected to another server, so that this session has to move there.
    ///
    /// It's true at most once in five seconds, because that server may not be reachable from here.
    private func mustFollow(from connection: Connection) -> Bool {
        guard !isWriting, let writing = database.writingServer, writing.startedAt != connection.server else {
            return false
        }
        let now = ContinuousClock.now
        if let followedAt, now < followedAt + .seconds(5) { return false }
        followedAt = now
        return true
    }

    /// Checks a connection if another session suspects the database since its last check.
    ///
    /// A connection to a database that became a standby is replaced, too, because the primary is elsewhere.
    private func isUsable(_ connection: Connection) -> Bool {
        if mustFollow(from: connection) { return false }
        let count = database.suspicionCount
        if count == checkedAt { return true }
        checkedAt = count
        let isStandby = try? connection.run(.isStandby, within: Self.checkLimit).first { row in try row.next(Bool.self)
        }
        return isStandby == false
    }

    /// Rechecks the connection that writes changes if another session suspects that the database has lost changes.
    ///
    /// Returns whether the connection must be replaced; connections for other purposes stay.
    private func hasLost(_ connection: Connection) throws(StoreError) -> Bool {
        let count = database.suspectedLossCount
        if purpose != .changes || count == checkedLossAt { return false }
        do throws(StoreError) {
            try database.observer?.check(connection, of: database, for: purpose)
        } catch {
            if connection.isLost || error.code == .rewound { return true }
            throw error
        }
        checkedLossAt = count
        return false
    }

    /// Informs the other sessions of faults during the last use, because the body may have handled the error itself.
    private func reportFaults(of connection: Connection) {
        if connection.isUnresponsive { database.recordHang() }
        if connection.isReadOnly {
            connection.isReadOnly = false
            replaceReadOnly()
        }
    }

    /// Replaces the connection after the database accepted no change, at most once in five seconds. Behind a proxy, a
    /// new connection may lead to the new primary.
    private func replaceReadOnly() {
        let now = ContinuousClock.now
        if let replacedReadOnlyAt, now < replacedReadOnlyAt + .seconds(5) { return }
        replacedReadOnlyAt = now
        connection = nil
        database.suspect()
    }

    private static let checkLimit = Duration.seconds(3)
}

extension SQL {
    fileprivate static let isStandby = SQL("SELECT pg_is_in_recovery()")
}
