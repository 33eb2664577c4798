/// Receives the new connections of a database that many servers share, and the rows that this server appends.
///
/// A server uses it to notice that the database has returned to an older state.
package struct ConnectionObserver: Sendable {
    /// Checks a new connection before it's used for anything else, even before the schema is migrated.
    ///
    /// It runs on the connection's thread. If it throws, the connection is closed, and the caller gets the error; for
    /// ``StoreError/Code/rewound``, other hosts of the address are tried first. A connection for changes is checked
    /// again after ``NewConnection/suspect``.
    package let opened: @Sendable (NewConnection) throws(StoreError) -> Void
    /// Receives the rows that were added to an append-only table, in the order in which they were added, once their
    /// commit is confirmed.
    package let appended: @Sendable (TableShape, [NumberedRow]) -> Void

    package init(
        opened: @escaping @Sendable (NewConnection) throws(StoreError) -> Void,
        appended: @escaping @Sendable (TableShape, [NumberedRow]) -> Void
    ) {
        self.opened = opened
        self.appended = appended
    }
}

/// A row of an append-only table, and the number that the engine assigned to it.
package struct NumberedRow: Sendable {
    /// The row as it was appended, without its number.
    package let row: StoredRow
    package let number: Int64

    package init(_ row: StoredRow, number: Int64) {
        self.row = row
        self.number = number
    }
}

/// A connection that isn't used for anything else yet; its calls block the thread.
package struct NewConnection {
    /// The timeline of a database cluster, which increases with each promotion and each recovery.
    package struct Timeline: Sendable, Hashable {
        /// The cluster's identifier, which its copies share.
        package let system: String
        /// The number, as eight hexadecimal digits.
        package let number: String

        package init(system: String, number: String) {
            self.system = system
            self.number = number
        }
    }

    /// The purpose of a connection.
    package enum Purpose: Sendable, Hashable {
        case changes
        /// The short queries of requests.
        case queries
        /// Listings, locks of roles, copies and migrations.
        case other
    }

    package let purpose: Purpose
    /// The name of the database that the connection was opened to.
    package let database: String
    /// The host and port, or the socket's folder and port.
    package let host: String
    /// Reads the values of a column by the rows' keys, without the rows that don't exist.
    ///
    /// It needs no other columns than the key and this one, so it works before the schema is migrated.
    package let values: (_ column: String, TableShape, _ keys: [String]) throws(StoreError) -> [String: [UInt8]]
    package let fetch: (BoundQuery) throws(StoreError) -> QueryResult
    /// Reads the timeline of the database; `nil` if the database doesn't report it.
    package let timeline: () throws(StoreError) -> Timeline?
    package let rows: (ListingShape) throws(StoreError) -> [StoredRow]
    /// Requests another check of the connection for changes before its next use.
    package let suspect: () -> Void
    private let carryOut: (any WaitingChange) throws(StoreError) -> Void

    package init(
        for purpose: Purpose, database: String, host: String,
        values: @escaping (String, TableShape, [String]) throws(StoreError) -> [String: [UInt8]],
        fetch: @escaping (BoundQuery) throws(StoreError) -> QueryResult,
        timeline: @escaping () throws(StoreError) -> Timeline?,
        rows: @escaping (ListingShape) throws(StoreError) -> [StoredRow], suspect: @escaping () -> Void,
        carryOut: @escaping (any WaitingChange) throws(StoreError) -> Void
    ) {
        (self.purpose, self.database, self.host) = (purpose, database, host)
        self.values = values
        self.fetch = fetch
        self.timeline = timeline
        self.rows = rows
        self.suspect = suspect
        self.carryOut = carryOut
    }

    package func perform<Answer: Sendable>(_ transaction: Transaction<Answer>) throws(StoreError) -> Answer {
        let change = BlockingChange(transaction)
        try carryOut(change)
        guard let answer = change.answer else {
            throw StoreError(.failed, "A change was not decided. This is a bug in Tenure; please report it.")
        }
        return answer
    }
}

/// A transaction whose caller blocks its thread until it's done.
// No lock: one thread creates and performs it.
private final class BlockingChange<Answer: Sendable>: WaitingChange, @unchecked Sendable {
    private let change: Transaction<Answer>
    private(set) var answer: Answer?

    init(_ change: Transaction<Answer>) { self.change = change }

    var bound: BoundQuery { change.bound }
    var yields: Bool { false }
    var isLate: Bool { false }

    func decide(_ results: QueryResult) -> [RowWrite] {
        let result = change.decide(results)
        answer = result.answer
        return result.saves
    }

    func resume(_: StoreError?) {}
}
