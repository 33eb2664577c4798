package import TenureStore

extension PostgresStore {
    /// How to open a database, depending on whether it has Tenure's tables.
    public enum Mode: Sendable, Hashable {
        /// Create the tables if they don't exist.
        case create
        /// Fail with `.missing` if the tables don't exist.
        case existing
        /// Fail with `.missing` if the tables don't exist, and change nothing: sessions only read, also from a standby,
        /// and an older schema is refused.
        case reading
    }

    /// The store's timeouts and number of connections.
    ///
    /// It opens up to `lookups` + `readers` + 1 connections, plus one for roles and the host's clock, and one during a
    /// copy.
    public struct Limits: Sendable, Hashable {
        /// How long one statement of a change or lookup may take before it fails with `.busy`.
        public var statementTimeout: Duration
        /// How long one listing or count may take before it fails with `.busy`.
        public var listingTimeout: Duration
        /// How long a change waits for another server's lock before it fails with `.busy`.
        public var lockTimeout: Duration
        /// The number of connections, each with a thread, for the queries of requests.
        public var lookups: Int
        /// The number of connections, each with a thread, for listings and counts.
        public var readers: Int

        /// Creates limits; the defaults suit a server.
        public init(
            statementTimeout: Duration = .seconds(8), listingTimeout: Duration = .seconds(60),
            lockTimeout: Duration = .seconds(5), lookups: Int = 2, readers: Int = 2
        ) {
            self.statementTimeout = statementTimeout
            self.listingTimeout = listingTimeout
            self.lockTimeout = lockTimeout
            self.lookups = max(1, lookups)
            self.readers = max(1, readers)
        }
    }

    /// Opens a database and migrates its schema; several servers may do so at once.
    ///
    /// - Parameters:
    ///   - url: Such as `postgres://tenure@db.example/tenure`; `?host=/run/postgresql` for a Unix socket.
    ///   - allowingPassword: Whether the URL comes from a source that others can't see.
    ///   - observer: Checks each new connection, and gets the appended rows.
    ///   - reread: Reads the URL again after a refused login, because the password may have changed; returns `nil` if
    ///     the URL can't be read.
    /// - Throws: `.unavailable` if no host of the URL can be used; `.readOnly` if none accepts changes; `.permission`
    ///   if the URL contains a password that isn't allowed there; `.failed` for a pooler in transaction mode;
    ///   `.rewound` if the observer refuses every host of the URL; `.missing` if there are no Tenure tables; `.foreign`
    ///   if another program has tables of the same names; `.newerSchema` if a newer version of Tenure created the
    ///   schema.
    package static func open(
        _ schema: StoreSchema, url: String, mode: Mode = .existing, allowingPassword: Bool = false,
        limits: Limits = Limits(), observer: ConnectionObserver? = nil,
        reread: @escaping @Sendable () -> String? = { nil }
    ) async throws(StoreError) -> PostgresStore {
        let address = try Address(url, allowingPassword: allowingPassword, onlyReading: mode == .reading)
        let database = Database(address, observer: observer) {
            reread().flatMap { url in
                try? Address(url, allowingPassword: allowingPassword, onlyReading: mode == .reading)
            }
        }
        let short = SessionSettings(
            statementTimeout: limits.statementTimeout, lockTimeout: limits.lockTimeout, isIndexed: true)
        let long = SessionSettings(
            statementTimeout: limits.listingTimeout, lockTimeout: limits.lockTimeout, isIndexed: false)
        let lists = try ConnectionPool(database, long, threads: limits.readers)
        do {
            try await lists.run { connection in
                if mode == .reading { return try connection.checkSchema(schema, position: database.address.position) }
                try connection.migrate(to: schema, creating: mode == .create, position: database.address.position)
            }
        } catch {
            await lists.stop()
            throw error
        }
        return PostgresStore(
            database, queries: try ReaderPool(database, short, threads: limits.lookups),
            lists: lists,
            leading: try ConnectionPool(database, short, threads: 1),
            adopting: try ConnectionPool(database, .copying, threads: 1),
            writer: try Writer(database, short))
    }
}
