import TenureCore
import TenureCrypto
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

extension MarketplaceContext {
    /// Connects a marketplace to App Store Connect, so that its packages can be fetched.
    ///
    /// Encrypts and saves the connection, replacing an earlier one, and resumes the jobs that waited for it. Returns
    /// `false` if the tenant has no marketplace. Throws ``ServerError`` if the encryption or the store fails.
    func connectMarketplace(
        of tenant: TenantID, by connection: Connection
    ) async throws(ServerError) -> Bool {
        let json: [UInt8]
        do {
            json = try connection.json()
        } catch {
            throw ServerError(.crypto, "The connection couldn't be encrypted.", cause: error.code.text)
        }
        return try await catalog.encrypting { master throws(ServerError) in
            let row = try MarketplaceSecretRow(sealing: json, of: tenant, named: .connection, under: master)
            return try await saveConnection(row, under: master)
        }
    }

    private func saveConnection(
        _ row: MarketplaceSecretRow, under master: MasterKey
    ) async throws(ServerError) -> Bool {
        let (tenant, now) = (row.tenant, clock.now())
        let jobs = try await waitingJobs(of: tenant)
        let reconciling = Reconcile.job(of: tenant, at: now)
        return try await catalog.perform(
            Self.plan.bind(.init(tenant: tenant, secret: row.kind, reconciling: reconciling.id, jobs: jobs))
        ) { results, queries, snapshot in
            guard results[queries.marketplace] != nil else { return TransactionResult(false) }
            try snapshot.checkEncryption(by: master)
            var saves: [RowWrite] = [.put(row, over: results[queries.secret])]
            for job in results[queries.jobs] where job.state == .waiting && job.dueAt > now {
                var due = job
                due.dueAt = now
                saves.append(.replace(job, by: due))
            }
            if results[queries.reconciling] == nil { saves.append(.insert(reconciling)) }
            return TransactionResult(true, saves + queries.marks.raised(for: [tenant], in: results))
        }
    }

    /// Disconnects a marketplace from App Store Connect by deleting its connection.
    ///
    /// Running imports then wait for a new connection. Returns `false` if there was no connection. Throws
    /// ``ServerError`` if the store fails.
    func disconnectMarketplace(of tenant: TenantID) async throws(ServerError) -> Bool {
        try await catalog.perform(
            Self.plan.bind(.init(tenant: tenant, secret: .connection, reconciling: "-", jobs: []))
        ) { results, queries, _ in
            guard let row = results[queries.secret] else { return TransactionResult(false) }
            return TransactionResult(true, [.remove(row)] + queries.marks.raised(for: [tenant], in: results))
        }
    }

    /// Returns the ids of a tenant's waiting jobs that read from App Store Connect.
    private func waitingJobs(of tenant: TenantID) async throws(ServerError) -> [String] {
        var ids: [String] = []
        for kind in [JobName.packageImport.text, JobName.importAsset.text] {
            ids += try await store.jobs([.waiting], kind: kind, of: tenant, limit: 1000).map(\.id)
        }
        return ids
    }

    private struct ConnectionQueries: Sendable {
        let marks: TenantMarks
        let marketplace: RowQuery<MarketplaceRow>
        let secret: RowQuery<MarketplaceSecretRow>
        let reconciling: RowQuery<Job>
        let jobs: RowsQuery<Job>

        struct Parameters: Sendable {
            let tenant: TenantID
            let secret: MarketplaceSecretRow.Kind
            let reconciling: String
            let jobs: [String]
        }

        init(_ query: inout QueryBuilder<Parameters>) {
            marks = query.part(TenantMarks.init) { [$0.tenant] }
            marketplace = query.row(MarketplaceRow.table.key) { [.of($0.tenant)] }
            secret = query.row(MarketplaceSecretRow.table.key) { [.of($0.tenant), .of($0.secret)] }
            reconciling = query.row(Job.table.key) { [.of($0.reconciling)] }
            jobs = query.each(Job.table.key) { $0.jobs.map(StoredValue.of) }
        }
    }

    private static let plan = CatalogQueryPlan(isAlone: true, ConnectionQueries.init)
}
