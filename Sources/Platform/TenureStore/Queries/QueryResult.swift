/// The results of a plan's queries, all read from the same snapshot.
public struct QueryResult: Sendable {
    /// The result of one query: its rows, or their number.
    public enum Found: Sendable {
        /// Rows, in the order of the set.
        case rows([StoredRow])
        /// The result of a query for at most one row; `nil` if there is no such row.
        case row(StoredRow?)
        /// The number of rows, up to the query's limit.
        case count(Int)

        /// The first of the found rows; `nil` for a count or an empty result.
        @usableFromInline package var first: StoredRow? {
            switch self {
            case .rows(let rows): rows.first
            case .row(let row): row
            case .count: nil
            }
        }

        /// The rows; empty for a count.
        @usableFromInline package var rows: [StoredRow] {
            switch self {
            case .rows(let rows): rows
            case .row(let row): row.map { [$0] } ?? []
            case .count: []
            }
        }
    }

    @usableFromInline let found: FoundList
    private let views: [[any Sendable]]

    /// Creates the results, in the order of the plan's queries and named queries.
    package init(_ found: FoundList, views: [[any Sendable]] = []) {
        self.found = found
        self.views = views
    }

    /// The row that the query found; `nil` if there isn't one.
    @inlinable public subscript<Row>(query: RowQuery<Row>) -> Row? {
        found[query.position].first.map { unsafeDowncast($0, to: TypedRow<Row>.self).row }
    }

    /// The rows in the order of the set; for a query with many keys, key by key.
    @inlinable public subscript<Row>(query: RowsQuery<Row>) -> [Row] {
        found[query.position].rows.map { unsafeDowncast($0, to: TypedRow<Row>.self).row }
    }

    /// The number of rows, up to the query's limit.
    public subscript(query: CountQuery) -> Int {
        guard case .count(let count) = found[query.position] else { return 0 }
        return count
    }

    /// The number of rows that the declared queries returned, without those that were only counted.
    package var rowCount: Int { found.rowCount }

    /// The rows that the handwritten query returned.
    public subscript<Row>(query: NamedRowsQuery<Row>) -> [Row] { views[query.position].compactMap { $0 as? Row } }
}

extension QueryResult {
    /// The results of queries, by their position in the plan.
    ///
    /// The first four are stored inline. Most plans have no more, so that reading a result needs no allocation.
    @usableFromInline package struct FoundList: Sendable {
        private static let inlined = 4
        private var first = InlineArray<4, Found>(repeating: .count(0))
        private var rest: [Found] = []
        private var count = 0

        /// Creates an empty list.
        package init() {}

        fileprivate var rowCount: Int { (0..<count).reduce(0) { $0 + self[$1].rows.count } }

        /// Adds the result of the next query.
        package mutating func append(_ found: Found) {
            if count < Self.inlined { first[count] = found } else { rest.append(found) }
            count += 1
        }

        /// The result of the query at this position.
        @usableFromInline package subscript(position: Int) -> Found {
            position < Self.inlined ? first[position] : rest[position - Self.inlined]
        }
    }
}
