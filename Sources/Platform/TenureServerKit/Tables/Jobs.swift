public import TenureCore
public import TenureStore

/// Background work that a change requests.
///
/// The change's transaction saves the job, so the job exists only if the change was saved.
public struct Job: Sendable, Hashable {
    /// The state of a job.
    ///
    /// Finished jobs are deleted.
    public enum State: String, Sendable, CaseIterable, StorableCode {
        /// The job waits until it's due and a server takes it.
        case waiting
        /// A server has taken the job. Once the job is due again, another server may take it over.
        case running
        /// The job has failed permanently, so it isn't retried automatically.
        case failed
    }

    /// The id, such as `job_0123456789abc`.
    ///
    /// A job may run more than once, so the recipients of its requests can use the id as an idempotency key.
    public let id: String
    /// The name of the job's kind. Features declare the kinds.
    public let kind: String
    /// The job's tenant; `nil` for a job of the server itself.
    public let tenant: TenantID?
    /// The time at which the job is due.
    ///
    /// For a running job, it's the time from which another server may take the job over. For a failed job, it's the
    /// time of the failure.
    public var dueAt: Timestamp
    /// The number of times that the job was taken. Changes of an earlier attempt aren't saved.
    public var attempt: Int
    /// Whether the job waits, runs or has failed permanently.
    public var state: State
    /// The payload as JSON, whose format depends on the kind.
    public var payload: String
    /// The number of failures since the last successful piece of the job.
    public var failures: Int
    /// The last failure, for an operator; `nil` if there was no failure since the last successful piece of the job.
    public var failure: String?

    /// Creates a job; by default, one that waits for its first attempt.
    public init(
        id: String, kind: String, tenant: TenantID?, dueAt: Timestamp, attempt: Int = 0, state: State = .waiting,
        payload: String, failures: Int = 0, failure: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.tenant = tenant
        self.dueAt = dueAt
        self.attempt = attempt
        self.state = state
        self.payload = payload
        self.failures = failures
        self.failure = failure
    }
}

extension Job: Stored {
    /// The unfinished jobs.
    public static let table = Table<Job>(
        "jobs", key: ["id"],
        [
            Field("id") { $0.id }, Field("kind") { $0.kind }, Field("tenant") { $0.tenant },
            Field("due_at") { $0.dueAt }, Field("attempt") { $0.attempt }, Field("state") { $0.state },
            Field("payload") { $0.payload }, Field("failures") { $0.failures }, Field("failure") { $0.failure },
        ],
        indexes: [
            TableIndex("by_kind", "kind", "state", "due_at", "id"), TableIndex("by_state", "state", "due_at", "id"),
        ]
    ) { row in
        Job(
            id: try row.next(), kind: try row.next(), tenant: try row.next(), dueAt: try row.next(),
            attempt: try row.next(), state: try row.next(), payload: try row.next(), failures: try row.next(),
            failure: try row.next())
    }

    /// The jobs of one kind in one state, by due date.
    public static let ofKind = table.set("of_kind", "kind", "state", order: [.up("due_at")])
    /// The jobs of all kinds in one state, by due date.
    public static let inState = table.set("in_state", "state", order: [.up("due_at")])

    /// All jobs by state in alphabetical order, and then by due date.
    static let byState = table.set("by_state", order: [.up("state"), .up("due_at")])

    /// Serializes transactions that take jobs of the same kind until they commit.
    ///
    /// The transactions depend on the number of running jobs, and there's no row for that number to lock. A query plan
    /// passes the list of kinds.
    public static let turn = QueryLock(
        [.text], postgres: "SELECT hashtextextended('job ' || kind, 0) FROM unnest($1::text[]) AS w (kind)")
}
