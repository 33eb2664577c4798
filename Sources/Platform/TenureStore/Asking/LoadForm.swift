/// The queries that a decision or read needs, declared once; each request only brings values.
///
/// ```swift
/// struct SeatsOfDevice {
///     let license: RowLook<License>
///     let taken: CountLook
///
///     init(_ ask: inout Asking) {
///         license = ask.row(License.byKey)
///         taken = ask.count(Activation.live, upTo: 1_000, .column("id", of: license))
///     }
///
///     static let form = LoadForm(SeatsOfDevice.init)
/// }
/// ```
public struct LoadForm<Looks: Sendable>: Sendable {
    /// The declared queries, which identify their results in ``Seen``.
    public let looks: Looks
    /// The untyped form that engines use.
    public let shape: FormShape

    /// Declares a form.
    ///
    /// Keep it in a static value: engines keep its prepared statements for the life of the process.
    /// - Parameters:
    ///   - isAlone: Whether its changes run while no other change runs. They may then change tables that others read
    ///     without locking.
    ///   - goesFirst: Whether its queries overtake waiting queries of other forms, which still get every fourth turn.
    public init(isAlone: Bool = false, goesFirst: Bool = false, _ declare: (inout Asking) -> Looks) {
        var asking = Asking()
        asking.isAlone = isAlone
        asking.goesFirst = goesFirst
        looks = declare(&asking)
        shape = FormShape(asking)
    }

    /// Binds values to the form.
    ///
    /// Single values come in the order in which the queries use them, then the lists in theirs, each flat.
    public func asked(_ values: StoredValue..., lists: [[StoredValue]] = []) -> Asked {
        Asked(shape, values, lists)
    }

    /// Binds an array of values to the form.
    public func asked(all values: [StoredValue], lists: [[StoredValue]] = []) -> Asked {
        Asked(shape, values, lists)
    }
}

/// A form with its values bound.
public struct Asked: Sendable {
    /// The form that the values belong to.
    public let form: FormShape
    /// The single values.
    public let values: [StoredValue]
    /// The lists, each flattened: the values of one key after those of another.
    public let lists: [[StoredValue]]

    init(_ form: FormShape, _ values: [StoredValue], _ lists: [[StoredValue]]) {
        precondition(
            values.count == form.valueCount && lists.count == form.listCount,
            "a form wants \(form.valueCount) values and \(form.listCount) lists, and got \(values.count) and \(lists.count)"
        )
        self.form = form
        self.values = values
        self.lists = lists
    }

    /// The values to bind for a query, one slice for each key.
    ///
    /// Values that come from another query's row aren't included.
    package func requests(of placed: FormShape.Placed) -> [ArraySlice<StoredValue>] {
        let width = placed.look.width
        guard placed.look.isList else { return [values[placed.start..<placed.start + width]] }
        let list = lists[placed.start]
        return stride(from: 0, to: list.count, by: width).map { list[$0..<$0 + width] }
    }
}

/// The source of a query's value, where it isn't simply the request's next value.
public struct LookSource: Sendable {
    let source: @Sendable (TableShape?) -> LookShape.Source
    let base: Int?

    /// A column of the row that an earlier query finds.
    public static func column<Row>(_ name: String, of look: RowLook<Row>) -> LookSource {
        column(name, at: look.place)
    }

    /// A column of each row that an earlier query finds.
    public static func column<Row>(_ name: String, of look: RowsLook<Row>) -> LookSource {
        column(name, at: look.place)
    }

    /// A constant value.
    public static func constant(_ value: some Storable) -> LookSource {
        let value = value.storedValue
        return LookSource(source: { _ in .constant(value) }, base: nil)
    }

    /// The request's next value.
    public static let request = LookSource(source: { _ in .request }, base: nil)

    private static func column(_ name: String, at place: Int) -> LookSource {
        LookSource(source: { table in .column(table.map { $0.place(of: name) } ?? 0) }, base: place)
    }
}
