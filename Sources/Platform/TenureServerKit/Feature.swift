package import TenureCommandLine
package import TenureCore
package import TenureHTTP
package import TenureStore

/// A feature of the server as one value: what it declares, such as tables, reasons and commands, and a function that
/// starts it.
///
/// The server is an array of features. Its schema, backups, catalog, registry, routes and services are collected from
/// that array, so removing a feature from the array removes all of them.
package struct Feature: Sendable {
    /// Kinds of reasons or events under a common heading of the documentation.
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
    /// The feature's part of the catalog; `nil` if the catalog has nothing of the feature.
    package var catalog: CatalogMember?
    /// The feature's section of a catalog file; `nil` if the file doesn't configure the feature.
    package var section: CatalogSection?
    /// The reasons that the feature's decisions give for a refusal.
    package var reasons: [Family<Reason.Kind>] = []
    /// The reasons for rejecting a request before the feature decides about it.
    package var requests: [Family<Reason.Kind>] = []
    /// The kinds of events that the feature records.
    package var events: [Family<EventKind>] = []
    /// The rules that delete the feature's rows a fixed time after a date in the row, such as the end of a session.
    package var retention: [RetentionRule] = []
    /// Returns rules for changes that a restore of a backup must keep in effect, such as revocations of licenses.
    package var restoreExclusions: @Sendable () -> [RestoreExclusion] = { [] }
    /// The feature's other tables, whose rows a restore copies from the backup unchanged.
    package var restoredAsCopied: [RestoredAsCopied] = []
    /// Returns rules for records that a restore of an older backup would lose, such as licenses issued since the
    /// backup.
    package var restoreAdditions: @Sendable () -> [RestoreAddition] = { [] }
    /// Returns sentences about what a restored store gets back automatically, such as licenses that are issued again.
    package var returnsAfterRestore: @Sendable (any Store, MasterKey) async throws(ServerError) -> [String] = { _, _ in
        []
    }
    /// Finds the holder of a session on the feature's pages by the session's reference; `nil` if the session doesn't
    /// exist.
    package var holderOfSession:
        @Sendable (SupportReference, TenantID, ServerStore) async throws(ServerError) -> String? = { _, _, _ in nil }
    /// The kinds of the feature's records that events can refer to.
    package var records: [RecordKind] = []
    /// Returns the invariants of the feature's rows, which `tenure doctor --deep` checks.
    package var invariants: @Sendable (Inspection) -> [RowInvariant] = { _ in [] }
    /// Provides the feature's licenses to `tenure license`; `nil` if it has none or defines that command.
    package var licenses: LicenseProvider?
    /// The problems of the feature that can wait for the operator; `tenure doctor`, `tenure status` and `/metrics`
    /// report them.
    package var attention: [Attention] = []
    /// The checks that the feature adds to `tenure doctor`.
    package var concerns: [Concern] = []
    /// The feature's part of `tenure status`; `nil` for no part.
    package var status: StatusReport?
    /// Counts the feature's records for `tenure doctor`. Each text is a count such as `12 licenses`.
    package var counts: @Sendable (any Store) async throws(StoreError) -> [String] = { _ in [] }
    /// The feature's work in `tenure apply` besides changing the catalog; `nil` for no such work.
    package var applying: ApplyStep?
    /// Creates records that the feature's part of the catalog needs, such as keys. Runs after `tenure apply` and at
    /// the start of a server.
    package var prepare: @Sendable (Installation, Console) async throws -> Void = { _, _ in }
    /// The scopes that the feature's endpoints require.
    package var scopes: [TokenScope] = []
    /// Whether the feature serves a path in the same way for all tenants and products. The argument has the path's
    /// segments, at least one.
    package var reservesPath: @Sendable ([String]) -> Bool = { _ in false }
    /// The names that the feature's paths have after `/v1/{tenant}/`. No product may have such a name as its id.
    package var tenantPaths: Set<String> = []
    /// The groups of the feature's operations in the OpenAPI description.
    package var tags: [(name: String, sentence: String)] = []
    package var commands: @Sendable (Installations) -> [FeatureCommand] = { _ in [] }
    /// The options of `tenure serve` that the feature reads.
    package var options: [any DeclaredArgument] = []
    /// Starts the feature on a server.
    package var open: @Sendable (ServerContext) throws(ServerError) -> RunningFeature = { _ in RunningFeature() }

    /// Creates a feature without any behavior.
    package init(_ name: String) { self.name = name }
}

/// What a feature adds to a running server, such as endpoints, services, jobs and gauges.
package struct RunningFeature: Sendable {
    /// The endpoints that the feature serves.
    package var endpoints: [Endpoint] = []
    /// The feature's background services, in the order in which they start.
    package var services: [any Service] = []
    /// The kinds of jobs that the feature runs, on every server.
    package var jobs: [any Jobs] = []
    /// The kinds of letters that the feature writes.
    package var mails: [MailKind] = []
    /// Finds the feature's endpoint for a path that only the catalog defines; `nil` for any other path.
    package var fallbackRoute: @Sendable (Request) async -> (Endpoint, PathParameters)? = { _ in nil }
    /// Computes the feature's gauges in the Prometheus text format.
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
    /// The process's version, whether its clock is virtual, and its gauges.
    package let facts: ServerFacts
    /// The base URL of the server for devices; `nil` if none is configured.
    package let baseURL: String?
    /// A local folder for data that must be saved even while the store is unavailable; it may not exist yet.
    ///
    /// `nil` if the server saves nothing locally.
    package let folder: String?
    /// The arguments of `tenure serve`, including the feature's options; `nil` without a command line.
    package let arguments: Parsed?
    /// How often periodic services run.
    package let intervals: Intervals
    /// The proxies whose `X-Forwarded-For` header is trusted.
    package let proxies: TrustedProxies
    /// The limit on password attempts, shared by all features.
    package let passwords: PasswordTries
    /// The maximum number of requests in one queue. It's low enough to leave capacity for requests that don't queue.
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
