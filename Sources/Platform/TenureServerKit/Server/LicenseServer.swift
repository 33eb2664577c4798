package import TenureCommandLine
import TenureCore
public import TenureHTTP
package import TenureStore

/// The license server without sockets: request handling and background services, with a store, a clock and a log.
///
/// The program and the tests create it in the same way, so the tests also cover the connections between its parts.
public struct LicenseServer: Sendable {
    /// The version of this server and its operator API, as in the change log.
    public static let version = "0.1.0"

    /// The handler of all requests.
    public let handler: any Handler

    /// Completes a response that the HTTP server sends instead of the handler's response.
    ///
    /// Adds the dialect's headers for the path, and counts and logs the request.
    public let answer: @Sendable (Rejection, Response) -> Response

    /// The background services, in the order in which they start.
    public let services: [any Service]

    /// Runs the services, once its `start()` has been called.
    public let supervisor: Supervisor

    /// The catalog that requests use.
    public let catalog: CatalogCache

    /// Creates a server.
    ///
    /// While the clock is untrusted, dated requests get 503, the store rejects writes, and services pause.
    ///
    /// - Throws: ``ServerError`` if the store fails, or if the master key doesn't belong to the store.
    ///
    /// - Parameters:
    ///   - features: The features of the server, in starting order.
    ///   - keepTime: Updates the store's clock mark; `nil` if the clock isn't watched, as in tests.
    ///   - stopwatch: A monotonic clock in seconds, for measuring requests.
    ///   - sightingsInterval: How often last-seen times are saved.
    ///   - sweepInterval: How often expirations are recorded.
    ///   - baseURL: The base URL for devices; `nil` for `https://` and the marketplace's domain. A value is used for
    ///     devices only if the server has a single marketplace.
    ///   - folder: The local folder for data that must be saved even while the store is unavailable; `nil` to save no
    ///     such data.
    ///   - arguments: The arguments of `tenure serve`, which include the features' options; `nil` without a command
    ///     line.
    ///   - outbound: Sends requests to external servers, such as App Store Connect; `nil` to disable outbound access.
    ///   - mail: Sends letters; `nil` to send none. Letters then wait until another server sends them.
    ///   - proxies: The proxies whose `X-Forwarded-For` header is trusted.
    ///   - pool: The threads for expensive cryptography. By default, the server starts two threads.
    ///   - randomness: The source of license keys and ids.
    ///   - changesAtOnce: The HTTP server's limit on concurrent changes. A queue may use a quarter of the limit.
    ///   - snapshot: The file that lets the server start without the store; `nil` for no such file.
    ///   - rewinds: Detects that the store has returned to an older state; `nil` for a store in the data folder.
    ///   - isAway: Whether the store is unavailable. If so, the server starts with the catalog in the snapshot file,
    ///     or with an empty catalog.
    package init(
        _ features: FeatureSet, store: any Store, master: MasterKey, clock: any WallClock, keepTime: KeepTime? = nil,
        log: any Log, facts: ServerFacts, stopwatch: @escaping @Sendable () -> Double,
        sightingsInterval: Duration = .seconds(60), sweepInterval: Duration = .seconds(60), baseURL: String? = nil,
        folder: String? = nil, arguments: Parsed? = nil, outbound: (any Outbound)? = nil,
        mail: (any MailTransport)? = nil,
        behind proxies: TrustedProxies = .none, pool: CryptoPool? = nil, randomness: Randomness = .system,
        changesAtOnce: Int = 512, snapshot: StartSnapshot? = nil, rewinds: RewindDetector? = nil, isAway: Bool = false
    ) async throws(ServerError) {
        let store = store as? ClockGuardedStore ?? ClockGuardedStore(store, by: clock)
        let damage = CheckStore(store, features.schema.tables, log: log)
        let compute = if let pool { pool } else { try CryptoPool(threads: 2, limit: 256) }
        let reading = features.catalog
        let catalog =
            if isAway {
                CatalogCache(
                    reading, store: store, rewinds: rewinds,
                    startingFrom: (snapshot?.open()).map { reading.snapshot(keptIn: $0.catalog, under: master) }
                        ?? reading.nothing(under: master))
            } else {
                try await CatalogCache(reading, store: store, master: master, rewinds: rewinds)
            }
        let metrics = Metrics()
        // Password checks and new marketplace devices wait in queues of their own. Even if both are full, half of the
        // limit remains for other requests.
        let waiting = max(1, changesAtOnce / 4)
        let context = ServerContext(
            store: store, catalog: catalog, clock: clock, compute: compute, metrics: metrics, randomness: randomness,
            facts: facts, baseURL: baseURL, folder: folder, arguments: arguments,
            intervals: .init(sightings: sightingsInterval, sweep: sweepInterval), proxies: proxies,
            passwords: try PasswordTries(waiting: waiting), waiting: waiting, log: log, outbound: outbound)
        var running: [RunningFeature] = []
        for feature in features.all { running.append(try feature.open(context)) }
        let retention = [.idempotentResponses, .responses(IdempotentResponse.self)] + features.all.flatMap(\.retention)
        let earliest = EarliestJob(in: store)
        var runners = running.flatMap(\.jobs).map { jobs -> any Service in
            let runner = jobs.runner(on: store, by: clock, log: log, earliest: earliest)
            return jobs.isOutbound ? HeldService.whileRecordsAreLost(catalog, runner) : runner
        }
        if let mail {
            let sending = SendMail(context, kinds: running.flatMap(\.mails), transport: mail)
            let runner = sending.kind.runner(on: store, by: clock, log: log, earliest: earliest)
            runners.append(
                HeldService.whileRecordsAreLost(catalog, HeldService.whilePaused(sending.gate, clock, runner)))
        }
        let dated: [any Service] =
            running.flatMap(\.services) + runners
            + [Purge(store: store, clock: clock, interval: .seconds(3600), retention)]
        let keeping: [any Service] =
            [
                FollowMasterKey(
                    catalog: catalog, clock: clock, lacksMailLinks: mail != nil && baseURL == nil)
            ]
            + (snapshot.map { [KeepStartSnapshot($0, catalog: catalog, store: store)] } ?? [])
        let all: [any Service] =
            [keepTime].compactMap(\.self) + dated.map { HeldService.whileInDoubt(clock, $0) } + [damage]
            + keeping + (rewinds.map { [KeepHistory($0, catalog: catalog, store: store)] } ?? [])
        let services: [any Service] = all.map { HeldService.untilRead(catalog, $0) }
        let supervisor = Supervisor(services, log: log) { role in await store.lead(role) }
        let open = running
        let health = HealthRoutes(
            store: store, damage: damage, rewinds: rewinds, catalog: catalog, clock: clock, metrics: metrics,
            gauges: open.map(\.gauges) + [
                AttentionGauges(attention: features.attention, store: store, clock: clock).exposition
            ],
            supervisor: supervisor,
            facts: facts)
        let operators = OperatorAPI(store: ServerStore(store), clock: clock, catalog: catalog, features: features)
        let declared = Endpoint.joined(open.flatMap(\.endpoints))
        let endpoints = health.endpoints + [LogoRoute().endpoint] + declared + operators.endpoints(beside: declared)
        let requestHandler = RequestHandler(
            endpoints, under: catalog, by: clock, metrics: metrics, log: log,
            stopwatch: stopwatch,
            fallbackRoute: { request in
                for feature in open { if let found = await feature.fallbackRoute(request) { return found } }
                return nil
            },
            otherwise: { request, miss in
                // No endpoint is declared for `/`, so the home page is served here.
                let (home, current) = (HomePage(facts: facts), catalog.current)
                guard case .notFound = miss else { return await Self.nothingHere(request, miss) }
                if request.path == "/", ["GET", "HEAD"].contains(request.method) {
                    return home.response(to: request, in: current.catalog)
                }
                let isAway = !current.isComplete
                if let page = home.missing(at: request, in: current.catalog, isAway: isAway) { return page }
                if isAway { return Self.storeAway }
                return await Self.nothingHere(request, miss)
            })
        handler = requestHandler
        answer = { rejection, response in requestHandler.answer(rejection, with: response) }
        self.catalog = catalog
        self.services = services
        self.supervisor = supervisor
    }
}
