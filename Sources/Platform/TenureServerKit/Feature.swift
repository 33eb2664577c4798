package import TenureCommandLine
package import TenureCore
package import TenureHTTP
package import TenureStore

/// A feature of the server as one value: its tables, its reasons and events, and how to start it.
///
/// The server is an array of features. Its schema, backups, catalog, registry, routes and services are collected from
/// that array, so removing a feature removes all of them.
package struct Feature: Sendable {
    /// Kinds under a common heading of the documentation.
    package struct Family<Kind: Sendable>: Sendable {
        /// The heading, such as `Licenses`.
        package let heading: String
        /// The kinds, in the documentation's order.
        package let kinds: [Kind]

        package init(_ heading: String, _ kinds: [Kind]) {
            self.heading = heading
            self.kinds = kinds
        }
    }

    /// The feature's name, such as `licensing`.
    package let name: String
    /// The feature's tables; referenced tables come first.
    package var tables: [StoreSchema.KeptTable] = []
    /// The schema changes of the feature's tables since the first version.
    package var migrations: [Migration] = []
    /// The feature's part of the catalog; `nil` if it has none to read.
    package var catalog: CatalogMember?
    /// The feature's section of a catalog file; `nil` if it isn't configured there.
    package var section: CatalogSection?
    /// The reasons that its decisions give for a refusal.
    package var reasons: [Family<Reason.Kind>] = []
    /// The reasons for rejecting a request before any decision is made.
    package var requests: [Family<Reason.Kind>] = []
    /// The events that it records.
    package var events: [Family<EventKind>] = []
    /// Which of its rows are deleted some time after they ended.
    package var retention: [RetentionRule] = []
    /// Returns what must not become valid again when a backup is restored, such as revoked licenses.
    package var restoreExclusions: @Sendable () -> [RestoreExclusion] = { [] }
    /// Its other tables, whose rows a restored backup contains unchanged.
    package var restoredAsCopied: [RestoredAsCopied] = []
    /// Returns what a restore of an older backup loses, such as licenses that were issued since.
    package var restoreAdditions: @Sendable () -> [RestoreAddition] = { [] }
    /// Returns sentences about what a restored store gets back automatically, such as licenses that are issued again.
    package var returnsAfterRestore: @Sendable (any Store, MasterKey) async throws(ServerError) -> [String] = { _, _ in
        []
    }
    /// Finds the holder of a session on its pages by the session's reference; `nil` if that session no longer exists.
    package var holderOfSession:
        @Sendable (SupportReference, TenantID, ServerStore) async throws(ServerError) -> String? = { _, _, _ in nil }
    /// The kinds of its records that events can refer to.
    package var records: [RecordKind] = []
    /// Returns the invariants of its rows, which `tenure doctor --deep` checks.
    package var invariants: @Sendable (Inspection) -> [RowInvariant] = { _ in [] }
    /// Provides its licenses to `tenure license`; `nil` if it has none or defines that command itself.
    package var licenses: LicenseProvider?
    /// Its records that can wait for the operator; `tenure doctor`, `tenure status` and `/metrics` report it.
    package var attention: [Attention] = []
    /// The checks that it adds to `tenure doctor`.
    package var concerns: [Concern] = []
    /// Its part of `tenure status`; `nil` if it shows nothing there.
    package var status: StatusReport?
    /// Counts its records for `tenure doctor`; each text is a count such as `12 licenses`.
    package var counts: @Sendable (any Store) async throws(StoreError) -> [String] = { _ in [] }
    /// What `tenure apply` does for it besides changing the catalog.
    package var applying: ApplyStep?
    /// Creates what its part of the catalog needs, such as keys: after `tenure apply`, and when a server starts.
    package var prepare: @Sendable (Installation, Console) async throws -> Void = { _, _ in }
    /// The scopes that its endpoints require.
    package var scopes: [TokenScope] = []
    /// Whether it serves a path regardless of the tenants and products; gets the path's segments, at least one.
    package var reservesPath: @Sendable ([String]) -> Bool = { _ in false }
    /// The names that its paths have after `/v1/{tenant}/`, so that no product can be called so.
    package var tenantPaths: Set<String> = []
    /// The groups of its operations in the OpenAPI description.
    package var tags: [(name: String, sentence: String)] = []
    package var commands: @Sendable (Installations) -> [FeatureCommand] = { _ in [] }
    /// The options of `tenure serve` that it reads.
    package var options: [any DeclaredArgument] = []
    /// Starts the feature on a server.
    package var open: @Sendable (ServerContext) throws(ServerError) -> RunningFeature = { _ in RunningFeature() }

    /// Creates a feature without any behavior.
    package init(_ name: String) { self.name = name }
}

/// A feature of a running server, with what it contributes to requests and services.
package struct RunningFeature: Sendable {
    /// The endpoints that it serves.
    package var endpoints: [Endpoint] = []
    /// Its background services, in starting order.
    package var services: [any Service] = []
    /// The kinds of jobs that it runs, on every server.
    package var jobs: [any Jobs] = []
    /// The kinds of letters that it writes.
    package var mails: [MailKind] = []
    /// Finds its endpoint for a path that only the catalog defines.
    package var fallbackRoute: @Sendable (Request) async -> (Endpoint, PathParameters)? = { _ in nil }
    /// Computes its gauges in the Prometheus text format.
    package var gauges: @Sendable () async -> String = { "" }

    package init() {}
}

/// The parts of the server that a feature may use.
package struct ServerContext: Sendable {
    package let store: ServerStore
    /// The cached catalog with its decrypted keys.
    package let catalog: CatalogCache
    package let clock: any WallClock
    /// The threads for expensive cryptography.
    package let compute: CryptoPool
    package let metrics: Metrics
    /// The source of license keys and ids.
    package let randomness: Randomness
    /// Facts about this server process.
    package let facts: ServerFacts
    /// The base URL for devices; `nil` if they use the marketplace's domain.
    package let baseURL: String?
    /// A local folder for data that must be saved even while the store is unavailable; it may not exist yet.
    ///
    /// `nil` if the server saves nothing locally.
    package let folder: String?
    /// The arguments of `tenure serve`, among them the feature's options; `nil` without a command line.
    package let arguments: Parsed?
    /// How often periodic services run.
    package let intervals: Intervals
    /// The proxies whose `X-Forwarded-For` header is trusted.
    package let proxies: TrustedProxies
    /// The limit on password attempts, shared by all features.
    package let passwords: PasswordTries
    /// The maximum number of requests in one queue; low enough to leave capacity for requests that don't queue.
    package let waiting: Int
    package let log: any Log
    /// Sends outbound requests; `nil` if outbound access is disabled.
    package let outbound: (any Outbound)?

    /// How often the features' periodic services run.
    package struct Intervals: Sendable {
        /// How often last-seen times are saved.
        package let sightings: Duration
        /// How often expirations are recorded.
        package let sweep: Duration

        package init(sightings: Duration, sweep: Duration) {
            self.sightings = sightings
            self.sweep = sweep
        }
    }

    package init(
        store: any Store, catalog: CatalogCache, clock: any WallClock, compute: CryptoPool, metrics: Metrics,
        randomness: Randomness, facts: ServerFacts, baseURL: String?, folder: String? = nil,
        arguments: Parsed? = nil, intervals: Intervals, proxies: TrustedProxies, passwords: PasswordTries,
        waiting: Int, log: any Log, outbound: (any Outbound)? = nil
    ) {
        self.store = ServerStore(store)
        self.catalog = catalog
        self.clock = clock
        self.compute = compute
        self.metrics = metrics
        self.randomness = randomness
        self.facts = facts
        self.baseURL = baseURL
        self.folder = folder
        self.arguments = arguments
        self.intervals = intervals
        self.proxies = proxies
        self.passwords = passwords
        self.waiting = waiting
        self.log = log
        self.outbound = outbound
    }
}
