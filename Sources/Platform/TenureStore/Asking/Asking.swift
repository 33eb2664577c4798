/// Collects the queries of a ``LoadForm`` while it is declared.
public struct Asking {
    /// The limit for a set that is known to be small: all of its rows are held in memory at once.
    public static let everything = Int(Int32.max)

    private(set) var looks: [FormShape.Placed] = []
    private(set) var views: [(view: ViewShape, list: Int)] = []
    private(set) var guards: [(lock: Guard, list: Int)] = []
    private(set) var valueCount = 0
    private(set) var listCount = 0
    var isAlone = false
    var goesFirst = false

    /// Queries the row with a key.
    ///
    /// The request brings every value of the key unless `sources` says otherwise.
    public mutating func row<Row>(_ key: Key<Row>, _ sources: LookSource...) -> RowLook<Row> {
        RowLook(place: add(key.shape, .rows(upTo: 1), sources))
    }

    /// Queries the first row of a set.
    public mutating func row<Row>(_ set: RowSet<Row>, _ sources: LookSource...) -> RowLook<Row> {
        RowLook(place: add(set.shape, .rows(upTo: 1), sources))
    }

    /// Queries the first rows of a set.
    public mutating func rows<Row>(_ set: RowSet<Row>, upTo limit: Int, _ sources: LookSource...) -> RowsLook<Row> {
        RowsLook(place: add(set.shape, .rows(upTo: limit), sources))
    }

    /// Counts the rows of a set, up to the limit.
    public mutating func count<Row>(_ set: RowSet<Row>, upTo limit: Int, _ sources: LookSource...) -> CountLook {
        CountLook(place: add(set.shape, .count(upTo: limit), sources))
    }

    /// Queries the rows of many keys.
    ///
    /// The request brings the keys as a list, unless `sources` derives them all from an earlier query's rows.
    public mutating func each<Row>(_ key: Key<Row>, _ sources: LookSource...) -> RowsLook<Row> {
        RowsLook(place: add(key.shape, .rows(upTo: 1), sources, isList: true))
    }

    /// Queries the first rows of many sets, up to `limit` for each.
    ///
    /// The request brings the sets' values as a list, unless `sources` derives them all from an earlier query's rows.
    public mutating func each<Row>(_ set: RowSet<Row>, upTo limit: Int, _ sources: LookSource...) -> RowsLook<Row> {
        RowsLook(place: add(set.shape, .rows(upTo: limit), sources, isList: true))
    }

    /// Runs a handwritten query over a list that the request brings.
    public mutating func view<Row>(_ view: View<Row>) -> ViewLook<Row> {
        views.append((view.shape, listCount))
        listCount += 1
        return ViewLook(place: views.count - 1)
    }

    /// Takes locks for a list that the request brings, before anything is read.
    public mutating func hold(_ lock: Guard) {
        guards.append((lock, listCount))
        listCount += 1
    }

    private mutating func add(
        _ set: SetShape, _ take: LookShape.Take, _ sources: [LookSource], isList: Bool = false
    ) -> Int {
        let base = sources.compactMap(\.base).first
        let table = base.map { looks[$0].look.set.table }
        let placed =
            sources.isEmpty
            ? Array(repeating: LookShape.Source.request, count: set.columns.count) : sources.map { $0.source(table) }
        let wantsList = isList && placed.contains(.request)
        let look = LookShape(set, take, placed, base: base.map { looks[$0].look }, isList: wantsList)
        looks.append(FormShape.Placed(look: look, base: base, start: wantsList ? listCount : valueCount))
        if wantsList { listCount += 1 } else { valueCount += look.width }
        return looks.count - 1
    }
}

/// Identifies the result of a query for one row.
public struct RowLook<Row: Sendable>: Sendable { @usableFromInline let place: Int }

/// Identifies the result of a query for several rows.
public struct RowsLook<Row: Sendable>: Sendable { @usableFromInline let place: Int }

/// Identifies the result of a count.
public struct CountLook: Sendable { let place: Int }

/// Identifies the result of a handwritten query.
public struct ViewLook<Row: Sendable>: Sendable { let place: Int }

/// The results of a form's queries, all read from the same snapshot.
public struct Seen: Sendable {
    /// The result of one query.
    public enum Found: Sendable {
        /// Rows, in the order of the set.
        case rows([StoredRow])
        /// The number of rows, up to the query's limit.
        case count(Int)

        /// The first row; `nil` for a count or an empty result.
        @usableFromInline package var first: StoredRow? {
            if case .rows(let rows) = self { rows.first } else { nil }
        }
    }

    @usableFromInline let found: [Found]
    private let views: [[any Sendable]]

    /// Creates the results, in the order of the form's queries and views.
    package init(_ found: [Found], views: [[any Sendable]] = []) {
        self.found = found
        self.views = views
    }

    /// The row that the query found; `nil` if there isn't one.
    @inlinable public subscript<Row>(look: RowLook<Row>) -> Row? {
        found[look.place].first.map { unsafeDowncast($0, to: TypedRow<Row>.self).row }
    }

    /// The rows in the order of the set; for a query with many keys, key by key.
    @inlinable public subscript<Row>(look: RowsLook<Row>) -> [Row] {
        guard case .rows(let rows) = found[look.place] else { return [] }
        return rows.map { unsafeDowncast($0, to: TypedRow<Row>.self).row }
    }

    /// The number of rows, up to the query's limit.
    public subscript(look: CountLook) -> Int {
        guard case .count(let count) = found[look.place] else { return 0 }
        return count
    }

    /// The rows that the handwritten query returned.
    public subscript<Row>(look: ViewLook<Row>) -> [Row] { views[look.place].compactMap { $0 as? Row } }
}
