import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

/// Identifies a license to load.
enum LicenseSelector: Sendable {
    case id(LicenseID)
    case key(Digest, in: ProductRef)
    case activation(ActivationID)
}

/// A license with its activations, as loaded from the store.
struct LoadedLicense: Sendable, Equatable {
    var license: License?
    var activation: Activation?
    /// `nil` if the license doesn't exist.
    var activations: License.Activations?
    /// The times of the holder's latest releases, latest first.
    var releasesByHolder: [Timestamp]
}

/// The queries for a license, its activations, and the activation of one device.
struct LicenseQueries: Sendable {
    let license: RowQuery<License>
    private let activation: RowQuery<Activation>?
    private let result: CountQuery
    private let existing: RowQuery<Activation>
    private let releases: RowsQuery<Activation>

    /// A license's name and the device that the queries look for.
    struct Parameters<Name: Sendable>: Sendable {
        let name: Name
        let device: DeviceIdentity
    }

    /// The parameters of the query for a license key: its product and its hash.
    struct KeyOfProduct: Sendable {
        let hash: Digest
        let product: ProductRef
    }

    static let byID = QueryPlan(for: Parameters<LicenseID>.self) { query in
        LicenseQueries(query.row(License.table.key) { [.of($0.name)] }, nil, &query)
    }
    static let byKey = QueryPlan(for: Parameters<KeyOfProduct>.self) { query in
        let license = query.row(License.byKey) {
            [.of($0.name.hash), .of($0.name.product.tenant), .of($0.name.product.product)]
        }
        return LicenseQueries(license, nil, &query)
    }
    static let byActivation = QueryPlan(for: Parameters<ActivationID>.self) { query in
        let activation = query.row(Activation.table.key) { [.of($0.name)] }
        return LicenseQueries(
            query.row(License.table.key, .column("license_id", of: activation)), activation, &query)
    }

    private init<Name>(
        _ license: RowQuery<License>, _ activation: RowQuery<Activation>?, _ query: inout QueryBuilder<Parameters<Name>>
    ) {
        self.license = license
        self.activation = activation
        result = query.count(Activation.live, upTo: Policy.highestActivationLimit + 1, .column("id", of: license))
        existing = query.row(Activation.liveOfDevice, .column("id", of: license), .request { .of($0.device.code) })
        releases = query.rows(
            Activation.releasedByHolder, upTo: SelfRelease.highestPerYear + 1, .column("id", of: license))
    }

    /// Assembles the rows that the queries found.
    func loaded(in results: QueryResult) -> LoadedLicense {
        let license = results[license]
        return LoadedLicense(
            license: license, activation: activation.flatMap { results[$0] },
            activations: license.map { _ in
                License.Activations(activeCount: results[result], existing: results[existing])
            },
            releasesByHolder: results[releases].compactMap(\.releasedAt))
    }

    /// Binds the query plan of a selector.
    static func bind(
        _ selector: LicenseSelector, for device: DeviceIdentity = .anonymous
    ) -> (queries: LicenseQueries, bound: BoundQuery) {
        switch selector {
        case .id(let id): (byID.queries, byID.bind(.init(name: id, device: device)))
        case .key(let hash, let product):
            (byKey.queries, byKey.bind(.init(name: .init(hash: hash, product: product), device: device)))
        case .activation(let id): (byActivation.queries, byActivation.bind(.init(name: id, device: device)))
        }
    }
}

/// Query plans for single rows, each with the lock that changes take.
enum RowQueryPlans {
    static let answer = QueryPlan(for: Digest.self) { query in
        query.hold(IdempotentResponse.turn) { [.of($0)] }
        return query.row(IdempotentResponse.table.key) { [.of($0)] }
    }
    /// The parameters of the query for a trial: its product and its device.
    struct TrialOfDevice: Sendable {
        let product: ProductRef
        let device: Digest
    }

    static let trial = QueryPlan(for: TrialOfDevice.self) { query in
        query.hold(Trial.turn) { [.of($0.device)] }
        return query.row(Trial.table.key) { [.of($0.product.tenant), .of($0.product.product), .of($0.device)] }
    }
    static let account = QueryPlan(for: AccountRef.self) { query in
        query.hold(AppLicense.turnOfAccount) { [.of($0.tenant), .of($0.account)] }
        return query.row(Account.table.key) { [.of($0.tenant), .of($0.account)] }
    }
    static let credential = QueryPlan(for: Digest.self) { query in
        query.hold(QueryLock.credential) { [.of($0)] }
        return query.row(AccountCredential.table.key) { [.of($0)] }
    }
    static let licenseCredential = QueryPlan(for: Digest.self) { query in
        query.hold(QueryLock.credential) { [.of($0)] }
        return query.row(LicenseCredential.table.key) { [.of($0)] }
    }
    static let setting = QueryPlan(for: String.self) { query in query.row(SettingRecord.table.key) { [.of($0)] } }
    static let signingKeys = QueryPlan(for: TenantID.self) { query in
        query.rows(SigningKeyRecord.ofTenant, upTo: .everything) { [.of($0)] }
    }
    static let version = QueryPlan { query in query.row(CatalogVersion.table.key) }
    static let policyCounts = QueryPlan { query in query.view(PolicyCount.all) }
    static let appCounts = QueryPlan { query in query.view(AppCount.all) }
}

extension Store {
    /// Runs a query inside a change and outside of changes, and checks that both find the same rows.
    func load<Found: Equatable & Sendable>(
        _ bound: BoundQuery, _ found: @escaping @Sendable (QueryResult) -> Found
    ) async throws -> Found {
        let decided = try await perform(Transaction(bound) { results in TransactionResult(found(results)) })
        try expectEqual(found(try await fetch(bound)), decided)
        if let inPlace = try fetchInPlace(bound) { try expectEqual(found(inPlace), decided) }
        return decided
    }

    func load(_ selector: LicenseSelector, for device: DeviceIdentity = .anonymous) async throws -> LoadedLicense {
        let (queries, bound) = LicenseQueries.bind(selector, for: device)
        return try await load(bound) { results in queries.loaded(in: results) }
    }

    /// Loads one row by a plan of ``RowQueryPlans``.
    func load<Key, Row: Stored & Equatable>(_ plan: QueryPlan<Key, RowQuery<Row>>, _ key: Key) async throws -> Row? {
        let query = plan.queries
        return try await load(plan.bind(key)) { results in results[query] }
    }

    func loadCatalog() async throws -> Catalog {
        let reading = FeatureSet.tenure.catalog
        return try await load(reading.bound) { results in reading.plan.queries.catalog(in: results) }
    }

    func license(_ id: LicenseID) async throws -> License? { try await load(.id(id)).license }

    /// Removes the rows of a set that match all comparisons.
    func forget<Row: Stored>(_ set: RowSet<Row>, where filter: [Comparison], _ keys: QueryPlan<[Row], RowsQuery<Row>>)
        async throws
    {
        let found = try await list(Listing(set, where: [filter], limit: 1_000))
        let queries = keys.queries
        try await perform(
            Transaction(keys.bind(found)) { results in
                TransactionResult((), results[queries].map { RowWrite.remove($0) })
            })
    }
}

/// Query plans that read rows to be deleted, by many keys.
enum RetentionQueryPlans {
    static let answers = QueryPlan(for: [IdempotentResponse].self) { query in
        query.each(IdempotentResponse.table.key) { $0.flatMap(\.keyValues) }
    }
    static let credentials = QueryPlan(for: [AccountCredential].self) { query in
        query.each(AccountCredential.table.key) { $0.flatMap(\.keyValues) }
    }
    static let licenseCredentials = QueryPlan(for: [LicenseCredential].self) { query in
        query.each(LicenseCredential.table.key) { $0.flatMap(\.keyValues) }
    }
}

extension Store {
    /// Deletes stored responses from before a given time.
    func forgetAnswers(before time: Timestamp) async throws {
        try await forget(
            IdempotentResponse.byAge, where: [Comparison("at", .below(.of(time)))], RetentionQueryPlans.answers)
    }

    /// Deletes credentials of accounts and of license holders that expired or ended before a given time.
    func forgetCredentials(before time: Timestamp) async throws {
        let (expired, ended) = (
            [Comparison("expires_at", .below(.of(time)))], [Comparison("ended_at", .below(.of(time)))]
        )
        try await forget(AccountCredential.byExpiry, where: expired, RetentionQueryPlans.credentials)
        try await forget(AccountCredential.byEnd, where: ended, RetentionQueryPlans.credentials)
        try await forget(LicenseCredential.byExpiry, where: expired, RetentionQueryPlans.licenseCredentials)
        try await forget(LicenseCredential.byEnd, where: ended, RetentionQueryPlans.licenseCredentials)
    }
}
