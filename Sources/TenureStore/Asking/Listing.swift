/// A page of a table: rows in the order of a key or a set, behind a cursor, that meet a filter.
///
/// ```swift
/// let expired = Listing(License.toExpire, where: [[.atMost("term_end", now)]], limit: 256)
/// ```
public struct Listing<Row: Sendable>: Sendable {
    /// What engines see of it.
    public let shape: ListingShape

    /// Lists a set in its order.
    /// - Parameters:
    ///   - values: What the set's columns are compared with.
    ///   - filter: Alternatives, each a list of comparisons that all hold; empty for every row.
    ///   - cursor: The values of the columns of the order in the last row of the page before; empty for the first page.
    ///   - isBackwards: Whether the order is turned round.
    ///   - limit: The most rows of the page, 1...5000.
    public init(
        _ set: RowSet<Row>, _ values: [StoredValue] = [], where filter: [[Comparison]] = [],
        after cursor: [StoredValue] = [], isBackwards: Bool = false, limit: Int
    ) {
        let table = set.shape.table
        shape = ListingShape(
            set: set.shape, values: values,
            alternatives: filter.map { comparisons in
                comparisons.map { comparison in (table.place(of: comparison.column), comparison.test) }
            },
            cursor: cursor, isBackwards: isBackwards, limit: min(max(limit, 1), 5_000))
    }
}

/// What engines know of a listing.
public struct ListingShape: Sendable {
    /// Which rows, in which order.
    public let set: SetShape
    /// What the set's columns are compared with.
    public let values: [StoredValue]
    /// Alternatives of comparisons, by the place of the column; empty for every row.
    public let alternatives: [[(column: Int, test: Comparison.Test)]]
    /// Where the page begins; empty for the beginning.
    public let cursor: [StoredValue]
    /// Whether the order is turned round.
    public let isBackwards: Bool
    /// The most rows.
    public let limit: Int

    init(
        set: SetShape, values: [StoredValue], alternatives: [[(Int, Comparison.Test)]], cursor: [StoredValue],
        isBackwards: Bool, limit: Int
    ) {
        self.set = set
        self.values = values
        self.alternatives = alternatives.map { $0.map { (column: $0.0, test: $0.1) } }
        self.cursor = cursor
        self.isBackwards = isBackwards
        self.limit = limit
    }

    /// A page of a whole table in the order of its key, for copying.
    package init(copying table: TableShape, after row: StoredRow?, isBackwards: Bool, limit: Int) {
        self.init(
            set: SetShape(table, "copy", columns: []), values: [], alternatives: [],
            cursor: row.map { row in table.keyColumns.map { table.columns[$0].value(row) } } ?? [],
            isBackwards: isBackwards, limit: limit)
    }
}

/// A comparison of a column with a value that the request brings.
public struct Comparison: Sendable {
    /// How it is compared.
    public enum Test: Sendable {
        /// It is one of these.
        case isOneOf([StoredValue])
        /// It holds nothing.
        case isNull
        /// It holds something.
        case isNotNull
        /// It is smaller.
        case below(StoredValue)
        /// It is smaller or equal.
        case atMost(StoredValue)
        /// It is equal or larger.
        case atLeast(StoredValue)
        /// It is larger.
        case above(StoredValue)
        /// Its text begins so, byte by byte.
        case begins(String)
    }

    let column: String
    let test: Test

    /// Compares a column.
    public init(_ column: String, _ test: Test) {
        self.column = column
        self.test = test
    }

    /// It is this value.
    public static func equals(_ column: String, _ value: some Storable) -> Comparison {
        Comparison(column, .isOneOf([value.storedValue]))
    }
}

/// The rows of a page that callers of the typed listings get.
package func pageSize(_ limit: Int) -> Int { min(max(limit, 1), 1_000) }

extension RowSet {
    /// What a listing of it filters by: values of columns, as far as the set does not compare them already, and
    /// alternatives.
    package func filter(
        _ named: [(column: String, value: StoredValue?)], _ alternatives: [[Comparison]]?
    ) -> [[Comparison]] {
        let compared = Set(shape.columns.map { shape.table.columns[$0].name })
        let comparisons = named.compactMap { column, value in
            compared.contains(column) ? nil : value.map { Comparison(column, .isOneOf([$0])) }
        }
        return (alternatives ?? [[]]).map { comparisons + $0 }.filter { !$0.isEmpty }
    }
}
