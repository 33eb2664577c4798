/// A page of a table: the rows after a cursor that match a filter, in the order of a key or set.
///
/// ```swift
/// let expired = Listing(License.toExpire, where: [[.atMost("term_end", now)]], limit: 256)
/// ```
public struct Listing<Row: Sendable>: Sendable {
    /// The untyped listing that engines use.
    public let shape: ListingShape

    /// Lists a set in its order.
    /// - Parameters:
    ///   - values: The values to compare the set's columns with.
    ///   - filter: Alternatives, each a list of comparisons that must all hold; empty to match every row.
    ///   - cursor: The last row of the previous page, as the values of the order's columns; empty for the first page.
    ///   - isBackwards: Whether to reverse the order.
    ///   - limit: The maximum number of rows; clamped to 1...5000.
    public init(
        _ set: RowSet<Row>, _ values: [StoredValue] = [], where filter: [[Comparison]] = [],
        after cursor: [StoredValue] = [], isBackwards: Bool = false, limit: Int
    ) {
        let table = set.shape.table
        shape = ListingShape(
            set: set.shape, values: values,
            alternatives: filter.map { comparisons in
                comparisons.map { comparison in (table.position(of: comparison.column), comparison.test) }
            },
            cursor: cursor, isBackwards: isBackwards, limit: min(max(limit, 1), 5_000))
    }
}

/// A listing without its row type, as engines see it.
public struct ListingShape: Sendable {
    /// The set to list, which also defines the order.
    public let set: SetShape
    /// The values to compare the set's columns with.
    public let values: [StoredValue]
    /// The filter: alternatives, each a list of comparisons that must all hold. Each comparison has the index of its
    /// column. Empty to match every row.
    public let alternatives: [[(column: Int, test: Comparison.Test)]]
    /// The page starts after the row with these order values; empty for the first page.
    public let cursor: [StoredValue]
    /// Whether the order is reversed.
    public let isBackwards: Bool
    /// The maximum number of rows on the page.
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

    /// Lists a page of a whole table in key order, for copying.
    package init(copying table: TableShape, after row: StoredRow?, isBackwards: Bool, limit: Int) {
        self.init(
            set: SetShape(table, "copy", columns: []), values: [], alternatives: [],
            cursor: row.map { row in table.keyColumns.map { table.columns[$0].value(row) } } ?? [],
            isBackwards: isBackwards, limit: limit)
    }
}

/// Compares a column with a value from the request.
public struct Comparison: Sendable {
    /// How a column is compared.
    public enum Test: Sendable {
        /// The column equals one of these values.
        case isOneOf([StoredValue])
        /// The column is null.
        case isNull
        /// The column isn't null.
        case isNotNull
        /// The column is less than this value.
        case below(StoredValue)
        /// The column is less than or equal to this value.
        case atMost(StoredValue)
        /// The column is greater than or equal to this value.
        case atLeast(StoredValue)
        /// The column is greater than this value.
        case above(StoredValue)
        /// The column's text starts with this prefix, compared byte by byte.
        case begins(String)
    }

    let column: String
    let test: Test

    /// Creates a comparison of the column with this name.
    public init(_ column: String, _ test: Test) {
        self.column = column
        self.test = test
    }

    /// The column equals this value.
    public static func equals(_ column: String, _ value: some Storable) -> Comparison {
        Comparison(column, .isOneOf([value.storedValue]))
    }
}

/// Clamps a requested page size to 1...1000.
package func pageSize(_ limit: Int) -> Int { min(max(limit, 1), 1_000) }

extension RowSet {
    /// The filter for a listing of this set.
    ///
    /// Combines each alternative with the named values. Leaves out unset values, and columns that the set already
    /// compares.
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
