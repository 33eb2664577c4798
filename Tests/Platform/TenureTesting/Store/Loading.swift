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

/// What was loaded about a license.
struct LoadedLicense: Sendable, Equatable {
    var license: License?
    var activation: Activation?
    /// `nil` if the license doesn't exist.
    var activations: License.Activations?
    /// The times of the holder's latest releases, latest first.
    var releasesByHolder: [Timestamp]
}

/// The queries for a license and its activations from one device's point of view.
struct LicenseQueries: Sendable {
    let license: RowQuery<License>
    private let activation: RowQuery<Activation>?
    private let taken: CountQuery
    private let known: RowQuery<Activation>
    private let releases: RowsQuery<Activation>

    /// A license's name and the device that the queries look for.
    struct Parameters<Name: Sendable>: Sendable {
        let name: Name
        let device: DeviceIdentity
    }

    /// A key of a product.
    struct KeyOfProduct: Sendable {
        let hash: Digest
        let product: ProductRef
    }

    static let byID = QueryPlan(for: Parameters<LicenseID>.self) { ask in
        LicenseQueries(ask.row(License.table.key) { [.of($0.name)] }, nil, &ask)
    }
    static let byKey = QueryPlan(for: Parameters<KeyOfProduct>.self) { ask in
        let license = ask.row(License.byKey) {
            [.of($0.name.hash), .of($0.name.product.tenant), .of($0.name.product.product)]
        }
        return LicenseQueries(license, nil, &ask)
    }
    static let byActivation = QueryPlan(for: Parameters<ActivationID>.self) { ask in
        let activation = ask.row(Activation.table.key) { [.of($0.name)] }
        return LicenseQueries(
            ask.row(License.table.key, .column("license_id", of: activation)), activation, &ask)
    }

    private init<Name>(
        _ license: RowQuery<License>, _ activation: RowQuery<Activation>?, _ ask: inout QueryBuilder<Parameters<Name>>
    ) {
        self.license = license
        self.activation = activation
        taken = ask.count(Activation.live, upTo: Policy.highestActivationLimit + 1, .column("id", of: license))
        known = ask.row(Activation.liveOfDevice, .column("id", of: license), .request { .of($0.device.code) })
        releases = ask.rows(
            Activation.releasedByHolder, upTo: SelfRelease.highestPerYear + 1, .column("id", of: license))
    }

    /// Returns what the queries found.
    func loaded(in seen: QueryResult) -> LoadedLicense {
        let license = seen[license]
        return LoadedLicense(
            license: license, activation: activation.flatMap { seen[$0] },
            activations: license.map { _ in License.Activations(taken: seen[taken], known: seen[known]) },
            releasesByHolder: seen[releases].compactMap(\.releasedAt))
    }

    /// Binds the query plan of a selector.
    static func asked(
        _ selector: LicenseSelector, for device: DeviceIdentity = .anonymous
    ) -> (looks: LicenseQueries, asked: BoundQuery) {
        switch selector {
        case .id(let id): (byID.looks, byID.asked(.init(name: id, device: device)))
        case .key(let hash, let product):
            (byKey.looks, byKey.asked(.init(name: .init(hash: hash, product: product), device: device)))
        case .activation(let id): (byActivation.looks, byActivation.asked(.init(name: id, device: device)))
        }
    }
}

/// Query plans for single rows, each with the lock that changes take.
enum RowForms {
    static let answer = QueryPlan(for: Digest.self) { ask in
        ask.hold(IdempotentResponse.turn) { [.of($0)] }
        return ask.row(IdempotentResponse.table.key) { [.of($0)] }
    }
    /// A trial's device at a product.
    struct TrialOfDevice: Sendable {
        let product: ProductRef
        let device: Digest
    }

    static let trial = QueryPlan(for: TrialOfDevice.self) { ask in
        ask.hold(Trial.turn) { [.of($0.device)] }
        return ask.row(Trial.table.key) { [.of($0.product.tenant), .of($0.product.product), .of($0.device)] }
    }
    static let account = QueryPlan(for: AccountRef.self) { ask in
        ask.hold(AppLicense.turnOfAccount) { [.of($0.tenant), .of($0.account)] }
        return ask.row(Account.table.key) { [.of($0.tenant), .of($0.account)] }
    }
    static let credential = QueryPlan(for: Digest.self) { ask in
        ask.hold(QueryLock.credential) { [.of($0)] }
        return ask.row(AccountCredential.table.key) { [.of($0)] }
    }
    static let licenseCredential = QueryPlan(for: Digest.self) { ask in
        ask.hold(QueryLock.credential) { [.of($0)] }
        return ask.row(LicenseCredential.table.key) { [.of($0)] }
    }
    static let setting = QueryPlan(for: String.self) { ask in ask.row(SettingRecord.table.key) { [.of($0)] } }
    static let signingKeys = QueryPlan(for: TenantID.self) { ask in
        ask.rows(SigningKeyRecord.ofTenant, upTo: .everything) { [.of($0)] }
    }
    static let version = QueryPlan { ask in ask.row(CatalogVersion.table.key) }
    static let policyCounts = QueryPlan { ask in ask.view(PolicyCount.all) }
    static let appCounts = QueryPlan { ask in ask.view(AppCount.all) }
}

extension Store {
    /// Runs a query inside a change and outside of changes, and checks that both find the same.
    func load<Found: Equatable & Sendable>(
        _ asked: BoundQuery, _ found: @escaping @Sendable (QueryResult) -> Found
    ) async throws -> Found {
        let decided = try await perform(Transaction(asked) { seen in TransactionResult(found(seen)) })
        try expectEqual(found(try await look(asked)), decided)
        return decided
    }

    /// Loads a license.
    func load(_ selector: LicenseSelector, for device: DeviceIdentity = .anonymous) async throws -> LoadedLicense {
        let (looks, asked) = LicenseQueries.asked(selector, for: device)
        return try await load(asked) { seen in looks.loaded(in: seen) }
    }

    /// Loads one row by a plan of ``RowForms``.
    func load<Key, Row: Stored & Equatable>(_ form: QueryPlan<Key, RowQuery<Row>>, _ key: Key) async throws -> Row? {
        let look = form.looks
        return try await load(form.asked(key)) { seen in seen[look] }
    }

    /// Loads the catalog in a change.
    func loadCatalog() async throws -> Catalog {
        let reading = FeatureSet.tenure.catalog
        return try await load(reading.asked) { seen in reading.form.looks.catalog(in: seen) }
    }

    /// Reads one license.
    func license(_ id: LicenseID) async throws -> License? { try await load(.id(id)).license }

    /// Removes the rows of a set that match all comparisons.
    func forget<Row: Stored>(_ set: RowSet<Row>, where filter: [Comparison], _ keys: QueryPlan<[Row], RowsQuery<Row>>)
        async throws
    {
        let found = try await list(Listing(set, where: [filter], limit: 1_000))
        let looks = keys.looks
        try await perform(
            Transaction(keys.asked(found)) { seen in
                TransactionResult((), seen[looks].map { RowWrite.remove($0) })
            })
    }
}

/// Query plans that read rows to be deleted, by many keys.
enum ForgettingForms {
    static let answers = QueryPlan(for: [IdempotentResponse].self) { ask in
        ask.each(IdempotentResponse.table.key) { $0.flatMap(\.keyValues) }
    }
    static let credentials = QueryPlan(for: [AccountCredential].self) { ask in
        ask.each(AccountCredential.table.key) { $0.flatMap(\.keyValues) }
    }
    static let licenseCredentials = QueryPlan(for: [LicenseCredential].self) { ask in
        ask.each(LicenseCredential.table.key) { $0.flatMap(\.keyValues) }
    }
}

extension Store {
    /// Deletes stored responses from before a given time.
    func forgetAnswers(before moment: Timestamp) async throws {
        try await forget(
            IdempotentResponse.byAge, where: [Comparison("at", .below(.of(moment)))], ForgettingForms.answers)
    }

    /// Deletes credentials of accounts and of license holders that expired or ended before a given time.
    func forgetCredentials(before moment: Timestamp) async throws {
        let (expired, ended) = (
            [Comparison("expires_at", .below(.of(moment)))], [Comparison("ended_at", .below(.of(moment)))]
        )
        try await forget(AccountCredential.byExpiry, where: expired, ForgettingForms.credentials)
        try await forget(AccountCredential.byEnd, where: ended, ForgettingForms.credentials)
        try await forget(LicenseCredential.byExpiry, where: expired, ForgettingForms.licenseCredentials)
        try await forget(LicenseCredential.byEnd, where: ended, ForgettingForms.licenseCredentials)
    }
}
