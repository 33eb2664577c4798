/// What a decision or a question needs to see: a list of looks, made once. A request brings values alone.
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
    /// The looks, to find their results by.
    public let looks: Looks
    /// What engines see of it.
    public let shape: FormShape

    /// Declares a form. Keep it in a static value: engines keep statements for it as long as the process lives.
    /// - Parameters:
    ///   - isAlone: Its changes run beside no others, and may change tables that others read without locking.
    ///   - goesFirst: Its looks go before those of other forms that wait, which still get every fourth turn.
    public init(isAlone: Bool = false, goesFirst: Bool = false, _ declare: (inout Asking) -> Looks) {
        var asking = Asking()
        asking.isAlone = isAlone
        asking.goesFirst = goesFirst
        looks = declare(&asking)
        shape = FormShape(asking)
    }

    /// Fills the form in: single values in the order in which the looks take them, then the lists in theirs, each flat.
    public func asked(_ values: StoredValue..., lists: [[StoredValue]] = []) -> Asked {
        Asked(shape, values, lists)
    }

    /// Fills the form in with values that are a list already.
    public func asked(all values: [StoredValue], lists: [[StoredValue]] = []) -> Asked {
        Asked(shape, values, lists)
    }
}

/// A form that was filled in.
public struct Asked: Sendable {
    /// Which form.
    public let form: FormShape
    /// The single values.
    public let values: [StoredValue]
    /// The lists, each flat: a key's values one after the other.
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

    /// The values that a look is asked with, one row for each key; a look that builds on a row lacks that row's.
    package func requests(of placed: FormShape.Placed) -> [ArraySlice<StoredValue>] {
        let width = placed.look.width
        guard placed.look.isList else { return [values[placed.start..<placed.start + width]] }
        let list = lists[placed.start]
        return stride(from: 0, to: list.count, by: width).map { list[$0..<$0 + width] }
    }
}

/// Where a look's value comes from, when it is not the request's next one.
public struct LookSource: Sendable {
    let source: @Sendable (TableShape?) -> LookShape.Source
    let base: Int?

    /// A column of the row that an earlier look finds.
    public static func column<Row>(_ name: String, of look: RowLook<Row>) -> LookSource {
        column(name, at: look.place)
    }

    /// A column of each row that an earlier look finds.
    public static func column<Row>(_ name: String, of look: RowsLook<Row>) -> LookSource {
        column(name, at: look.place)
    }

    /// Always the same value.
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
