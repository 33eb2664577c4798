import TenureCore
package import TenureStore

extension Job {
    /// The query plan of a transaction that saves a piece of a job and depends on the catalog.
    ///
    /// Before the transaction, a piece draws ids, encrypts and derives keys under a snapshot of the catalog. The
    /// transaction reads the catalog's version together with the plan's rows. If the version has changed since the
    /// snapshot, nothing is saved, and the whole piece runs again at once with the newer catalog. After eight such
    /// runs, the attempt fails.
    ///
    /// A change of the master key also changes the catalog's version. So secrets that a piece encrypted under
    /// ``CatalogSnapshot/master`` may be saved without another check.
    ///
    /// ```swift
    /// private static let saving = Job.CatalogWorkPlan(for: Sale.self) { query in
    ///     query.hold(Order.turn) { [.of($0.order)] }
    ///     return query.row(Order.table.key) { [.of($0.order)] }
    /// }
    ///
    /// Job.Kind(.sale, isOutbound: false, under: catalog) { sale, job, now, snapshot in
    ///     let license = LicenseID.random(using: &random)
    ///     return Self.saving.work(on: job, sale, under: snapshot) { results, order in
    ///         (.done, sale.rows(license, over: results[order], by: snapshot.catalog))
    ///     }
    /// }
    /// ```
    ///
    /// Keep the plan in a static value, so that it's built only once.
    package struct CatalogWorkPlan<Parameters: Sendable, Queries: Sendable>: Sendable {
        private struct All: Sendable {
            let job: String
            let own: Parameters
        }

        private let plan: QueryPlan<All, (job: RowQuery<Job>, catalog: CatalogQueries<Queries>)>

        /// Declares the queries and locks that the decision needs besides the job and the catalog's version.
        ///
        /// - Parameter isAlone: Whether the plan's transactions write the catalog or keys, and therefore must not run
        ///   concurrently with others.
        package init(
            isAlone: Bool = false, for parameters: Parameters.Type = Parameters.self,
            _ declare: (inout QueryBuilder<Parameters>) -> Queries
        ) {
            plan = QueryPlan(isAlone: isAlone, for: All.self) { query in
                let version = query.row(CatalogVersion.table.key)
                let job = query.row(Job.table.key) { [.of($0.job)] }
                return (
                    job: job, catalog: CatalogQueries(version: version, queries: query.part(declare) { $0.own })
                )
            }
        }

        /// Binds the parameters and adds the decision, which is a pure function that may run more than once.
        ///
        /// - Parameters:
        ///   - snapshot: The snapshot of the catalog that the piece used.
        ///   - decide: Returns `nil` if the piece's prepared values don't fit the rows that the transaction reads. In
        ///     that case, nothing is saved, and the piece runs again at once. A thrown error is a failure of the
        ///     piece.
        package func work<Payload>(
            on job: Job, _ parameters: Parameters, under snapshot: CatalogSnapshot,
            decide: @escaping @Sendable (QueryResult, Queries) throws -> (Job.Ending<Payload>, [RowWrite])?
        ) -> Job.Work<Payload> {
            let (queries, version) = (plan.queries.catalog, snapshot.version)
            return Job.Work(bound: plan.bind(All(job: job.id, own: parameters)), job: plan.queries.job) { results in
                guard queries.version(in: results).version == version else { return nil }
                do {
                    return try decide(results, queries.queries)
                } catch {
                    return (.failed(ServerError(thrown: error).description), [])
                }
            }
        }
    }
}
