/// Takes down what a form looks at.
public struct Asking {
    /// A limit for what is known to be few: all rows are held at once.
    public static let everything = Int(Int32.max)

    private(set) var looks: [FormShape.Placed] = []
    private(set) var views: [(view: ViewShape, list: Int)] = []
    private(set) var guards: [(lock: Guard, list: Int)] = []
    private(set) var valueCount = 0
    private(set) var listCount = 0
    var isAlone = false
    var goesFirst = false

    /// The row with this key; all its values come with the request unless the sources say otherwise.
    public mutating func row<Row>(_ key: Key<Row>, _ sources: LookSource...) -> RowLook<Row> {
        RowLook(place: add(key.shape, .rows(upTo: 1), sources))
    }

    /// The first row of a set.
    public mutating func row<Row>(_ set: RowSet<Row>, _ sources: LookSource...) -> RowLook<Row> {
        RowLook(place: add(set.shape, .rows(upTo: 1), sources))
    }

    /// The first rows of a set.
    public mutating func rows<Row>(_ set: RowSet<Row>, upTo limit: Int, _ sources: LookSource...) -> RowsLook<Row> {
        RowsLook(place: add(set.shape, .rows(upTo: limit), sources))
    }

    /// How many rows a set has, counted no further than the limit.
    public mutating func count<Row>(_ set: RowSet<Row>, upTo limit: Int, _ sources: LookSource...) -> CountLook {
        CountLook(place: add(set.shape, .count(upTo: limit), sources))
    }

    /// The rows with any of many keys, which come with the request as a list; or beside each row of another look.
    public mutating func each<Row>(_ key: Key<Row>, _ sources: LookSource...) -> RowsLook<Row> {
        RowsLook(place: add(key.shape, .rows(upTo: 1), sources, isList: true))
    }

    /// The first rows of each of many sets, whose values come with the request as a list; or beside each row of another
    /// look.
    public mutating func each<Row>(_ set: RowSet<Row>, upTo limit: Int, _ sources: LookSource...) -> RowsLook<Row> {
        RowsLook(place: add(set.shape, .rows(upTo: limit), sources, isList: true))
    }

    /// What a written query answers about a list that comes with the request.
    public mutating func view<Row>(_ view: View<Row>) -> ViewLook<Row> {
        views.append((view.shape, listCount))
        listCount += 1
        return ViewLook(place: views.count - 1)
    }

    /// Takes locks for a list that comes with the request, before anything is read.
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

/// Finds the result of a look for one row.
public struct RowLook<Row: Sendable>: Sendable { @usableFromInline let place: Int }

/// Finds the result of a look for several rows.
public struct RowsLook<Row: Sendable>: Sendable { @usableFromInline let place: Int }

/// Finds the result of a count.
public struct CountLook: Sendable { let place: Int }

/// Finds the result of a written query.
public struct ViewLook<Row: Sendable>: Sendable { let place: Int }

/// What a form's looks found, all of one moment.
public struct Seen: Sendable {
    /// What one look found.
    public enum Found: Sendable {
        /// Rows in their order.
        case rows([StoredRow])
        /// How many there are.
        case count(Int)

        /// The first row, if rows were looked for and found.
        @usableFromInline package var first: StoredRow? {
            if case .rows(let rows) = self { rows.first } else { nil }
        }
    }

    @usableFromInline let found: [Found]
    private let views: [[any Sendable]]

    /// Puts it together, in the order of the form's looks and views.
    package init(_ found: [Found], views: [[any Sendable]] = []) {
        self.found = found
        self.views = views
    }

    /// The row; nil when there is none.
    @inlinable public subscript<Row>(look: RowLook<Row>) -> Row? {
        found[look.place].first.map { unsafeDowncast($0, to: TypedRow<Row>.self).row }
    }

    /// The rows, in their order; of many keys, key by key.
    @inlinable public subscript<Row>(look: RowsLook<Row>) -> [Row] {
        guard case .rows(let rows) = found[look.place] else { return [] }
        return rows.map { unsafeDowncast($0, to: TypedRow<Row>.self).row }
    }

    /// How many there are, counted no further than the look's limit.
    public subscript(look: CountLook) -> Int {
        guard case .count(let count) = found[look.place] else { return 0 }
        return count
    }

    /// What the query answered.
    public subscript<Row>(look: ViewLook<Row>) -> [Row] { views[look.place].compactMap { $0 as? Row } }
}
