import TenureStore

/// A connection that is opened on demand and replaced when it is lost.
///
/// While the database is unreachable, callers fail at once. The next connection attempt follows after a pause that
/// grows from 50 ms to 1 s.
// No lock: one thread owns it.
final class Session {
    private let database: Database
    private let settings: SessionSettings
    private let opened: ((Connection) throws(StoreError) -> Void)?
    private var connection: Connection?
    private var failure: (error: StoreError, retryAt: ContinuousClock.Instant, pause: Duration)?
    /// The database's suspicion count when this session last knew that its connection works.
    private var checkedAt = 0
    /// When this session last replaced a connection because the database accepted no changes.
    private var replacedReadOnlyAt: ContinuousClock.Instant?

    /// - Parameter opened: Checks each new connection before it's used.
    init(
        _ database: Database, _ settings: SessionSettings, opened: ((Connection) throws(StoreError) -> Void)? = nil
    ) {
        self.database = database
        self.settings = settings
        self.opened = opened
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
        if let connection, isUsable(connection) { return connection }
        connection = nil
        if let failure, ContinuousClock.now < failure.retryAt { throw failure.error }
        do {
            let fresh = try openChecked()
            connection = fresh
            failure = nil
            return fresh
        } catch {
            let pause = min((failure?.pause ?? .milliseconds(25)) * 2, .seconds(1))
            failure = (error, .now + pause, pause)
            throw error
        }
    }

    /// Closes the connection.
    func close() { connection = nil }

    /// Opens a connection and checks it.
    ///
    /// If the database has returned to an older state, another host of the URL may have the newer one: libpq stays with
    /// the first host that accepts changes, such as a former primary that came back.
    private func openChecked() throws(StoreError) -> Connection {
        let fresh = try open()
        do throws(StoreError) {
            try opened?(fresh)
            return fresh
        } catch {
            guard error.code == .rewound else { throw error }
            for host in database.address.hosts {
                do throws(StoreError) {
                    let other = try Connection(database, settings, host: host)
                    try opened?(other)
                    return other
                } catch {
                    // The next host may work.
                    continue
                }
            }
            throw error
        }
    }

    /// Opens a connection; if the login is refused, tries once more with the password as it is stored now.
    private func open() throws(StoreError) -> Connection {
        let count = database.suspicionCount
        let fresh: Connection
        do {
            fresh = try Connection(database, settings)
        } catch {
            guard error.isConnectionRefusedForGood || error.code == .permission, database.rereadAddress() else {
                throw error
            }
            fresh = try Connection(database, settings)
        }
        checkedAt = count
        return fresh
    }

    /// Checks a connection if another session suspects the database since its last check.
    ///
    /// A connection to a database that became a standby is replaced too: the primary is elsewhere.
    private func isUsable(_ connection: Connection) -> Bool {
        let count = database.suspicionCount
        if count == checkedAt { return true }
        checkedAt = count
        let isStandby = try? connection.run(.isStandby, within: Self.checkLimit).first { row in try row.next(Bool.self)
        }
        return isStandby == false
    }

    /// Tells the other sessions what the last use showed; the body may have handled the error itself.
    private func reportFaults(of connection: Connection) {
        if connection.isUnresponsive { database.recordHang() }
        if connection.isReadOnly {
            connection.isReadOnly = false
            replaceReadOnly()
        }
    }

    /// Replaces the connection after the database accepted no change, at most once in five seconds: behind a proxy, a
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
