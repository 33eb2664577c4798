import TenureCore
package import TenureStore

extension Job {
    /// The query plan of a transaction that saves a piece of a job and depends on the catalog.
    ///
    /// A piece draws ids, encrypts and derives keys before the transaction, under a snapshot of the catalog. The transaction
    /// reads the catalog's version with the plan's rows. If the version has changed since the snapshot, nothing is saved,
    /// and the whole piece runs again at once with the newer catalog, at most eight times. Then the attempt has failed.
    ///
    /// A change of the master key is a change of the catalog, so what a piece encrypted under ``CatalogSnapshot/master`` may
    /// be saved without another check.
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
    /// Keep it in a static value.
    package struct CatalogWorkPlan<Parameters: Sendable, Queries: Sendable>: Sendable {
        private struct All: Sendable {
            let job: String
            let own: Parameters
        }

        private let plan: QueryPlan<All, (job: RowQuery<Job>, catalog: CatalogQueries<Queries>)>

        /// Declares the queries and locks that the decision needs besides the job and the catalog's version.
        ///
        /// - Parameter isAlone: Whether its transactions write the catalog or keys and so must not run concurrently with
        ///   others.
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

        /// Binds the parameters and adds the decision, a pure function that may run more than once.
        ///
        /// - Parameters:
        ///   - snapshot: The catalog that the piece ran under.
        ///   - decide: Returns `nil` if what the piece prepared doesn't fit the rows that it reads. Then nothing is saved and
        ///     the piece runs again at once. An error that it throws is a failure of the piece.
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
