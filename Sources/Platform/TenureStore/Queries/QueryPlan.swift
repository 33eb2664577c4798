/// The queries whose results a decision or read needs, declared once; each request only supplies parameters.
///
/// ```swift
/// struct ActivationOfDevice {
///     struct Parameters {
///         let license: LicenseID
///         let device: DeviceID
///     }
///
///     let license: RowQuery<License>
///     let activation: RowQuery<Activation>
///
///     init(_ query: inout QueryBuilder<Parameters>) {
///         license = query.row(License.table.key) { [.of($0.license)] }
///         activation = query.row(Activation.liveOfDevice, .column("id", of: license), .request { .of($0.device) })
///     }
///
///     static let plan = QueryPlan(ActivationOfDevice.init)
/// }
///
/// ActivationOfDevice.plan.bind(.init(license: id, device: device))
/// ```
public struct QueryPlan<Parameters: Sendable, Queries: Sendable>: Sendable {
    /// The declared queries, which identify their results in ``QueryResult``.
    public let queries: Queries
    /// The untyped plan that engines run.
    public let shape: QueryPlanShape

    private let bindValues: QueryBuilder<Parameters>.Values?
    private let bindLists: QueryBuilder<Parameters>.Lists?

    /// Declares a plan.
    ///
    /// Keep it in a static value: engines keep its prepared statements for the life of the process.
    /// - Parameters:
    ///   - isAlone: Whether transactions with this plan run while no other transaction runs. They may then change
    ///     tables that others read without locking.
    ///   - goesFirst: Whether its queries overtake waiting queries of other plans, which still get every fourth turn.
    ///   - parameters: The type of the values that a request supplies; for a single value, that value's type.
    public init(
        isAlone: Bool = false, goesFirst: Bool = false, for parameters: Parameters.Type = Parameters.self,
        _ declare: (inout QueryBuilder<Parameters>) -> Queries
    ) {
        var asking = QueryBuilder<Parameters>(DeclaredQueries())
        queries = declare(&asking)
        bindValues = asking.values
        bindLists = asking.lists
        shape = QueryPlanShape(asking.plan, isAlone: isAlone, goesFirst: goesFirst)
    }

    /// Binds a request's parameters to the plan.
    public func bind(_ parameters: Parameters) -> BoundQuery {
        var values: [StoredValue] = []
        values.reserveCapacity(shape.valueCount)
        bindValues?(parameters, &values)
        var lists = BoundQuery.Lists()
        lists.reserveCapacity(shape.listCount)
        bindLists?(parameters, &lists)
        return BoundQuery(shape, values, lists)
    }
}

extension QueryPlan where Parameters == Void {
    /// Declares a plan whose queries need no values from a request.
    public init(isAlone: Bool = false, goesFirst: Bool = false, _ declare: (inout QueryBuilder<Void>) -> Queries) {
        self.init(isAlone: isAlone, goesFirst: goesFirst, for: Void.self, declare)
    }

    /// Creates a bound query of a plan without parameters.
    public func bind() -> BoundQuery { bind(()) }
}

/// A plan with the values of one request, ready to run.
public struct BoundQuery: Sendable {
    /// Values of lists: each list flattened, the values of one key after those of another.
    public typealias Lists = [[StoredValue]]

    /// The plan that the values belong to.
    public let plan: QueryPlanShape
    /// The values of all queries that take no list, in the order of the queries.
    public let values: [StoredValue]
    /// The lists, each flattened: the values of one key after those of another.
    public let lists: Lists

    init(_ plan: QueryPlanShape, _ values: [StoredValue], _ lists: Lists) {
        precondition(
            values.count == plan.valueCount && lists.count == plan.listCount,
            "a form wants \(plan.valueCount) values and \(plan.listCount) lists, and got \(values.count) and \(lists.count)"
        )
        self.plan = plan
        self.values = values
        self.lists = lists
    }

    /// Whether the other query has the same plan and the same values.
    package func isSame(as other: BoundQuery) -> Bool {
        plan === other.plan && values == other.values && lists == other.lists
    }

    /// Calls the body with the values to bind for a query, once for each key.
    ///
    /// Values that come from another query's row aren't included.
    package func eachRequest<Failure>(
        of placed: QueryPlanShape.Placed, _ body: (ArraySlice<StoredValue>) throws(Failure) -> Void
    ) throws(Failure) {
        let width = placed.query.width
        guard placed.query.isList else { return try body(values[placed.start..<placed.start + width]) }
        let list = lists[placed.start]
        for start in stride(from: 0, to: list.count, by: width) { try body(list[start..<start + width]) }
    }
}

/// The source of one value of a query: an earlier query's row, a constant, or the request.
public struct QuerySource<Parameters: Sendable>: Sendable {
    let source: @Sendable (TableShape?) -> QueryShape.Source
    let base: Int?
    let value: (@Sendable (Parameters) -> StoredValue)?

    /// A column of the row that an earlier query finds.
    public static func column<Row>(_ name: String, of query: RowQuery<Row>) -> QuerySource {
        column(name, at: query.position)
    }

    /// A column of each row that an earlier query finds.
    public static func column<Row>(_ name: String, of query: RowsQuery<Row>) -> QuerySource {
        column(name, at: query.position)
    }

    /// A value that is the same for every request.
    public static func constant(_ value: some Storable) -> QuerySource {
        let value = value.storedValue
        return QuerySource(source: { _ in .constant(value) }, base: nil, value: nil)
    }

    /// A value from the request's parameters.
    public static func request(_ value: @escaping @Sendable (Parameters) -> StoredValue) -> QuerySource {
        QuerySource(source: { _ in .request }, base: nil, value: value)
    }

    private static func column(_ name: String, at position: Int) -> QuerySource {
        QuerySource(source: { table in .column(table.map { $0.position(of: name) } ?? 0) }, base: position, value: nil)
    }
}
