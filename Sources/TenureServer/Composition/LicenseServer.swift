import TenureCore
public import TenureHTTP
public import TenureServerKit
public import TenureStore

/// The license server without sockets and files: use cases, dialects and services over a store, a clock and a log.
///
/// The program and the tests build it alike, so that tests exercise the real wiring.
public struct LicenseServer: Sendable {
    /// The version of this server and of its operator API, as the change log has it.
    public static let version = "0.1.0"

    /// Answers every request.
    public let handler: any Handler

    /// Takes the answer to a request that never reaches the handler: it gets what the path's dialect adds to every
    /// answer, is counted and leaves its line in the log.
    public let answer: @Sendable (Rejection, Response) -> Response

    /// Long work, in the order in which the supervisor starts it.
    public let services: [any Service]

    /// Runs the services, once it is told to start.
    public let supervisor: Supervisor

    /// The catalog that requests are answered under.
    public let catalog: CatalogCache

    /// Wires a server. While the clock is in doubt it dates nothing: requests for that are answered 503, the store takes no
    /// change, services rest. Throws ``ServerError`` when the store fails or the master key is not the one it was used with.
    /// - Parameters:
    ///   - keepTime: Keeps the store's mark of time; nil where the clock is nobody's, as in tests.
    ///   - stopwatch: Seconds on a clock that never goes back, for measuring requests.
    ///   - sightingsInterval: How often last-seen notes are written.
    ///   - sweepInterval: How often expiries are recorded.
    ///   - baseURL: Where devices reach this server when it is not `https://` and the marketplace's domain; counts while
    ///     there is one marketplace.
    ///   - folder: Where this machine keeps what must not wait for the store; nil to keep nothing.
    ///   - packages: Where this machine has the packages of apps; nil to serve none.
    ///   - outbound: Asks servers of others, such as App Store Connect; nil to ask nobody.
    ///   - proxies: Whose word is taken for where requests come from.
    ///   - pool: Does the costly cryptography; without one the server starts two threads for it.
    ///   - randomness: What keys of licenses are drawn from.
    ///   - changesAtOnce: How many changes may be under way; half of the requests that the server takes on.
    ///   - snapshot: Keeps what a start without the store needs; nil to keep nothing.
    ///   - isAway: Whether the store is away: then the server begins with the snapshot, or with nothing.
    public init(
        store: any Store, master: MasterKey, clock: any WallClock, keepTime: KeepTime? = nil, log: any Log,
        facts: ServerFacts,
        stopwatch: @escaping @Sendable () -> Double, sightingsInterval: Duration = .seconds(60),
        sweepInterval: Duration = .seconds(60), baseURL: String? = nil, folder: String? = nil,
        packages: PackagesPlace? = nil, outbound: (any Outbound)? = nil, behind proxies: TrustedProxies = .none,
        pool: ComputeLane? = nil, randomness: Randomness = .system, changesAtOnce: Int = 512,
        snapshot: StartSnapshot? = nil, isAway: Bool = false
    ) async throws(ServerError) {
        try await self.init(
            Rooms.all, store: store, master: master, clock: clock, keepTime: keepTime, log: log, facts: facts,
            stopwatch: stopwatch, sightingsInterval: sightingsInterval, sweepInterval: sweepInterval, baseURL: baseURL,
            folder: folder, packages: packages, outbound: outbound, behind: proxies, pool: pool,
            randomness: randomness, changesAtOnce: changesAtOnce, snapshot: snapshot, isAway: isAway)
    }

    /// Wires a server of some of the rooms, in their order; a room needs those that it builds on.
    package init(
        _ composed: [Room], store: any Store, master: MasterKey, clock: any WallClock, keepTime: KeepTime?,
        log: any Log,
        facts: ServerFacts, stopwatch: @escaping @Sendable () -> Double, sightingsInterval: Duration,
        sweepInterval: Duration, baseURL: String?, folder: String?, packages: PackagesPlace?,
        outbound: (any Outbound)? = nil, behind proxies: TrustedProxies, pool: ComputeLane?, randomness: Randomness,
        changesAtOnce: Int = 512, snapshot: StartSnapshot? = nil, isAway: Bool = false
    ) async throws(ServerError) {
        let store = store as? GuardedStore ?? GuardedStore(store, by: clock)
        let damage = CheckStore(store, StoreSchema.tenure.tables, log: log)
        let compute = if let pool { pool } else { try ComputeLane(threads: 2, limit: 256) }
        let reading = Rooms.catalog(of: composed)
        let catalog =
            if isAway {
                CatalogCache(
                    reading, store: store, master: master,
                    startingFrom: (snapshot?.open()).map { reading.snapshot(keptIn: $0.catalog) } ?? reading.nothing)
            } else {
                try await CatalogCache(reading, store: store, master: master)
            }
        let metrics = Metrics()
        // Two kinds of turns are waited for, so half of the changes are those of others, whoever floods both.
        let waiting = max(1, changesAtOnce / 4)
        let context = ServerContext(
            store: store, catalog: catalog, clock: clock, compute: compute, metrics: metrics, randomness: randomness,
            facts: facts, baseURL: baseURL, folder: folder, packages: packages,
            intervals: .init(sightings: sightingsInterval, sweep: sweepInterval), proxies: proxies,
            passwords: try PasswordTries(waiting: waiting), waiting: waiting, log: log, outbound: outbound)
        var rooms: [OpenRoom] = []
        for room in composed { rooms.append(try room.open(context)) }
        let forgets = [.answers] + composed.flatMap(\.forgets)
        let dated: [any Service] =
            rooms.flatMap(\.services) + rooms.flatMap(\.jobs).map { $0.runner(on: store, by: clock, log: log) }
            + [Purge(store: store, clock: clock, interval: .seconds(3600), forgets)]
        let keeping: [any Service] = snapshot.map { [KeepStartSnapshot($0, catalog: catalog, store: store)] } ?? []
        let all: [any Service] =
            [keepTime].compactMap(\.self) + dated.map { Resting(service: $0, clock: clock) } + [damage] + keeping
        let services: [any Service] = all.map { WaitingForStore(service: $0, catalog: catalog) }
        let supervisor = Supervisor(services, log: log) { role in await store.lead(role) }
        let open = rooms
        let health = HealthRoutes(
            store: store, damage: damage, clock: clock, metrics: metrics, gauges: open.map(\.gauges),
            supervisor: supervisor,
            facts: facts)
        let operators = OperatorAPI(store: store, clock: clock, names: master.names)
        let declared = Endpoint.joined(open.flatMap(\.endpoints))
        let endpoints = health.endpoints + declared + operators.endpoints(beside: declared)
        let desk = Desk(
            endpoints, under: catalog, by: clock, metrics: metrics, log: log,
            changes: ChangesUnderWay(atOnce: changesAtOnce), stopwatch: stopwatch,
            elsewhere: { request in
                for room in open { if let found = await room.elsewhere(request) { return found } }
                return nil
            },
            otherwise: { request, miss in
                if case .notFound = miss, !catalog.current.isComplete { return Self.storeAway }
                return await Self.nothingHere(request, miss)
            })
        handler = desk
        answer = { rejection, response in desk.answer(rejection, with: response) }
        self.catalog = catalog
        self.services = services
        self.supervisor = supervisor
    }
}
