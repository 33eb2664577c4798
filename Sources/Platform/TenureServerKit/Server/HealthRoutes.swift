import TenureCore
import TenureFormats
import TenureHTTP
import TenureStore

/// The endpoints for monitoring: `/health`, `/ready` and `/metrics`.
struct HealthRoutes: Sendable {
    let store: ClockGuardedStore
    let damage: CheckStore
    let rewinds: RewindDetector?
    let catalog: CatalogCache
    let clock: any WallClock
    let metrics: Metrics
    /// Functions that return the features' gauges in the Prometheus text format.
    let gauges: [@Sendable () async -> String]
    let supervisor: Supervisor
    let facts: ServerFacts

    var endpoints: [Endpoint] {
        [
            Endpoint("GET", "/health", format: .openProblem, catalog: .cached, authentication: .everyone, reads: .none)
            { _, _ in
                .done(.json(JSONWriter.object { $0.member("status", "ok") }))
            }
            .workingWithoutStore(),
            waiting("/ready") { await ready() },
            waiting("/metrics") {
                var text = metrics.exposition()
                for gauge in gauges { text += await gauge() }
                var response = Response.text(text + supervisor.states.exposition() + conditions() + facts.gauges())
                response.headers = ["Content-Type": "text/plain; version=0.0.4; charset=utf-8"]
                return response
            },
        ]
    }

    private func waiting(_ path: String, _ answer: @escaping @Sendable () async -> Response) -> Endpoint {
        Endpoint("GET", path, format: .openProblem, catalog: .cached, authentication: .everyone, reads: .none) { _ in
            .done(await answer())
        }
        .workingWithoutStore()
    }

    private func conditions() -> String {
        var text = PrometheusText()
        text.family("tenure_store_full", .gauge, "1 while nothing can be written because the disk is full.")
        text.sample([:], store.isFull ? 1 : 0)
        text.family(
            "tenure_store_unwritable", .gauge, "1 while this server's regular write to the store fails or hangs.")
        text.sample([:], store.writing.problem() == nil ? 0 : 1)
        text.family(
            "tenure_store_damaged_tables", .gauge, "Tables that the last check found damaged.")
        text.sample([:], Double(damage.tables.count))
        if let rewinds {
            let rewound = rewinds.rewound
            text.family(
                "tenure_store_rewound", .gauge,
                "1 from when the store returned to an older state until an operator has settled it.")
            text.sample([:], rewound == nil ? 0 : 1)
            text.family("tenure_store_missing_events", .gauge, "Events that the store is known to have lost then.")
            text.sample([:], Double(rewound?.missing ?? 0))
            rewinds.connections.write(into: &text)
        }
        text.family(
            "tenure_clock_in_doubt", .gauge, "1 while the clock isn't trusted and nothing with a date is issued.")
        text.sample([:], clock.doubt == nil ? 0 : 1)
        return text.text
    }

    /// Responds with 200 if the store accepts writes and the clock is trusted; otherwise with 503.
    ///
    /// A server with a damaged store stays ready, because most of its data is usually intact. A server whose store
    /// returned to an older state also stays ready, because all servers share that store.
    private func ready() async -> Response {
        if let doubt = clock.doubt {
            return notReady(.clockInDoubt, .server, "\(doubt.message) \(doubt.cure)")
        }
        if store.isFull {
            return notReady(
                .full, .store,
                "The disk is full, so nothing can be written. Free some space; the server then continues automatically."
            )
        }
        if let problem = store.writing.problem() {
            return notReady(
                problem.code, problem.scope,
                problem.standby.map { "\($0.message) \(StandbyWait.cure)" }
                    ?? (problem.scope == .store
                        ? "The store accepts no changes. Existing leases and refreshes may still work. The log's lines "
                            + "`clock_failed` name the cause."
                        : "This server can't write to the store. The log's lines `clock_failed` name the cause."))
        }
        do throws(StoreError) {
            let version = try await store.catalogVersion()
            var tenants = catalog.current.catalog.tenants
            if tenants.isEmpty, let changed = try? await catalog.refreshIfChanged() {
                tenants = changed.catalog.tenants
            }
            let hasTenants = !tenants.isEmpty
            return .json(
                JSONWriter.object { body in
                    body.member("status", "ready")
                    body.member("version", facts.version)
                    body.member("catalogVersion", version)
                    if !damage.tables.isEmpty { body.member("damaged", damage.tables) }
                    if let rewound = rewinds?.rewound { body.member("rewound", rewound.noticedAt.description) }
                    if !hasTenants { body.member("warning", Catalog.withoutTenant) }
                    if facts.hasVirtualClock { body.member("clock", "virtual clock") }
                })
        } catch {
            return notReady(error.code, error.scope, "The store doesn't respond. Run `tenure doctor` for details.")
        }
    }

    /// Returns a 503 response for load balancers. Its member `scope` tells whether another server may be ready.
    private func notReady(_ code: StoreError.Code, _ scope: WriteProbe.Scope, _ message: String) -> Response {
        .json(
            status: 503,
            JSONWriter.object { body in
                body.member("status", "not ready")
                body.member("code", code.text)
                body.member("scope", scope.rawValue)
                body.member("error", message)
            })
    }
}
