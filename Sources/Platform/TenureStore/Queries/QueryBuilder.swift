/// Collects the queries of a ``QueryPlan`` while it is declared.
///
/// Each query has a closure that returns its values from the plan's parameters, in the order of the query's columns:
/// `query.row(License.byKey) { [.of($0.hash), .of($0.tenant), .of($0.product)] }`.
public struct QueryBuilder<Parameters: Sendable> {
    @usableFromInline typealias Values = @Sendable (Parameters, inout [StoredValue]) -> Void
    typealias Lists = @Sendable (Parameters, inout [[StoredValue]]) -> Void

    var plan: DeclaredQueries
    // One closure binds the values of all queries: each closure that is added first calls the previous one. With an
    // array of generic closures, every request would have to look up their type.
    private(set) var values: Values?
    private(set) var lists: Lists?

    init(_ plan: DeclaredQueries) { self.plan = plan }

    // MARK: Rows

    /// Adds a query for the row with a key.
    @inlinable public mutating func row<Row, let width: Int>(
        _ key: Key<Row>, _ values: @escaping @Sendable (Parameters) -> InlineArray<width, StoredValue>
    ) -> RowQuery<Row> {
        RowQuery(position: add(key.shape, .rows(upTo: 1), values))
    }

    /// Adds a query for the row with a key. Each of the key's values has its own source: an earlier query's row, a
    /// constant or the request.
    public mutating func row<Row>(_ key: Key<Row>, _ sources: QuerySource<Parameters>...) -> RowQuery<Row> {
        RowQuery(position: add(key.shape, .rows(upTo: 1), sources))
    }

    /// Adds a query for the row that comes first in a set's order.
    @inlinable public mutating func row<Row, let width: Int>(
        _ set: RowSet<Row>, _ values: @escaping @Sendable (Parameters) -> InlineArray<width, StoredValue>
    ) -> RowQuery<Row> {
        RowQuery(position: add(set.shape, .rows(upTo: 1), values))
    }

    /// Adds a query for the row that comes first in a set's order. Each of the set's values has its own source: an
    /// earlier query's row, a constant or the request.
    public mutating func row<Row>(_ set: RowSet<Row>, _ sources: QuerySource<Parameters>...) -> RowQuery<Row> {
        RowQuery(position: add(set.shape, .rows(upTo: 1), sources))
    }

    /// Adds a query for the rows that come first in a set's order.
    @inlinable public mutating func rows<Row, let width: Int>(
        _ set: RowSet<Row>, upTo limit: Int,
        _ values: @escaping @Sendable (Parameters) -> InlineArray<width, StoredValue>
    ) -> RowsQuery<Row> {
        RowsQuery(position: add(set.shape, .rows(upTo: limit), values))
    }

    /// Adds a query for the rows that come first in a set's order. Each of the set's values has its own source: an
    /// earlier query's row, a constant or the request.
    public mutating func rows<Row>(
        _ set: RowSet<Row>, upTo limit: Int, _ sources: QuerySource<Parameters>...
    ) -> RowsQuery<Row> {
        RowsQuery(position: add(set.shape, .rows(upTo: limit), sources))
    }

    /// Adds a query for the number of rows of a set, counted up to the limit.
    @inlinable public mutating func count<Row, let width: Int>(
        _ set: RowSet<Row>, upTo limit: Int,
        _ values: @escaping @Sendable (Parameters) -> InlineArray<width, StoredValue>
    ) -> CountQuery {
        CountQuery(position: add(set.shape, .count(upTo: limit), values))
    }

    /// Adds a query for the number of rows of a set, counted up to the limit. Each of the set's values has its own
    /// source: an earlier query's row, a constant or the request.
    public mutating func count<Row>(
        _ set: RowSet<Row>, upTo limit: Int, _ sources: QuerySource<Parameters>...
    ) -> CountQuery {
        CountQuery(position: add(set.shape, .count(upTo: limit), sources))
    }

    // MARK: Lists

    /// Adds a query for the rows of many keys; `list` returns their values flattened, key after key.
    public mutating func each<Row>(
        _ key: Key<Row>, _ list: @escaping @Sendable (Parameters) -> [StoredValue]
    ) -> RowsQuery<Row> {
        RowsQuery(position: add(key.shape, .rows(upTo: 1), list))
    }

    /// Adds a query for the rows of many keys, whose values derive from an earlier query's rows.
    public mutating func each<Row>(_ key: Key<Row>, _ sources: QuerySource<Parameters>...) -> RowsQuery<Row> {
        RowsQuery(position: add(key.shape, .rows(upTo: 1), sources, isList: true))
    }

    /// Adds a query for the first rows of many sets: up to `limit` rows of each, in the set's order. `list` returns the
    /// sets' values flattened, set after set.
    public mutating func each<Row>(
        _ set: RowSet<Row>, upTo limit: Int, _ list: @escaping @Sendable (Parameters) -> [StoredValue]
    ) -> RowsQuery<Row> {
        RowsQuery(position: add(set.shape, .rows(upTo: limit), list))
    }

    /// Adds a query for the first rows of many sets: up to `limit` rows of each, in the set's order. The sets' values
    /// derive from an earlier query's rows.
    public mutating func each<Row>(
        _ set: RowSet<Row>, upTo limit: Int, _ sources: QuerySource<Parameters>...
    ) -> RowsQuery<Row> {
        RowsQuery(position: add(set.shape, .rows(upTo: limit), sources, isList: true))
    }

    /// Adds a handwritten query without parameters.
    public mutating func view<Row>(_ view: NamedQuery<Row>) -> NamedRowsQuery<Row> {
        precondition(view.shape.parameters.isEmpty, "\(view.shape.name) is asked without a list")
        return self.view(view) { _ in [] }
    }

    /// Adds a handwritten query with a list of parameters, flattened row after row.
    public mutating func view<Row>(
        _ view: NamedQuery<Row>, _ list: @escaping @Sendable (Parameters) -> [StoredValue]
    ) -> NamedRowsQuery<Row> {
        plan.views.append((view.shape, add(list)))
        return NamedRowsQuery(position: plan.views.count - 1)
    }

    /// Adds locks for a list of values, flattened row after row; engines take them before they read anything.
    public mutating func hold(_ lock: QueryLock, _ list: @escaping @Sendable (Parameters) -> [StoredValue]) {
        plan.guards.append((lock, add(list)))
    }

    // MARK: Parts

    /// Adds queries that have their own type of parameters; `own` derives these from the plan's parameters.
    public mutating func part<Own: Sendable, Queries>(
        _ declare: (inout QueryBuilder<Own>) -> Queries, _ own: @escaping @Sendable (Parameters) -> Own
    ) -> Queries {
        var query = QueryBuilder<Own>(plan)
        let queries = declare(&query)
        plan = query.plan
        if let values = query.values { add { parameters, bound in values(own(parameters), &bound) } }
        if let lists = query.lists { addLists { parameters, bound in lists(own(parameters), &bound) } }
        return queries
    }

    // MARK: Adding

    mutating func add(_ values: @escaping Values) {
        guard let before = self.values else { return self.values = values }
        self.values = { parameters, bound in
            before(parameters, &bound)
            values(parameters, &bound)
        }
    }

    /// Adds a list and returns its index.
    private mutating func add(_ list: @escaping @Sendable (Parameters) -> [StoredValue]) -> Int {
        addLists { parameters, bound in bound.append(list(parameters)) }
        plan.listCount += 1
        return plan.listCount - 1
    }

    private mutating func addLists(_ lists: @escaping Lists) {
        guard let before = self.lists else { return self.lists = lists }
        self.lists = { parameters, bound in
            before(parameters, &bound)
            lists(parameters, &bound)
        }
    }

    /// Inlinable, because only then does the compiler know the number of values, so that binding needs no allocation.
    @inlinable mutating func add<let width: Int>(
        _ set: SetShape, _ take: QueryShape.Take,
        _ values: @escaping @Sendable (Parameters) -> InlineArray<width, StoredValue>
    ) -> Int {
        add(set, take, width: width) { parameters, bound in
            let values = values(parameters)
            for position in values.indices { bound.append(values[position]) }
        }
    }

    @usableFromInline mutating func add(
        _ set: SetShape, _ take: QueryShape.Take, width: Int, _ values: @escaping Values
    ) -> Int {
        precondition(set.columns.count == width, "\(set.fullName) is asked with \(width) values")
        add(values)
        return plan.add(set, take, request(set), base: nil)
    }

    private mutating func add(
        _ set: SetShape, _ take: QueryShape.Take, _ list: @escaping @Sendable (Parameters) -> [StoredValue]
    ) -> Int {
        let list = add(list)
        return plan.add(set, take, request(set), base: nil, list: list)
    }

    private mutating func add(
        _ set: SetShape, _ take: QueryShape.Take, _ sources: [QuerySource<Parameters>], isList: Bool = false
    ) -> Int {
        // Loops, because `map` would look up its types at run time for each query, and a key path would be made each
        // time.
        var base: Int?
        for source in sources {
            base = base ?? source.base
            guard let value = source.value else { continue }
            precondition(!isList, "\(set.fullName) takes a list or columns")
            add { parameters, bound in bound.append(value(parameters)) }
        }
        let table = base.map { plan.queries[$0].query.set.table }
        var placed: [QueryShape.Source] = []
        for source in sources { placed.append(source.source(table)) }
        return plan.add(set, take, placed, base: base)
    }

    func request(_ set: SetShape) -> [QueryShape.Source] {
        Array(repeating: .request, count: set.columns.count)
    }
}

/// The queries of a plan, without the type of its parameters.
struct DeclaredQueries {
    var queries: [QueryPlanShape.Placed] = []
    var views: [(view: NamedQueryShape, list: Int)] = []
    var guards: [(lock: QueryLock, list: Int)] = []
    var valueCount = 0
    var listCount = 0

    /// Adds a query and returns its index; `list` is the index of the query's list, if any.
    mutating func add(
        _ set: SetShape, _ take: QueryShape.Take, _ sources: [QueryShape.Source], base: Int?, list: Int? = nil
    ) -> Int {
        let query = QueryShape(set, take, sources, base: base.map { queries[$0].query }, isList: list != nil)
        queries.append(QueryPlanShape.Placed(query: query, base: base, start: list ?? valueCount))
        if list == nil { valueCount += query.width }
        return queries.count - 1
    }
}

extension Int {
    /// The limit for a set that is known to be small: all of its rows are held in memory at once.
    package static let everything = Int(Int32.max)
}

/// Identifies the result of a query for one row.
public struct RowQuery<Row: Sendable>: Sendable {
    @usableFromInline let position: Int

    @usableFromInline init(position: Int) { self.position = position }
}

/// Identifies the result of a query for several rows.
public struct RowsQuery<Row: Sendable>: Sendable {
    @usableFromInline let position: Int

    @usableFromInline init(position: Int) { self.position = position }
}

/// Identifies the result of a count.
public struct CountQuery: Sendable {
    let position: Int

    @usableFromInline init(position: Int) { self.position = position }
}

/// Identifies the result of a handwritten query.
public struct NamedRowsQuery<Row: Sendable>: Sendable { let position: Int }
