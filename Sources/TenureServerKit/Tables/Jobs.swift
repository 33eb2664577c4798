public import TenureCore
public import TenureStore

/// Work that a change leaves behind, to be done after it: saved in the change's own transaction, so that there is a job
/// exactly when the change was made.
public struct Job: Sendable, Hashable {
    /// How far it is. One that is done is not kept.
    public enum State: String, Sendable, CaseIterable, StorableCode {
        /// Nobody works on it.
        case waiting
        /// A server has taken it; when it is due again that server is given up.
        case running
        /// It failed so often that it is not tried again by itself.
        case failed
    }

    /// Its name, such as `job_0123456789abc`: the receiver's idempotency key, for it may be done more than once.
    public let id: String
    /// What is to be done; rooms declare the kinds.
    public let kind: String
    /// Whose it is; nil for the server's own.
    public let tenant: TenantID?
    /// When it is to be done; of one that is being done, when another server may take it; of one that failed, when it did.
    public var dueAt: Timestamp
    /// How often it was taken. A change of an earlier attempt saves nothing.
    public var attempt: Int
    /// How far it is.
    public var state: State
    /// What its kind needs to know, as JSON.
    public var payload: String
    /// How often it failed since it last came any further.
    public var failures: Int
    /// What it failed with the last time; nil when it did not fail since it last came any further.
    public var failure: String?

    /// Puts a job together.
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
    /// Jobs that are not done.
    public static let table = Table<Job>(
        "jobs", key: ["id"],
        [
            Field("id") { $0.id }, Field("kind") { $0.kind }, Field("tenant") { $0.tenant },
            Field("due_at") { $0.dueAt }, Field("attempt") { $0.attempt }, Field("state") { $0.state },
            Field("payload") { $0.payload }, Field("failures") { $0.failures }, Field("failure") { $0.failure },
        ]
    ) { row throws(StoreError) in
        Job(
            id: try row.next(), kind: try row.next(), tenant: try row.next(), dueAt: try row.next(),
            attempt: try row.next(), state: try row.next(), payload: try row.next(), failures: try row.next(),
            failure: try row.next())
    }

    /// Those of a kind in a state, the one that is due first at the head.
    public static let ofKind = table.set("of_kind", "kind", "state", order: [.up("due_at")])
    /// Those in a state, whatever they do, in the same order.
    public static let inState = table.set("in_state", "state", order: [.up("due_at")])

    /// Keeps those apart who take jobs of one kind, until the commit: how many are under way is no row to lock.
    ///
    /// Its list holds kinds.
    public static let turn = Guard(
        [.text], postgres: "SELECT hashtextextended('job ' || kind, 0) FROM unnest($1::text[]) AS w (kind)")
}

extension Migration {
    /// Work that changes leave behind, and how often the lead in a role went over to another server.
    public static let jobs = Migration(
        "0007-jobs",
        [
            .table(
                "leaders", [Column("role", .integer), Column("term", .integer)], key: ["role"]),
            .table(
                "jobs",
                [
                    Column("id", .text), Column("kind", .text), Column("tenant", .text, isNullable: true),
                    Column("due_at", .integer), Column("attempt", .integer), Column("state", .text),
                    Column("payload", .text), Column("failures", .integer),
                    Column("failure", .text, isNullable: true),
                ], key: ["id"]),
            .index("jobs_by_kind", on: "jobs", ["kind", "state", "due_at", "id"]),
            .index("jobs_by_state", on: "jobs", ["state", "due_at", "id"]),
        ])
}
