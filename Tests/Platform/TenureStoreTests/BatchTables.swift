import TenureStore

// Tables for these tests only. No database has them.

struct Shelf: Stored, Hashable {
    var id: Int64
    var name: String
    var room: Int64?

    static let table = Table<Shelf>(
        "shelves", key: ["id"], [Field("id") { $0.id }, Field("name") { $0.name }, Field("room") { $0.room }],
        uniques: [Unique("by_name", "name")]
    ) { row in Shelf(id: try row.next(), name: try row.next(), room: try row.next()) }

    static let byName = table.unique("by_name")
    static let inRoom = table.set("in_room", "room")
}

struct Book: Stored, Hashable {
    var shelf: Int64
    var number: Int64
    var title: String
    var rank: Int64
    var isLent: Bool

    static let table = Table<Book>(
        "books", key: ["shelf", "number"],
        [
            Field("shelf") { $0.shelf }, Field("number") { $0.number }, Field("title") { $0.title },
            Field("rank") { $0.rank }, Field("is_lent") { $0.isLent },
        ], foreignKeys: [ForeignKey("shelf", to: Shelf.self)],
        indexes: [
            TableIndex("present", "shelf", "rank", where: .equals("is_lent", false)),
            TableIndex("of_title", "title"),
        ], layout: .frequentUpdates
    ) { row in
        Book(
            shelf: try row.next(), number: try row.next(), title: try row.next(), rank: try row.next(),
            isLent: try row.next())
    }

    static let present = table.set("present", "shelf", where: .equals("is_lent", false), order: [.down("rank")])
    static let ofTitle = table.set("of_title", "title")
}

struct Line: Stored, Hashable {
    var shelf: Int64
    var number: Int64

    static let table = Table<Line>(
        "lines", key: ["shelf", "number"], [Field("shelf") { $0.shelf }, Field("number") { $0.number }],
        counter: LineCounter.table.shape
    ) { row in Line(shelf: try row.next(), number: try row.next()) }

    static let ofShelf = table.set("of_shelf", "shelf")
}

struct Counter: Stored, Hashable {
    var count: Int64
    var note: String?

    static let table = Table<Counter>("counter", key: [], [Field("count") { $0.count }, Field("note") { $0.note }]) {
        row in Counter(count: try row.next(), note: try row.next())
    }
}

/// A query plan with every kind of query: by key, by set, counts, and queries based on other queries.
struct ShelfQueryPlan {
    let shelf: RowQuery<Shelf>
    let named: RowQuery<Shelf>
    let first: RowQuery<Book>
    let top: RowsQuery<Book>
    let count: CountQuery
    let titles: RowsQuery<Book>
    let books: RowsQuery<Book>
    let shelvesOfTop: RowsQuery<Shelf>
    let twins: RowsQuery<Book>

    struct Parameters {
        let shelf: Int64
        let name: String
        let shelfOfTop: Int64
        let title: StoredValue
        /// The shelf and the number of each requested book, one after the other.
        let books: [StoredValue]
    }

    init(_ query: inout QueryBuilder<Parameters>) {
        shelf = query.row(Shelf.table.key) { [.of($0.shelf)] }
        named = query.row(Shelf.byName) { [.of($0.name)] }
        first = query.row(Book.present, .column("id", of: named))
        top = query.rows(Book.present, upTo: 3) { [.of($0.shelfOfTop)] }
        count = query.count(Book.present, upTo: 4, .column("id", of: shelf))
        titles = query.rows(Book.ofTitle, upTo: 5) { [$0.title] }
        books = query.each(Book.table.key) { $0.books }
        shelvesOfTop = query.each(Shelf.table.key, .column("shelf", of: books))
        twins = query.each(Book.ofTitle, upTo: 2, .column("title", of: first))
    }

    static let plan = QueryPlan(ShelfQueryPlan.init)
}

/// The last number of a shelf's lines.
struct LineCounter: Stored, Hashable {
    var shelf: Int64
    var last: Int64

    static let table = Table<LineCounter>(
        "line_counters", key: ["shelf"], [Field("shelf") { $0.shelf }, Field("last") { $0.last }]
    ) { row in LineCounter(shelf: try row.next(), last: try row.next()) }
}
