import TenureServerKit
import Testing

@testable import TenureStore

@Suite struct `Reads of grouped changes` {
    /// A seeded random number generator, so that a failing run can be repeated.
    struct Dice: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            var word = state ^ (state >> 33)
            word = word &* 0xff51_afd7_ed55_8ccd
            return word ^ (word >> 33)
        }
    }

    @Test(arguments: 0..<100)
    func `a grouped change reads the rows that it would read alone, or waits for the next group`(seed: Int) throws {
        var dice = Dice(state: UInt64(seed) &* 7_919)
        var database = ArrayModel()
        for id in 0..<4 as Range<Int64> {
            database.rows.append((Shelf.table.shape, row(Shelf(id: id, name: "s\(id)", room: id % 3 == 0 ? nil : 1))))
        }
        for number in 0..<Int64.random(in: 0...14, using: &dice) {
            database.rows.append((Book.table.shape, row(book(number, using: &dice))))
        }
        let state = BatchState()
        var result = 0
        for _ in 0..<4 {
            state.clear()
            let asks = (0..<8).map { _ in send(using: &dice) }
            for bound in asks { state.ask(bound) }
            database.load(state, asks)
            var truth = database
            for (number, bound) in asks.enumerated() {
                guard let results = state.results(number) else {
                    #expect(number > 0, "the first change of a group wasn't decided")
                    break
                }
                result += 1
                expect(results, like: truth.found(bound))
                let saves = saves(in: truth, using: &dice)
                try state.apply(saves)
                truth.apply(saves)
            }
            database.apply(state.differences)
            #expect(Set(database.rows.map { AnyRow($0) }) == Set(truth.rows.map { AnyRow($0) }))
        }
        #expect(result >= 4)
    }

    private func expect(_ results: QueryResult, like found: [QueryResult.Found]) {
        let queries = ShelfQueryPlan.plan.queries
        let truth = QueryResult(found.reduce(into: .init()) { all, one in all.append(one) })
        #expect(results[queries.shelf] == truth[queries.shelf])
        #expect(results[queries.named] == truth[queries.named])
        #expect(results[queries.first] == truth[queries.first])
        #expect(results[queries.top] == truth[queries.top])
        #expect(results[queries.count] == truth[queries.count])
        #expect(results[queries.titles] == truth[queries.titles])
        #expect(results[queries.books] == truth[queries.books])
        #expect(results[queries.shelvesOfTop] == truth[queries.shelvesOfTop])
        #expect(results[queries.twins] == truth[queries.twins])
    }

    private func send(using dice: inout Dice) -> BoundQuery {
        let keys = (0..<Int.random(in: 0...3, using: &dice)).flatMap { _ -> [StoredValue] in
            [.integer(.random(in: 0..<4, using: &dice)), .integer(.random(in: 0..<15, using: &dice))]
        }
        let titles: [StoredValue] = [.text("A"), .text("a"), .text("b"), .null, .text("é")]
        return ShelfQueryPlan.plan.bind(
            .init(
                shelf: .random(in: 0..<5, using: &dice), name: "s\(Int.random(in: 0..<6, using: &dice))",
                shelfOfTop: .random(in: 0..<4, using: &dice), title: titles.randomElement(using: &dice) ?? .null,
                books: keys))
    }

    private func book(_ number: Int64, using dice: inout Dice) -> Book {
        Book(
            shelf: .random(in: 0..<4, using: &dice), number: number,
            title: ["A", "a", "b", "B", "é"].randomElement(using: &dice) ?? "", rank: .random(in: 0..<4, using: &dice),
            isLent: .random(using: &dice))
    }

    /// Returns a few writes that a database would accept.
    private func saves(in truth: ArrayModel, using dice: inout Dice) -> [RowWrite] {
        let books = truth.rows.filter { $0.table === Book.table.shape }.map(\.row).map(Book.init)
        switch Int.random(in: 0..<10, using: &dice) {
        case 0...2:
            var fresh = book(.random(in: 0..<15, using: &dice), using: &dice)
            while books.contains(where: { ($0.shelf, $0.number) == (fresh.shelf, fresh.number) }) { fresh.number += 1 }
            return [.insert(fresh), .append(Line(shelf: fresh.shelf, number: 0))].filter {
                $0.table !== Line.table.shape
            }
        case 3...5:
            guard let before = books.randomElement(using: &dice) else { return [] }
            var after = book(before.number, using: &dice)
            after.shelf = before.shelf
            return [.replace(before, by: after)]
        case 6, 7:
            guard let gone = books.randomElement(using: &dice) else { return [] }
            return .random(using: &dice) ? [.remove(gone)] : [.remove(gone), .insert(gone)]
        case 8:
            let shelves = truth.rows.filter { $0.table === Shelf.table.shape }.map(\.row).map(Shelf.init)
            guard let before = shelves.randomElement(using: &dice) else { return [] }
            let name = "s\(Int.random(in: 0..<6, using: &dice))"
            if shelves.contains(where: { $0.name == name }) { return [] }
            return [.replace(before, by: Shelf(id: before.id, name: name, room: before.room))]
        default: return []
        }
    }
}

/// Returns a row in the form that engines store.
func row(_ row: some Stored) -> StoredRow {
    guard let row = RowWrite.insert(row).after else { preconditionFailure("an insert has a row") }
    return row
}

extension Shelf {
    init(_ row: StoredRow) {
        let values = Shelf.table.shape.columns.map { $0.value(row) }
        guard case .integer(let id) = values[0], case .text(let name) = values[1] else { preconditionFailure() }
        self.init(id: id, name: name, room: values[2].number)
    }
}

extension Book {
    init(_ row: StoredRow) {
        let values = Book.table.shape.columns.map { $0.value(row) }
        guard case .text(let title) = values[2], case .flag(let isLent) = values[4] else { preconditionFailure() }
        self.init(
            shelf: values[0].number ?? 0, number: values[1].number ?? 0, title: title, rank: values[3].number ?? 0,
            isLent: isLent)
    }
}

extension StoredValue {
    fileprivate var number: Int64? { if case .integer(let number) = self { number } else { nil } }
}

/// A row that is compared by its table and all its values.
private struct AnyRow: Hashable {
    let table: String
    let values: [StoredValue]

    init(_ row: (table: TableShape, row: StoredRow)) {
        table = row.table.name
        values = row.table.columns.map { $0.value(row.row) }
    }
}
