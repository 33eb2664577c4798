import TenureServerKit
import Testing

@testable import TenureStore

/// A reference implementation that stores all rows in an array and scans it for each query.
struct ArrayModel {
    var rows: [(table: TableShape, row: StoredRow)] = []

    /// Returns the rows of a set that match the values, in the set's order.
    func rows(of set: SetShape, _ values: StoredValues) -> [StoredRow] {
        rows.filter { $0.table === set.table && set.values(of: $0.row) == values }.map(\.row)
            .sorted(by: set.precedes)
    }

    /// Returns the result of every query of a plan.
    func found(_ bound: BoundQuery) -> [QueryResult.Found] {
        var found: [QueryResult.Found] = []
        for placed in bound.plan.queries {
            let set = placed.query.set
            var rows: [StoredRow] = []
            for values in values(placed, bound, found) where !values.holdNull {
                rows += self.rows(of: set, values).prefix(placed.query.take.limit)
            }
            if case .count = placed.query.take { found.append(.count(rows.count)) } else { found.append(.rows(rows)) }
        }
        return found
    }

    /// Returns the values that a query uses for each request or base row, including nulls.
    func values(_ placed: QueryPlanShape.Placed, _ bound: BoundQuery, _ found: [QueryResult.Found]) -> [StoredValues] {
        var bases: [StoredRow?] = [nil]
        if let base = placed.base, case .rows(let rows) = found[base] { bases = rows }
        var all: [StoredValues] = []
        for base in bases {
            bound.eachRequest(of: placed) { request in
                var next = request.startIndex
                all.append(
                    StoredValues(
                        placed.query.sources.map { source -> StoredValue in
                            switch source {
                            case .request:
                                next += 1
                                return request[next - 1]
                            case .column(let column):
                                guard let base, let query = placed.query.base else { return .null }
                                return query.set.table.columns[column].value(base)
                            case .constant(let value): return value
                            }
                        }))
            }
        }
        return all
    }

    /// Loads the rows and counts that a batch needs, as a storage engine does.
    func load(_ state: BatchState, _ asks: [BoundQuery]) {
        let loading = state.loading
        let answers = asks.map { (bound: $0, found: found($0)) }
        for (table, slots) in loading.keyed {
            for slot in slots {
                let query = state.slots[slot].query
                for (bound, found) in answers {
                    for (position, placed) in bound.plan.queries.enumerated() where placed.query.id == query.id {
                        if case .rows(let rows) = found[position] { for row in rows { state.take(row, in: table) } }
                    }
                }
            }
        }
        for slot in loading.sets {
            let query = state.slots[slot].query
            if query.base == nil {
                for (number, question) in state.slots[slot].questions.enumerated() {
                    take(question, of: slot, entry: number, state)
                }
                continue
            }
            var existing: Set<StoredValues> = []
            for (bound, found) in answers {
                for placed in bound.plan.queries where placed.query.id == query.id {
                    for values in values(placed, bound, found) where !values.holdNull {
                        guard existing.insert(values).inserted else { continue }
                        take(values, of: slot, entry: state.entry(of: slot, for: values), state)
                    }
                }
            }
        }
        #expect(
            state.settle().allSatisfy { slot, values in
                values.allSatisfy { rows(of: state.slots[slot].query.set, $0).isEmpty }
            })
    }

    private func take(_ values: StoredValues, of slot: Int, entry: Int, _ state: BatchState) {
        let query = state.slots[slot].query
        let rows = rows(of: query.set, values).prefix(query.take.limit)
        if case .count = query.take {
            state.take(count: rows.count, of: slot, entry: entry)
        } else {
            for row in rows { state.take(row, of: slot, entry: entry) }
        }
    }

    mutating func apply(_ saves: [RowWrite]) {
        for save in saves {
            if let named = save.before ?? save.after {
                let key = save.table.key(of: named)
                rows.removeAll { $0.table === save.table && save.table.key(of: $0.row) == key }
            }
            if let after = save.after { rows.append((save.table, after)) }
        }
    }

    /// Applies the combined differences of a group.
    mutating func apply(_ differences: [BatchState.Difference]) {
        for difference in differences {
            let table = difference.table
            for row in difference.removed + difference.updated.flatMap(\.rows) {
                let count = rows.count
                rows.removeAll { $0.table === table && table.key(of: $0.row) == table.key(of: row) }
                #expect(rows.count == count - 1, "a difference names a row that doesn't exist")
            }
            for row in difference.inserted {
                #expect(!rows.contains { $0.table === table && table.key(of: $0.row) == table.key(of: row) })
            }
            rows += (difference.inserted + difference.updated.flatMap(\.rows)).map { (table, $0) }
        }
    }
}
