import Synchronization

/// One query of a plan: a set, the form of the result, and the sources of the values to compare with.
public final class QueryShape: Sendable {
    /// The form of a result: rows, or their number.
    public enum Take: Sendable, Hashable {
        /// The rows in the order of the set, up to a limit.
        case rows(upTo: Int)
        /// The number of rows, counted up to a limit.
        case count(upTo: Int)

        /// The maximum number of rows that the query visits.
        package var limit: Int {
            switch self {
            case .rows(let limit), .count(let limit): limit
            }
        }
    }

    /// The source of a value to compare with.
    public enum Source: Sendable, Hashable {
        /// The next of the request's values, in the order of the set's columns.
        case request
        /// A column, by its index, of each row that the base query finds.
        case column(Int)
        /// A value that is the same for every request.
        case constant(StoredValue)
    }

    /// The query's id; equal queries of different plans share it, so that engines can run them together.
    public let id: Int
    /// The set whose rows are queried.
    public let set: SetShape
    /// The form of the result: rows, or their number.
    public let take: Take
    /// The sources of the values for the set's columns.
    public let sources: [Source]
    /// The query whose result rows supply column values, if any.
    public let base: QueryShape?
    /// Whether the request supplies a list of keys.
    public let isList: Bool
    /// The number of values that the request supplies, per key if it supplies a list.
    public let width: Int

    init(_ set: SetShape, _ take: Take, _ sources: [Source], base: QueryShape?, isList: Bool) {
        precondition(sources.count == set.columns.count, "\(set.fullName) is asked with \(sources.count) values")
        self.set = set
        self.take = take
        self.sources = sources
        self.base = base
        self.isList = isList
        width = sources.count { $0 == .request }
        precondition(
            width == 0 || base?.findsMany != true, "a look beside many rows takes nothing from the request")
        id = Self.number(of: Identity(set: set.fullName, take: take, sources: sources, base: base?.id, isList: isList))
    }

    /// Whether the query may run for several keys.
    package var takesMany: Bool { isList || base?.findsMany == true }

    /// Whether the query may find several rows.
    private var findsMany: Bool {
        if case .rows(let limit) = take { takesMany || limit > 1 } else { false }
    }

    /// The queries that this one builds on, followed by this one.
    package var chain: [QueryShape] { (base?.chain ?? []) + [self] }

    /// The properties that are equal in two queries that engines can run together.
    private struct Identity: Hashable {
        let set: String
        let take: Take
        let sources: [Source]
        let base: Int?
        let isList: Bool
    }

    private static let numbers = Mutex<[Identity: Int]>([:])

    private static func number(of query: Identity) -> Int {
        numbers.withLock { numbers in
            if let number = numbers[query] { return number }
            numbers[query] = numbers.count
            return numbers.count - 1
        }
    }
}

/// A plan without the types of its results, as engines see it.
public final class QueryPlanShape: Sendable {
    /// A query with the positions of its values in the request.
    public struct Placed: Sendable {
        /// The query, without the values of a request.
        public let query: QueryShape
        /// The index, among the plan's queries, of the query whose rows supply column values; `nil` if no rows supply
        /// values.
        public let base: Int?
        /// The index of the query's first value, or of its list among the lists.
        public let start: Int
    }

    /// The queries; each comes after the one that it builds on.
    public let queries: [Placed]
    /// The handwritten queries, each with the index of its list.
    public let views: [(view: NamedQueryShape, list: Int)]
    /// The locks to take before anything is read, each with the index of its list.
    public let guards: [(lock: QueryLock, list: Int)]
    /// The number of values that a request supplies, not counting lists.
    public let valueCount: Int
    /// The number of lists that a request supplies.
    public let listCount: Int
    /// Whether a transaction with this plan runs while no other transaction runs.
    ///
    /// Such a transaction may change tables that others read without locking.
    public let isAlone: Bool
    /// Whether this plan's queries overtake waiting queries of other plans.
    public let goesFirst: Bool
    /// Whether the plan reads whole sets or runs handwritten queries.
    ///
    /// Engines run such plans where they run listings, so that short queries don't wait for them.
    package let isList: Bool

    init(_ plan: DeclaredQueries, isAlone: Bool, goesFirst: Bool) {
        queries = plan.queries
        views = plan.views
        guards = plan.guards
        valueCount = plan.valueCount
        listCount = plan.listCount
        self.isAlone = isAlone
        self.goesFirst = goesFirst
        isList = !plan.views.isEmpty || plan.queries.contains { $0.query.take.limit == Int.everything }
    }
}

/// Advisory locks for cases where there's no row to lock.
///
/// PostgreSQL takes them before a plan's queries, in ascending order of their numbers. SQLite has a single writer and
/// doesn't need them.
public final class QueryLock: Sendable {
    /// The types of the list's columns.
    public let parameters: [StoredType]
    /// A PostgreSQL query over one array per column that returns one `bigint` column: the locks' numbers.
    public let postgres: String

    /// Declares the locks by a query that computes their numbers.
    public init(_ parameters: [StoredType], postgres: String) {
        self.parameters = parameters
        self.postgres = postgres
    }
}
