extension QueryBuilder {
    // These functions are for code that works with any table, where only the set knows how many values it needs.

    /// Adds a query for the row with a key; `values` returns one value for each of the key's columns.
    package mutating func anyRow<Row>(
        _ key: Key<Row>, _ values: @escaping @Sendable (Parameters) -> [StoredValue]
    ) -> RowQuery<Row> {
        RowQuery(position: add(key.shape, .rows(upTo: 1), all: values))
    }

    /// Adds a query for the row that comes first in a set's order; `values` returns one value for each of the set's
    /// columns.
    package mutating func anyRow<Row>(
        _ set: RowSet<Row>, _ values: @escaping @Sendable (Parameters) -> [StoredValue]
    ) -> RowQuery<Row> {
        RowQuery(position: add(set.shape, .rows(upTo: 1), all: values))
    }

    /// Adds a query for the rows that come first in a set's order; `values` returns one value for each of the set's
    /// columns.
    package mutating func anyRows<Row>(
        _ set: RowSet<Row>, upTo limit: Int, _ values: @escaping @Sendable (Parameters) -> [StoredValue]
    ) -> RowsQuery<Row> {
        RowsQuery(position: add(set.shape, .rows(upTo: limit), all: values))
    }

    /// Adds a query for the number of rows of a set, counted up to the limit; `values` returns one value for each of
    /// the set's columns.
    package mutating func anyCount<Row>(
        _ set: RowSet<Row>, upTo limit: Int, _ values: @escaping @Sendable (Parameters) -> [StoredValue]
    ) -> CountQuery {
        CountQuery(position: add(set.shape, .count(upTo: limit), all: values))
    }

    private mutating func add(
        _ set: SetShape, _ take: QueryShape.Take, all values: @escaping @Sendable (Parameters) -> [StoredValue]
    ) -> Int {
        add { parameters, bound in bound += values(parameters) }
        return plan.add(set, take, request(set), base: nil)
    }
}
