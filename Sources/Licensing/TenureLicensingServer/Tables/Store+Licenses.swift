public import TenureCore
public import TenureLicensing
package import TenureServerKit
public import TenureStore

/// The rows that a validation reads.
public struct ValidationRecord: Sendable {
    /// The catalog's version when the query ran.
    public var catalogVersion: Int64
    /// The product's license with the key in the request, or `nil`.
    public var license: License?
    /// The activation with the id in the request, whichever license it belongs to, or `nil`.
    public var activation: Activation?
}

extension RecordStore {
    /// Reads what a validation needs in one consistent query.
    public func validation(
        of activation: ActivationID, for key: Digest, in product: ProductRef
    ) async throws(Failure) -> ValidationRecord {
        let plan = StoredQueries.validation
        let results = try await fetch(
            plan.bind(.init(key: key, product: product, activation: activation)))
        guard let version = results[plan.queries.version] else { throw Failure(.unreadable("a catalog version")) }
        return ValidationRecord(
            catalogVersion: version.version, license: results[plan.queries.license],
            activation: results[plan.queries.activation])
    }

    /// Finds the licenses that a person may mean; tenants may share a key's text, so there can be several.
    public func licenses(matching name: LicenseName) async throws(Failure) -> [License] {
        let found: [License]
        switch name.text {
        case .id(let id):
            let plan = StoredQueries.license
            found = try await fetch(plan.bind(id))[plan.queries].map { [$0] } ?? []
        case .key(let hash):
            if let tenant = name.tenant {
                let plan = StoredQueries.ofKeyAtTenant
                found = try await fetch(plan.bind((hash, tenant)))[plan.queries]
            } else {
                let plan = StoredQueries.ofKey
                found = try await fetch(plan.bind(hash))[plan.queries]
            }
        }
        return found.filter { license in
            (name.tenant.map { $0 == license.product.tenant } ?? true)
                && (name.product.map { $0 == license.product.product } ?? true)
        }
    }

    /// Reads one license; returns `nil` if it doesn't exist.
    func license(_ id: LicenseID) async throws(Failure) -> License? {
        let plan = StoredQueries.license
        return try await fetch(plan.bind(id))[plan.queries]
    }

    /// Lists the activations of a license, ordered by activation time and id.
    ///
    /// Released activations are included only on request.
    public func activations(
        of license: LicenseID, includingReleased: Bool
    ) async throws(Failure) -> [Activation] {
        let plan = includingReleased ? StoredQueries.activations : StoredQueries.liveActivations
        return try await fetch(plan.bind(license))[plan.queries]
    }

    /// Reads one activation; returns `nil` if it doesn't exist.
    public func activation(_ id: ActivationID) async throws(Failure) -> Activation? {
        let plan = StoredQueries.activation
        return try await fetch(plan.bind(id))[plan.queries]
    }

    /// Reads a license holder's credential by the hash of its text; returns `nil` if it doesn't exist.
    public func licenseCredential(_ hash: Digest) async throws(Failure) -> LicenseCredential? {
        let plan = StoredQueries.credential
        return try await fetch(plan.bind(hash))[plan.queries]
    }

    /// Records what devices report, except for released devices.
    ///
    /// A name or a system changes so rarely that each row is a change of its own; requests of devices go first.
    package func recordReports(_ reports: [ActivationID: DeviceReport]) async throws(Failure) {
        let plan = StoredQueries.activation
        var rest = reports[...]
        while !rest.isEmpty {
            let changes = rest.prefix(Self.reportBatch).map { id, report in
                Transaction(plan.bind(id), yielding: true) { results -> TransactionResult<Void> in
                    guard let stored = results[plan.queries], stored.isLive, let updated = stored.reporting(report)
                    else { return TransactionResult(()) }
                    return TransactionResult((), [.replace(stored, by: updated)])
                }
            }
            rest = rest.dropFirst(Self.reportBatch)
            _ = try await performTogether(changes)
        }
    }

    /// The maximum number of reports that are saved in one transaction.
    private static var reportBatch: Int { 256 }

    /// Counts stored licenses, activations and events for operators.
    public func census() async throws(Failure) -> Census { Census(try await view(Census.entries)) }
}

extension Reading {
    /// Lists at most `limit` (1...1000) licenses after the cursor, ordered by id.
    ///
    /// It reads a bounded number of licenses, so the page may be short or empty although another one follows.
    package func licenses(
        _ filter: LicenseFilter, after cursor: LicenseID?, limit: Int
    ) async throws(Failure) -> BoundedPage<License> {
        let (set, values) = filter.smallestSet
        let isListed: ((License) -> Bool)? = filter.isMet(by: set) ? nil : { filter.matches($0) }
        return try await boundedPage(
            of: set, values, after: cursor.map { [.of($0)] } ?? [], limit: limit, where: isListed)
    }

    /// Lists at most `limit` (1...1000) licenses whose terms end after one time and by another, in the order of their
    /// ends.
    package func licenses(
        endingAfter start: Timestamp, by end: Timestamp, limit: Int
    ) async throws(Failure) -> [License] {
        let span = [Comparison("term_end", .above(.of(start))), Comparison("term_end", .atMost(.of(end)))]
        return try await list(Listing(License.toExpire, where: [span], limit: pageSize(limit)))
    }

    /// Finds at most `limit` licenses that have expired and aren't yet recorded as expired.
    public func licensesToExpire(at now: Timestamp, limit: Int) async throws(Failure) -> [LicenseID] {
        try await list(Listing(License.toExpire, where: [[Comparison("term_end", .atMost(.of(now)))]], limit: limit))
            .map(\.id)
    }
}

extension LicenseFilter {
    /// The smallest indexed set that contains every license that the filter matches.
    var smallestSet: (set: RowSet<License>, values: [StoredValue]) {
        guard let tenant else { return (License.table.all, []) }
        if let holder { return (License.ofHolder, [.of(tenant), .of(FoldedText(holder))]) }
        if let holderEmail { return (License.ofHolderEmail, [.of(tenant), .of(FoldedText(holderEmail))]) }
        if let order { return (License.ofOrder, [.of(tenant), .of(FoldedText(order))]) }
        guard let product else { return (License.ofTenant, [.of(tenant)]) }
        guard let policy else { return (License.ofProduct, [.of(tenant), .of(product)]) }
        return (License.ofPolicy, [.of(tenant), .of(product), .of(policy)])
    }

    /// Whether every license of the set matches the filter.
    fileprivate func isMet(by set: RowSet<License>) -> Bool {
        let columns = Set(set.shape.columns.map { set.shape.table.columns[$0].name })
        let compared: [(column: String, isAsked: Bool)] = [
            ("tenant", tenant != nil), ("product", product != nil), ("policy", policy != nil),
            ("holder_folded", holder != nil), ("holder_email_folded", holderEmail != nil),
            ("order_folded", order != nil),
        ]
        return compared.allSatisfy { !$0.isAsked || columns.contains($0.column) }
            && state == nil && expiresBefore == nil && expiresAfter == nil
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
    static let ofKeyAtTenant = QueryPlan(for: (Digest, TenantID).self) { query in
        query.rows(License.ofKeyAtTenant, upTo: .everything) { [.of($0.0), .of($0.1)] }
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
