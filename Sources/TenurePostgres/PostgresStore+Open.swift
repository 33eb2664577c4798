public import TenureStore

extension PostgresStore {
    /// What to do about a database that holds nothing of Tenure.
    public enum Mode: Sendable, Hashable {
        /// Make Tenure's tables in it.
        case create
        /// Fail with `.missing`.
        case existing
    }

    /// How patient the store is, and how many connections it makes: `lookups` + `readers` + 1, and one more where a
    /// service leads, and while a copy is made.
    public struct Limits: Sendable, Hashable {
        /// How long one statement may take, a change's or a lookup's, before `.busy`.
        public var statementTimeout: Duration
        /// How long one listing or count may take before `.busy`.
        public var listingTimeout: Duration
        /// How long a change waits for another server's, before `.busy`.
        public var lockTimeout: Duration
        /// Connections for what requests ask, each with a thread.
        public var lookups: Int
        /// Connections for listings and counts, each with a thread.
        public var readers: Int

        /// Sets the limits; the standard ones suit a server.
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

    /// Opens a database and brings its schema up to date; several servers may do so at once.
    ///
    /// Throws: `.unavailable` when it cannot be reached, `.permission` when it refuses the user or when the URL holds a
    /// password that is not allowed there, `.missing` without Tenure's tables, `.foreign` when their names are another
    /// program's, `.newerSchema` when a newer version of Tenure made them.
    /// - Parameters:
    ///   - url: Such as `postgres://tenure@db.example/tenure`; `?host=/run/postgresql` for a unix socket.
    ///   - allowingPassword: Whether the URL came from a place that others cannot see.
    public static func open(
        _ schema: StoreSchema, url: String, mode: Mode = .existing, allowingPassword: Bool = false,
        limits: Limits = Limits()
    ) async throws(StoreError) -> PostgresStore {
        let address = try Address(url, allowingPassword: allowingPassword)
        let short = SessionSettings(
            statementTimeout: limits.statementTimeout, lockTimeout: limits.lockTimeout, isIndexed: true)
        let long = SessionSettings(
            statementTimeout: limits.listingTimeout, lockTimeout: limits.lockTimeout, isIndexed: false)
        let lists = try SessionLane(address, long, threads: limits.readers)
        do {
            try await lists.run { connection throws(StoreError) in
                try connection.migrate(to: schema, creating: mode == .create, place: address.place)
            }
        } catch {
            await lists.stop()
            throw error
        }
        return PostgresStore(
            address, looks: try Looks(address, short, threads: limits.lookups), lists: lists,
            leading: try SessionLane(address, short, threads: 1),
            adopting: try SessionLane(address, .copying, threads: 1),
            writer: try Writer(address, short))
    }
}
