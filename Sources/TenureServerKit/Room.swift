package import TenureCore
package import TenureHTTP
package import TenureStore

/// A feature of the server as one value: what it keeps, what it may say, and what it does once it is opened.
///
/// The server is an array of rooms. Its schema, copies and backups, the catalog, the registers, the router and the
/// services are gathered from that array, so a room that is taken out of it is gone from all of them.
package struct Room: Sendable {
    /// Kinds under the heading that documents print them under.
    package struct Family<Kind: Sendable>: Sendable {
        /// The heading, such as `Licenses`.
        package let heading: String
        /// The kinds, in the order in which they are told.
        package let kinds: [Kind]

        /// Puts kinds under a heading.
        package init(_ heading: String, _ kinds: [Kind]) {
            self.heading = heading
            self.kinds = kinds
        }
    }

    /// Its name, such as `licensing`.
    package let name: String
    /// Its tables, those that are named before those that name them.
    package var tables: [KeptTable] = []
    /// What made its tables, apart from the first six migrations.
    package var migrations: [Migration] = []
    /// What it reads of the catalog; nil for nothing.
    package var catalog: CatalogMember?
    /// What it takes from a catalog file; nil for nothing.
    package var listing: CatalogListing?
    /// Why its law says no.
    package var reasons: [Family<Reason.Kind>] = []
    /// Why its requests do not get as far as the law.
    package var requests: [Family<Reason.Kind>] = []
    /// What it records.
    package var events: [Family<EventKind>] = []
    /// What is better not kept once it has been over for a while.
    package var forgets: [Forgets] = []
    /// What a store that is put back must not give again.
    package var takenBack: [TakenBack] = []
    /// What holds of its rows.
    package var laws: @Sendable (Inspection) -> [RowLaw] = { _ in [] }
    /// Opens it on a server.
    package var open: @Sendable (ServerContext) throws(ServerError) -> OpenRoom = { _ in OpenRoom() }

    /// Names a room that does nothing yet.
    package init(_ name: String) { self.name = name }
}

/// What an open room does.
package struct OpenRoom: Sendable {
    /// What it answers to.
    package var endpoints: [Endpoint<CatalogSnapshot>] = []
    /// What it does by itself, in the order in which it is started.
    package var services: [any Service] = []
    /// The kinds of jobs that it does; every server does them.
    package var jobs: [any Jobs] = []
    /// Which of its endpoints answers at a path that only the catalog names.
    package var elsewhere: @Sendable (Request) async -> (Endpoint<CatalogSnapshot>, PathParameters)? = { _ in nil }
    /// Its gauges in the Prometheus text format, read when asked.
    package var gauges: @Sendable () async -> String = { "" }

    /// Does nothing yet.
    package init() {}
}

/// All that a room may touch of the server that it is opened on.
package struct ServerContext: Sendable {
    /// Where everything is kept.
    package let store: any Store
    /// What is offered, with the opened keys.
    package let catalog: CatalogCache
    /// What time it is.
    package let clock: any WallClock
    /// Does the costly cryptography.
    package let compute: ComputeLane
    /// Counts what is answered.
    package let metrics: Metrics
    /// What keys and ids are drawn from.
    package let randomness: Randomness
    /// What is true of the server as a whole.
    package let facts: ServerFacts
    /// Where devices reach the server when that is not its marketplace's domain; nil where it is.
    package let baseURL: String?
    /// The folder on this machine for what must not wait for the store; it may not be there yet. Nil where nothing is kept.
    package let folder: String?
    /// Where the packages of apps are on this machine; nil where none are served.
    package let packages: PackagesPlace?
    /// How often each server writes down when devices were seen, and how often expiries are recorded.
    package let intervals: Intervals
    /// Whose word is taken for where requests come from.
    package let proxies: TrustedProxies
    /// How many passwords may be tried, whatever room asks for them.
    package let passwords: PasswordTries
    /// How many requests may wait for one kind of turn: so few that those that need none have room.
    package let waiting: Int
    /// Takes lines of the log.
    package let log: any Log
    /// Asks servers of others; nil where nobody is asked.
    package let outbound: (any Outbound)?

    /// How often services of the rooms work.
    package struct Intervals: Sendable {
        /// How often last-seen notes are written.
        package let sightings: Duration
        /// How often expiries are recorded.
        package let sweep: Duration

        /// States them.
        package init(sightings: Duration, sweep: Duration) {
            self.sightings = sightings
            self.sweep = sweep
        }
    }

    /// Puts it together.
    package init(
        store: any Store, catalog: CatalogCache, clock: any WallClock, compute: ComputeLane, metrics: Metrics,
        randomness: Randomness, facts: ServerFacts, baseURL: String?, folder: String? = nil,
        packages: PackagesPlace? = nil, intervals: Intervals, proxies: TrustedProxies, passwords: PasswordTries,
        waiting: Int, log: any Log, outbound: (any Outbound)? = nil
    ) {
        self.store = store
        self.catalog = catalog
        self.clock = clock
        self.compute = compute
        self.metrics = metrics
        self.randomness = randomness
        self.facts = facts
        self.baseURL = baseURL
        self.folder = folder
        self.packages = packages
        self.intervals = intervals
        self.proxies = proxies
        self.passwords = passwords
        self.waiting = waiting
        self.log = log
        self.outbound = outbound
    }
}
