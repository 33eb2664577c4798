public import TenureCore
public import TenureFormats
public import TenureStore

/// The name and the payload type of a kind of jobs. They suffice to create a job of the kind.
///
/// ```swift
/// static let letter = JobName<Letter>("mail.letter") { letter, body in
///     body.member("to", letter.to)
/// } read: { body in
///     if case .value(let to) = body.string("to") { Letter(to: to) } else { nil }
/// }
/// ```
public struct JobName<Payload: Sendable>: Sendable {
    /// The name, such as `mail.letter`.
    ///
    /// Don't reuse a name, because stores may still contain jobs with it.
    public let text: String

    private let writeMembers: @Sendable (Payload, inout JSONObjectWriter) -> Void
    private let readMembers: @Sendable (FlatObject) -> Payload?

    /// Declares a name.
    ///
    /// - Parameters:
    ///   - write: Writes a payload as JSON members.
    ///   - read: Reads a payload, including payloads that earlier versions wrote; returns `nil` for an invalid
    ///     payload.
    public init(
        _ text: String, write: @escaping @Sendable (Payload, inout JSONObjectWriter) -> Void,
        read: @escaping @Sendable (FlatObject) -> Payload?
    ) {
        self.text = text
        writeMembers = write
        readMembers = read
    }

    /// Creates a job. The transaction that causes the job inserts it.
    ///
    /// - Parameters:
    ///   - id: A random id that was drawn before the transaction (``Job.ID/random(using:)``).
    ///   - tenant: The job's tenant; `nil` for a job of the server itself.
    ///   - time: The time at which the job is due.
    public func job(_ payload: Payload, id: Job.ID, of tenant: TenantID?, at time: Timestamp) -> Job {
        Job(id: id.text, kind: text, tenant: tenant, dueAt: time, payload: write(payload))
    }

    func write(_ payload: Payload) -> String {
        String(decoding: JSONWriter.object { body in writeMembers(payload, &body) }, as: UTF8.self)
    }

    func read(_ payload: String) -> Payload? {
        (try? FlatObject(scanning: Array(payload.utf8))).flatMap { readMembers($0) }
    }
}

extension Job {
    /// The id of a new job: `job_` and 13 digits of Crockford's base 32.
    public struct ID: Sendable, Hashable {
        /// The id as text.
        public let text: String

        /// Creates the id from the number of a record that never has more than one job at a time.
        package init<Named>(of record: NumberedID<Named>) {
            text = "job_" + record.description.dropFirst(Named.namePrefix.utf8.count)
        }

        private init(text: String) { self.text = text }

        /// Draws a random id.
        public static func random(using generator: inout some RandomNumberGenerator) -> Job.ID {
            Job.ID(text: "job_" + LicenseID.random(using: &generator).description.dropFirst(4))
        }
    }

    /// A kind of jobs: its name, its rules and its work.
    public struct Kind<Payload: Sendable>: Sendable {
        let name: JobName<Payload>
        let rules: Job.Rules
        package let isOutbound: Bool
        let run: @Sendable (Payload, Job, Timestamp) async throws -> Job.Work<Payload>
        /// Reads the catalog again, for a piece that used an outdated catalog.
        private(set) var refresh: @Sendable () async throws(ServerError) -> Void = {}

        /// Declares a kind.
        ///
        /// - Parameters:
        ///   - isOutbound: Whether the jobs send requests to other servers, or act on their responses. Such jobs wait
        ///     while the store is known to have lost records. Otherwise, another server could receive a job twice, or
        ///     receive a job whose fate the operator still has to decide.
        ///   - run: Runs one piece of a job. After a crash, the same piece may run again. So its effects outside the
        ///     store must be idempotent, with the job's id as the key. A thrown error counts as
        ///     ``Job.Ending/failed(_:forGood:)``.
        public init(
            _ name: JobName<Payload>, rules: Job.Rules = Job.Rules(), isOutbound: Bool = true,
            run: @escaping @Sendable (Payload, Job, _ now: Timestamp) async throws -> Job.Work<Payload>
        ) {
            self.name = name
            self.rules = rules
            self.isOutbound = isOutbound
            self.run = run
        }

        /// Declares a kind whose pieces depend on the catalog.
        ///
        /// - Parameters:
        ///   - isOutbound: As in ``init(_:rules:isOutbound:run:)``.
        ///   - run: Runs one piece of a job under a snapshot of the catalog, and returns the work of a
        ///     ``Job/CatalogWorkPlan``. If the catalog changes before the work is saved, the piece runs again at once
        ///     with the newer catalog.
        package init(
            _ name: JobName<Payload>, rules: Job.Rules = Job.Rules(), isOutbound: Bool = true,
            under catalog: CatalogCache,
            run:
                @escaping @Sendable (
                    Payload, Job, _ now: Timestamp, CatalogSnapshot
                ) async throws -> Job.Work<Payload>
        ) {
            self.init(name, rules: rules, isOutbound: isOutbound) { payload, job, now in
                try await run(payload, job, now, catalog.current)
            }
            refresh = { () async throws(ServerError) in try await catalog.refresh() }
        }
    }
}

/// A kind of jobs, independent of its payload type.
package protocol Jobs: Sendable {
    /// Whether the jobs send requests to other servers. Such jobs wait while the store is known to have lost records.
    var isOutbound: Bool { get }

    /// Returns the service that runs jobs of this kind. Every server runs the service.
    ///
    /// - Parameter earliest: The value that the runners of all kinds share.
    func runner(on store: any Store, by clock: any WallClock, log: any Log, earliest: EarliestJob) -> any Service
}

extension Job.Kind: Jobs {
    package func runner(
        on store: any Store, by clock: any WallClock, log: any Log, earliest: EarliestJob
    ) -> any Service {
        JobRunner(self, store: store, clock: clock, log: log, earliest: earliest)
    }
}

extension Job {
    /// The ending of a piece of a job, and the row writes to save in the same transaction.
    public struct Work<Payload: Sendable>: Sendable {
        let bound: BoundQuery
        let job: RowQuery<Job>
        /// Returns the ending and the row writes; `nil` if nothing may be saved and the piece must run again.
        let decide: @Sendable (QueryResult) -> (Job.Ending<Payload>, [RowWrite])?

        /// Saves only the job's new state.
        public static func ending(_ ending: Job.Ending<Payload>, of job: Job) -> Job.Work<Payload> {
            JobQueryPlans.blank.work(on: job, ()) { _, _ in (ending, []) }
        }
    }

    /// The query plan of a transaction that saves a piece of a job.
    ///
    /// Keep the plan in a static value, so that it's built only once.
    public struct WorkPlan<Parameters: Sendable, Queries: Sendable>: Sendable {
        private struct All: Sendable {
            let job: String
            let own: Parameters
        }

        private let plan: QueryPlan<All, (job: RowQuery<Job>, queries: Queries)>

        /// Declares the queries that the decision needs besides the job.
        public init(
            for parameters: Parameters.Type = Parameters.self, _ declare: (inout QueryBuilder<Parameters>) -> Queries
        ) {
            plan = QueryPlan(for: All.self) { query in
                (job: query.row(Job.table.key) { [.of($0.job)] }, queries: query.part(declare) { $0.own })
            }
        }

        /// Binds the parameters and adds the decision, which is a pure function that may run more than once.
        public func work<Payload>(
            on job: Job, _ parameters: Parameters,
            decide: @escaping @Sendable (QueryResult, Queries) -> (Job.Ending<Payload>, [RowWrite])
        ) -> Job.Work<Payload> {
            let queries = plan.queries
            return Job.Work(bound: plan.bind(All(job: job.id, own: parameters)), job: queries.job) { results in
                decide(results, queries.queries)
            }
        }
    }
}

private enum JobQueryPlans {
    static let blank = Job.WorkPlan(for: Void.self) { _ in }
}
