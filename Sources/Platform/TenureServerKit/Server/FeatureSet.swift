public import TenureCore
import TenureFormats
public import TenureStore

/// The features of a server, and everything that they declare, such as tables, catalog sections, reasons and events.
public struct FeatureSet: Sendable {
    /// The features, in the order in which they're started.
    package let all: [Feature]

    /// Reads the features' parts of the catalog, the lease-signing keys and the store's secrets.
    package let catalog: CatalogReading

    package let listings: [CatalogSection]

    /// The schema of the whole store.
    ///
    /// The shared tables that the features' tables refer to come first, then the features' tables, and then the other
    /// shared tables.
    public let schema: StoreSchema

    /// The reasons and events of the server and its features.
    package let registry: Registry

    /// The rules for changes that a restore must keep in effect, such as revocations: the server's, then those of the
    /// features, in the order of ``all``.
    package var restoreExclusions: [RestoreExclusion] {
        [RestoreExclusion.tokens] + all.flatMap { feature in feature.restoreExclusions() }
    }

    /// The tables whose rows a restore copies from the backup unchanged.
    package var restoredAsCopied: [RestoredAsCopied] { RestoredAsCopied.shared + all.flatMap(\.restoredAsCopied) }

    /// The rules for records that a restore of an older backup would lose, in order.
    ///
    /// The rule for tokens is first, then come the features' rules, and the rule for stored responses is last.
    package var restoreAdditions: [RestoreAddition] {
        [RestoreAddition.tokens] + all.flatMap { feature in feature.restoreAdditions() } + [RestoreAddition.answers]
    }

    /// The kinds of problems that can wait for the operator.
    package var attention: [Attention] { [.failedJobs] + all.flatMap(\.attention) }

    /// The scopes that an operator token can have, in the order of the help pages.
    package let scopes: [String]

    /// The kinds of records that events refer to, grouped by the event's member.
    ///
    /// The records of two features may use the same member.
    let records: [[RecordKind]]

    /// Finds events that refer to a license that no feature has.
    ///
    /// The query is created only once, because database engines cache its prepared statement.
    let strayEvents: NamedQuery<String>

    /// The query plan of the transaction that changes the catalog.
    let offerForm: QueryPlan<[TenantID], OfferQueries>

    /// Collects the declarations of features.
    ///
    /// - Parameter features: The features besides the server's own feature, in starting order. A feature must come
    ///   after the features that it depends on.
    package init(_ features: [Feature]) {
        let features = [.mail] + features.filter { $0.name != Feature.mail.name }
        all = features
        let (catalog, listings) = (
            CatalogReading([.storeSecrets, .leaseKeys] + features.compactMap(\.catalog)), features.compactMap(\.section)
        )
        self.catalog = catalog
        self.listings = listings
        registry = Registry(features)
        scopes = ([TokenScope.events] + features.flatMap(\.scopes)).sorted { $0.order < $1.order }.map(\.name)
        schema = StoreSchema(
            [TenantRow.kept(), CatalogVersion.kept(), TenantVersion.kept(), SettingRecord.kept()]
                + features.flatMap(\.tables)
                + [
                    TokenRecord.kept(by: TokenRecord.byHash, TokenRecord.byAge),
                    EventCounter.kept(),
                    EventRecord.kept(
                        by: EventRecord.ofTenant, EventRecord.ofLicense, EventRecord.newestOfLicense,
                        EventRecord.ofAccount),
                    IdempotentResponse.kept(by: IdempotentResponse.byAge), LeaderTerm.kept(),
                    Job.kept(by: Job.ofKind, Job.inState, Job.byState),
                ],
            migrations: features.flatMap(\.migrations))
        let kinds = features.flatMap(\.records)
        var fields: [String] = []
        for kind in kinds where !fields.contains(kind.field) { fields.append(kind.field) }
        records = fields.map { field in kinds.filter { $0.field == field } }
        strayEvents = EventRecord.stray(
            outside: kinds.filter { $0.column == "license_id" }.compactMap(\.table?.name))
        offerForm = QueryPlan(isAlone: true, for: [TenantID].self) { query in
            OfferQueries(&query, catalog, listings)
        }
    }
}

extension FeatureSet {
    /// Reads the whole catalog of a store with its version.
    public func catalog<Records: RecordStore>(of store: Records) async throws(Records.Failure) -> Catalog {
        try await catalog.catalog(in: store)
    }

    /// Reads the catalog of a store into a cache for requests.
    ///
    /// Throws if the store fails, or if the master key doesn't belong to the store.
    public func cache(of store: any Store, under master: MasterKey) async throws(ServerError) -> CatalogCache {
        try await CatalogCache(catalog, store: store, master: master)
    }

    /// Reads a catalog file with the sections of all features.
    ///
    /// - Parameters:
    ///   - bytes: The file's content.
    ///   - files: Reads the files that the catalog file refers to.
    /// - Throws: A ``CatalogFileError`` with every problem.
    package func catalogFile(
        parsing bytes: [UInt8], files: any NearbyFiles = NoFiles()
    ) throws(CatalogFileError) -> CatalogFile {
        try CatalogFile(
            parsing: bytes, files: files, listings: listings, reservedProducts: tenantPaths, isOwnPath: isOwnPath)
    }

    /// The JSON schema of a catalog file with the sections of all features.
    package var catalogFileSchema: JSONTree { CatalogFile.schema(listings) }
}

extension FeatureSet {
    /// The first segments of the server's own paths, and segments that are reserved for future use.
    private static let ownSegments: Set<String> = [
        "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "admin", "api", "assets", "compat", "console", "docs",
        "mail", "static", "clock", "health", "ready", "metrics", "openapi.json", ".well-known", "logos", "favicon.ico",
    ]

    /// The names after `/v1/{tenant}/` that no product can have as its id: the server's names, and names reserved for
    /// future use.
    private var tenantPaths: Set<String> {
        let reserved: Set = [
            "events", "tokens", "intake", "messages", "orders", "webhooks", "imports", "batches", "counts",
            "exports", "holders", "bundles", "releases", "places",
        ]
        return all.reduce(into: reserved) { $0.formUnion($1.tenantPaths) }
    }

    /// Whether a path belongs to the server, independent of the catalog. Apps can't use such a path.
    private func isOwnPath(_ path: String) -> Bool {
        let segments = path.split(atByte: "/").map(String.init)
        guard let first = segments.first else { return true }
        if Self.ownSegments.contains(first) { return true }
        // A feature can reserve a first segment. Then no tenant has this id, so no other feature has paths below the
        // segment.
        if let owner = all.first(where: { $0.reservesPath([first]) }) { return owner.reservesPath(segments) }
        return segments.count == 3 && segments[1] == ".well-known" || all.contains { $0.reservesPath(segments) }
    }
}
