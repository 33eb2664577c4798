public import TenureCore
public import TenureLicensing
import TenureServerKit
public import TenureStore

/// What a validation reads.
public struct ValidationRecord: Sendable {
    /// The catalog's version when the query ran.
    public var catalogVersion: Int64
    /// The product's license with that key, or `nil`.
    public var license: License?
    /// The activation with that id, whichever license it belongs to, or `nil`.
    public var activation: Activation?
}

extension Store {
    /// Reads what a validation needs in one consistent query.
    public func validation(
        of activation: ActivationID, for key: Digest, in product: ProductRef
    ) async throws(StoreError) -> ValidationRecord {
        let plan = StoredQueries.validation
        let results = try await fetch(
            plan.bind(.init(key: key, product: product, activation: activation)))
        guard let version = results[plan.queries.version] else { throw .unreadable("a catalog version") }
        return ValidationRecord(
            catalogVersion: version.version, license: results[plan.queries.license],
            activation: results[plan.queries.activation])
    }

    /// Finds the licenses that a person may mean; tenants may share a key's text, so there can be several.
    public func licenses(matching name: LicenseName) async throws(StoreError) -> [License] {
        let found: [License]
        switch name.text {
        case .id(let id):
            let plan = StoredQueries.license
            found = try await fetch(plan.bind(id))[plan.queries].map { [$0] } ?? []
        case .key(let hash):
            let plan = StoredQueries.ofKey
            found = try await fetch(plan.bind(hash))[plan.queries]
        }
        return found.filter { license in
            (name.tenant.map { $0 == license.product.tenant } ?? true)
                && (name.product.map { $0 == license.product.product } ?? true)
        }
    }

    /// Lists the activations of a license, ordered by activation time and id.
    ///
    /// Released activations are included only on request.
    public func activations(
        of license: LicenseID, includingReleased: Bool
    ) async throws(StoreError) -> [Activation] {
        let plan = includingReleased ? StoredQueries.activations : StoredQueries.liveActivations
        return try await fetch(plan.bind(license))[plan.queries]
    }

    /// Reads one activation; returns `nil` if it doesn't exist.
    public func activation(_ id: ActivationID) async throws(StoreError) -> Activation? {
        let plan = StoredQueries.activation
        return try await fetch(plan.bind(id))[plan.queries]
    }

    /// Reads a license holder's credential by the hash of its text; returns `nil` if it doesn't exist.
    public func licenseCredential(_ hash: Digest) async throws(StoreError) -> LicenseCredential? {
        let plan = StoredQueries.credential
        return try await fetch(plan.bind(hash))[plan.queries]
    }

    /// Records the systems that devices report, unless the device has been released.
    ///
    /// A system changes so rarely that each row is a change of its own; requests of devices go first.
    package func recordSystems(_ systems: [ActivationID: DeviceSystem]) async throws(StoreError) {
        let plan = StoredQueries.activation
        var rest = systems[...]
        while !rest.isEmpty {
            let changes = rest.prefix(Self.systemBatch).map { id, system in
                Transaction(plan.bind(id), yielding: true) { results -> TransactionResult<Void> in
                    guard let stored = results[plan.queries], stored.isLive, let updated = stored.reporting(system)
                    else { return TransactionResult(()) }
                    return TransactionResult((), [.replace(stored, by: updated)])
                }
            }
            rest = rest.dropFirst(Self.systemBatch)
            _ = try await performTogether(changes)
        }
    }

    /// The most systems that are saved in one transaction.
    private static var systemBatch: Int { 256 }

    /// Counts stored licenses, activations and events for operators.
    public func census() async throws(StoreError) -> Census { Census(try await view(Census.entries)) }
}

extension Reading {
    /// Lists at most `limit` (1...1000) licenses after the cursor, ordered by id.
    public func licenses(
        _ filter: LicenseFilter, after cursor: LicenseID?, limit: Int
    ) async throws(StoreError) -> [License] {
        let limit = pageSize(limit)
        guard let tenant = filter.tenant, filter.product == nil, filter.holder == nil else {
            return try await list(filter.section(after: cursor, limit: limit))
        }
        // A tenant's licenses are indexed by product, so this merges one page of each product.
        var found: [License] = []
        for product in try await all(Product.ofTenant, [.of(tenant)]) {
            var narrowed = filter
            narrowed.product = product.ref.product
            found += try await list(narrowed.section(after: cursor, limit: limit))
        }
        return Array(found.sorted { one, other in one.id < other.id }.prefix(limit))
    }

    /// Finds at most `limit` licenses that have expired and aren't yet recorded as expired.
    public func licensesToExpire(at now: Timestamp, limit: Int) async throws(StoreError) -> [LicenseID] {
        try await list(Listing(License.toExpire, where: [[Comparison("term_end", .atMost(.of(now)))]], limit: limit))
            .map(\.id)
    }
}

extension LicenseFilter {
    /// A page of the smallest indexed set that contains every license that the filter matches.
    fileprivate func section(after cursor: LicenseID?, limit: Int) -> Listing<License> {
        let set: RowSet<License>
        var values: [StoredValue] = []
        if let holder {
            (set, values) = (License.ofHolder, [.of(holder)])
        } else if let tenant, let product, let policy {
            (set, values) = (License.ofPolicy, [.of(tenant), .of(product), .of(policy)])
        } else if let tenant, let product {
            (set, values) = (License.ofProduct, [.of(tenant), .of(product)])
        } else {
            set = License.table.all
        }
        let named = [
            ("tenant", tenant?.storedValue), ("product", product?.storedValue), ("policy", policy?.storedValue),
        ]
        return Listing(
            set, values, where: set.filter(named, state.map { $0.comparisons(at: now) }),
            after: cursor.map { [.of($0)] } ?? [], limit: limit)
    }
}

extension License.State {
    /// The conditions under which `License.state(at:)` returns this state: the recorded state and the current time.
    fileprivate func comparisons(at now: Timestamp) -> [[Comparison]] {
        let recorded = Comparison(
            "state", .isOneOf([License.State.issued, .active, .expired].map(\.storedValue)))
        let activated = Comparison("first_activated_at", self == .issued ? .isNull : .isNotNull)
        let end = "term_end"
        return switch self {
        case .suspended, .revoked, .returned: [[.equals("state", self)]]
        case .issued, .active:
            [
                [recorded, activated, Comparison(end, .isNull)],
                [recorded, activated, Comparison(end, .above(.of(now)))],
            ]
        case .expired: [[recorded, Comparison(end, .atMost(.of(now)))]]
        }
    }
}

private enum StoredQueries {
    struct Validation: Sendable {
        struct Parameters: Sendable {
            let key: Digest
            let product: ProductRef
            let activation: ActivationID
        }

        let version: RowQuery<CatalogVersion>
        let license: RowQuery<License>
        let activation: RowQuery<Activation>

        init(_ query: inout QueryBuilder<Parameters>) {
            version = query.row(CatalogVersion.table.key)
            license = query.row(License.byKey) { [.of($0.key), .of($0.product.tenant), .of($0.product.product)] }
            activation = query.row(Activation.table.key) { [.of($0.activation)] }
        }
    }

    static let validation = QueryPlan(Validation.init)
    static let license = QueryPlan(for: LicenseID.self) { query in query.row(License.table.key) { [.of($0)] } }
    static let ofKey = QueryPlan(for: Digest.self) { query in query.rows(License.ofKey, upTo: .everything) { [.of($0)] }
    }
    static let activation = QueryPlan(for: ActivationID.self) { query in query.row(Activation.table.key) { [.of($0)] } }
    static let activations = QueryPlan(for: LicenseID.self) { query in
        query.rows(Activation.ofLicense, upTo: .everything) { [.of($0)] }
    }
    static let liveActivations = QueryPlan(for: LicenseID.self) { query in
        query.rows(Activation.live, upTo: .everything) { [.of($0)] }
    }
    static let credential = QueryPlan(for: Digest.self) { query in query.row(LicenseCredential.table.key) { [.of($0)] }
    }
}
