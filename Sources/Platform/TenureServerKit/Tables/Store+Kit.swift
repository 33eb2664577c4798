public import TenureCore
public import TenureStore

extension RecordStore {
    /// Reads a tenant's operator tokens, oldest first, including revoked ones. With `nil`, reads the tokens of all
    /// tenants.
    public func tokens(of tenant: TenantID?) async throws(Failure) -> [TokenRecord] {
        let plan = KitQueryPlans.tokens
        let tokens = try await fetch(plan.bind())[plan.queries]
        return tenant.map { tenant in tokens.filter { $0.tenant == tenant } } ?? tokens
    }

    /// Reads a setting of the server, such as the master key's check value; `nil` if the setting was never set.
    public func setting(_ name: String) async throws(Failure) -> [UInt8]? {
        let plan = KitQueryPlans.setting
        return try await fetch(plan.bind(name))[plan.queries]?.value
    }

    /// Reads only the catalog's version. That is cheap enough for frequent calls.
    public func catalogVersion() async throws(Failure) -> Int64 {
        let plan = KitQueryPlans.version
        guard let version = try await fetch(plan.bind())[plan.queries] else {
            throw Failure(.unreadable("a catalog version"))
        }
        return version.version
    }
}

extension Store {
    /// Reads the catalog's version on the calling thread; `nil` if the read would have to wait.
    func catalogVersionInPlace() throws(StoreError) -> Int64? {
        let plan = KitQueryPlans.version
        guard let results = try fetchInPlace(plan.bind()) else { return nil }
        guard let version = results[plan.queries] else { throw .unreadable("a catalog version") }
        return version.version
    }
}

extension Reading {
    /// Lists at most `limit` (1...1000) unfinished jobs in some states: first failed jobs, then running jobs, then
    /// waiting jobs. Jobs in the same state are ordered by due date.
    ///
    /// One statement reads all jobs, so a job whose state changes meanwhile is listed only once.
    public func jobs(
        _ states: Set<Job.State>, kind: String? = nil, of tenant: TenantID? = nil, limit: Int
    ) async throws(Failure) -> [Job] {
        let narrowing = [
            Comparison("state", .isOneOf(states.map(\.storedValue))),
            kind.map { .equals("kind", $0) }, tenant.map { .equals("tenant", $0) },
        ].compactMap(\.self)
        return try await list(Listing(Job.byState, where: [narrowing], limit: pageSize(limit)))
    }
}

private enum KitQueryPlans {
    static let tokens = QueryPlan { query in query.rows(TokenRecord.byAge, upTo: .everything) }
    static let version = QueryPlan { query in query.row(CatalogVersion.table.key) }
    static let setting = QueryPlan(for: String.self) { query in query.row(SettingRecord.table.key) { [.of($0)] } }
}
