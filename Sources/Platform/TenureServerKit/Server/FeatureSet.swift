public import TenureCore
import TenureFormats
public import TenureStore

/// The features of a server, from which everything else is collected: schema, catalog, reasons, events.
public struct FeatureSet: Sendable {
    /// The features, in starting order.
    package let all: [Feature]

    /// Reads the catalog of all features, and the lease-signing keys.
    package let catalog: CatalogReading

    /// The sections of a catalog file.
    package let listings: [CatalogSection]

    /// The schema of the whole server.
    ///
    /// Shared tables that features build on come first, then the features' own, and then those that refer to all of
    /// them.
    public let schema: StoreSchema

    /// The reasons and events of the features.
    package let registry: Registry

    /// What a restored copy of a store must not bring back, in the features' order.
    package let restoreExclusions: [RestoreExclusion]

    /// The scopes that a token can have, in the order of help pages.
    package let scopes: [String]

    /// What events refer to, by the member of the event; two features may keep records under one.
    let records: [[RecordKind]]

    /// Finds events that refer to a license that no feature has; made once, because engines keep its statement.
    let strayEvents: NamedQuery<Int64>

    /// The queries of a change of the catalog.
    let offerForm: QueryPlan<[TenantID], OfferQueries>

    /// Collects what some features declare.
    ///
    /// A feature needs those that it builds on, before it.
    package init(_ features: [Feature]) {
        all = features
        let (catalog, listings) = (
            CatalogReading([.leaseKeys] + features.compactMap(\.catalog)), features.compactMap(\.section)
        )
        self.catalog = catalog
        self.listings = listings
        registry = Registry(features)
        restoreExclusions = [RestoreExclusion.tokens] + features.flatMap(\.restoreExclusions)
        scopes = ([TokenScope.events] + features.flatMap(\.scopes)).sorted { $0.order < $1.order }.map(\.name)
        schema = StoreSchema(
            [TenantRow.kept(), CatalogVersion.kept(), TenantVersion.kept(), SettingRecord.kept()]
                + features.flatMap(\.tables)
                + [
                    TokenRecord.kept(by: TokenRecord.byHash, TokenRecord.byAge),
                    EventRecord.kept(by: EventRecord.ofTenant, EventRecord.ofLicense, EventRecord.ofAccount),
                    IdempotentResponse.kept(by: IdempotentResponse.byAge), LeaderTerm.kept(),
                    Job.kept(by: Job.ofKind, Job.inState),
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
    public func catalog(of store: any Store) async throws(StoreError) -> Catalog {
        try await catalog.catalog(in: store)
    }

    /// Reads the catalog of a store for requests.
    ///
    /// Throws if the store fails or the master key is wrong.
    public func cache(of store: any Store, under master: MasterKey) async throws(ServerError) -> CatalogCache {
        try await CatalogCache(catalog, store: store, master: master)
    }

    /// Reads a catalog file with the sections of all features.
    ///
    /// Throws one ``CatalogFileError`` with every problem found.
    package func catalogFile(
        parsing bytes: [UInt8], files: any NearbyFiles = NoFiles()
    ) throws(CatalogFileError) -> CatalogFile {
        try CatalogFile(parsing: bytes, files: files, listings: listings, isOwnPath: isOwnPath)
    }

    /// The JSON schema of a catalog file with the sections of all features.
    package var catalogFileSchema: JSONTree { CatalogFile.schema(listings) }
}

extension FeatureSet {
    /// The first segments of the server's own paths, and some that are kept for later.
    private static let ownSegments: Set<String> = [
        "v1", "admin", "assets", "static", "clock", "health", "ready", "metrics", "openapi.json", ".well-known",
    ]

    /// Whether the server itself serves a path, whatever tenants and products exist, so that apps can't use it.
    private func isOwnPath(_ path: String) -> Bool {
        let segments = path.split(separator: "/").map(String.init)
        guard let first = segments.first else { return true }
        if Self.ownSegments.contains(first) { return true }
        // No tenant has a name that a feature reserves, so below it no other feature has paths.
        if let owner = all.first(where: { $0.reservesPath([first]) }) { return owner.reservesPath(segments) }
        return segments.count == 3 && segments[1] == ".well-known" || all.contains { $0.reservesPath(segments) }
    }
}
