public import TenureCore
public import TenureStore

/// Work that follows a change.
///
/// It's saved in the change's transaction, so the job exists exactly if the change does.
public struct Job: Sendable, Hashable {
    /// The state of a job.
    ///
    /// Finished jobs are deleted.
    public enum State: String, Sendable, CaseIterable, StorableCode {
        /// The job waits to be started.
        case waiting
        /// A server has taken the job.
        ///
        /// If it's due again, that server took too long.
        case running
        /// The job has failed for good and isn't retried automatically.
        case failed
    }

    /// The id, such as `job_0123456789abc`.
    ///
    /// Receivers use it as idempotency key, because a job may run more than once.
    public let id: String
    /// The kind of work; features declare the kinds.
    public let kind: String
    /// The job's tenant; `nil` for a job of the server itself.
    public let tenant: TenantID?
    /// When it's due.
    ///
    /// For a running job, when another server may take it; for a failed one, when it failed.
    public var dueAt: Timestamp
    /// How often it was taken.
    ///
    /// Changes of an earlier attempt aren't saved.
    public var attempt: Int
    /// The state.
    public var state: State
    /// The kind's payload as JSON.
    public var payload: String
    /// The number of failures since the last progress.
    public var failures: Int
    /// The last failure; `nil` if there was none since the last progress.
    public var failure: String?

    /// Creates a value from its parts.
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
    /// The jobs that aren't finished.
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

    /// The jobs of a kind in a state, the first due one first.
    public static let ofKind = table.set("of_kind", "kind", "state", order: [.up("due_at")])
    /// The jobs of all kinds in a state, in the same order.
    public static let inState = table.set("in_state", "state", order: [.up("due_at")])

    /// Serializes transactions that take jobs of one kind, until the commit.
    ///
    /// The number of running jobs has no row to lock. The list holds kinds.
    public static let turn = QueryLock(
        [.text], postgres: "SELECT hashtextextended('job ' || kind, 0) FROM unnest($1::text[]) AS w (kind)")
}
