/// The state that a group's changes see: the rows loaded for all of them, updated by the changes decided so far.
///
/// It does no I/O: an engine runs the queries in ``loading``, passes in the rows that the database found, and saves the
/// ``differences``. If the result of one of a change's queries isn't certain, the change waits for the next group. Each
/// connection reuses one instance for all groups, so that its buffers are allocated once.
package final class BatchState {
    /// A row as it was loaded and as it is now.
    struct Row {
        var before: StoredRow?
        var now: StoredRow?
        var isSaved = false
        var isRefolded = false
    }

    /// The rows of a table that have been loaded or saved.
    struct Table {
        let shape: TableShape
        /// The index of the row with each key.
        var positions: [StoredValues: Int] = [:]
        /// The indexes of the slots that query the table.
        var slots: [Int] = []
        /// The indexes of the rows that changes have saved, each once.
        var saved: [Int] = []
        var appended: [StoredRow] = []
        var isTouched = false

        mutating func clear() {
            positions.removeAll(keepingCapacity: true)
            saved.removeAll(keepingCapacity: true)
            appended.removeAll(keepingCapacity: true)
            isTouched = false
        }
    }

    /// The queries of one change, and where their results are.
    private struct Ask {
        let bound: BoundQuery
        /// The index in ``spans`` of the change's first query.
        let first: Int
        var views: [[any Sendable]] = []
    }

    /// The entries of one query of one change; empty if they depend on the rows of another query.
    private struct Span {
        let start: Int
        let count: Int
    }

    var rows: [Row] = []
    var tables: [Table] = []
    /// One slot for each distinct query.
    package internal(set) var slots: [BatchSlot] = []
    private var slotOfLook: [Int] = []
    private var asks: [Ask] = []
    private var spans: [Span] = []
    private var entries: [Int] = []

    package init() {}

    /// Removes the requests and results of the last group.
    package func clear() {
        for slot in slots.indices { slots[slot].clear() }
        for table in tables.indices { tables[table].clear() }
        rows.removeAll(keepingCapacity: true)
        asks.removeAll(keepingCapacity: true)
        spans.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
    }

    /// Records the queries of a change and returns the change's number.
    @discardableResult
    package func ask(_ bound: BoundQuery) -> Int {
        asks.append(Ask(bound: bound, first: spans.count))
        for placed in bound.plan.queries {
            let slot = slot(of: placed.query)
            let start = entries.count
            if placed.query.base == nil {
                bound.eachRequest(of: placed) { request in entries.append(slots[slot].ask(request)) }
            } else {
                eachRequest(of: placed, in: bound) { request in slots[slot].askAlong(request) }
            }
            spans.append(Span(start: start, count: entries.count - start))
        }
        return asks.count - 1
    }

    /// The current results for a change; `nil` if they must be loaded again in the next group.
    package func results(_ number: Int) -> QueryResult? {
        let query = asks[number]
        let queries = query.bound.plan.queries
        var found = QueryResult.FoundList()
        for position in queries.indices {
            guard let finding = finding(of: position, in: query, found) else { return nil }
            found.append(finding)
        }
        for (view, _) in query.bound.plan.views where view.touches.contains(where: isTouched) { return nil }
        return QueryResult(found, views: query.views)
    }

    /// The bound queries of the recorded changes, by the changes' numbers.
    var bound: some Sequence<BoundQuery> { asks.lazy.map(\.bound) }

    /// Records the rows that a named query of a change returned; call it in the order of the plan's named queries.
    package func take(_ answers: [any Sendable], forView number: Int) { asks[number].views.append(answers) }

    /// Finds the keys that follow from other rows but weren't loaded with them, because the other row changed between
    /// two statements.
    ///
    /// Unless the engine now loads and records those rows, they count as absent. Call it until it returns nothing,
    /// because more keys may follow from those rows.
    package func settle() -> [(slot: Int, values: [StoredValues])] {
        var missing: [Int: [StoredValues]] = [:]
        for query in asks where query.bound.plan.queries.contains(where: { $0.base != nil && $0.query.set.isUnique }) {
            var found = QueryResult.FoundList()
            for (position, placed) in query.bound.plan.queries.enumerated() {
                if let base = placed.base, placed.query.set.isUnique {
                    let slot = slotOfLook[placed.query.id]
                    eachValues(of: placed, in: query.bound, beside: found[base]) { values in
                        guard slots[slot].positions[values] == nil else { return }
                        _ = slots[slot].entry(for: values)
                        missing[slot, default: []].append(values)
                    }
                }
                found.append(finding(of: position, in: query, found) ?? .rows([]))
            }
        }
        return missing.sorted { $0.key < $1.key }.map { (slot: $0.key, values: $0.value) }
    }

    /// The index of a table; registers it if it's new.
    func position(of table: TableShape) -> Int {
        if let position = tables.firstIndex(where: { $0.shape === table }) { return position }
        tables.append(Table(shape: table))
        return tables.count - 1
    }

    private func slot(of query: QueryShape) -> Int {
        while slotOfLook.count <= query.id { slotOfLook.append(-1) }
        if slotOfLook[query.id] >= 0 { return slotOfLook[query.id] }
        let table = position(of: query.set.table)
        slots.append(BatchSlot(query, table: table))
        slotOfLook[query.id] = slots.count - 1
        tables[table].slots.append(slots.count - 1)
        return slots.count - 1
    }

    private func isTouched(_ table: TableShape) -> Bool { tables.contains { $0.shape === table && $0.isTouched } }

    private func finding(of position: Int, in query: Ask, _ found: QueryResult.FoundList) -> QueryResult.Found? {
        let placed = query.bound.plan.queries[position]
        let slot = slotOfLook[placed.query.id]
        var finding = BatchFinding(placed.query.take)
        var isKnown = true
        if let base = placed.base {
            eachValues(of: placed, in: query.bound, beside: found[base]) { values in
                let entry = slots[slot].positions[values]
                isKnown = isKnown && entry.map { add($0, of: slot, to: &finding) } ?? false
            }
        } else {
            let span = spans[query.first + position]
            for entry in entries[span.start..<span.start + span.count] where entry >= 0 {
                isKnown = isKnown && add(entry, of: slot, to: &finding)
            }
        }
        return isKnown ? finding.found : nil
    }

    private func add(_ entry: Int, of slot: Int, to finding: inout BatchFinding) -> Bool {
        guard slots[slot].entries[entry].isKnown else { return false }
        finding.count += slots[slot].entries[entry].count
        for row in slots[slot].entries[entry].rows {
            if let now = rows[row].now { finding.rows.append(now) }
        }
        return true
    }

    /// Calls the body with the query's values for each base row and request, unless one of them is null.
    private func eachValues(
        of placed: QueryPlanShape.Placed, in bound: BoundQuery, beside found: QueryResult.Found,
        _ body: (StoredValues) -> Void
    ) {
        guard let base = placed.query.base else { return }
        let bases = found.rows
        let columns = base.set.table.columns
        for row in bases {
            bound.eachRequest(of: placed) { request in
                if let values = placed.query.values(of: request, beside: { columns[$0].value(row) }) { body(values) }
            }
        }
    }

    /// Calls the body with each request of a query, including the values of all queries that it builds on.
    private func eachRequest(of placed: QueryPlanShape.Placed, in bound: BoundQuery, _ body: (StoredValues) -> Void) {
        let before = placed.base.map { bound.plan.queries[$0] }
        guard let before else {
            return bound.eachRequest(of: placed) { request in
                var values = StoredValues()
                for value in request { values.append(value) }
                body(values)
            }
        }
        eachRequest(of: before, in: bound) { before in
            bound.eachRequest(of: placed) { request in
                var values = before
                for value in request { values.append(value) }
                body(values)
            }
        }
    }
}

/// The result of a query, combined from one or more entries.
private struct BatchFinding {
    let take: QueryShape.Take
    var rows: [StoredRow] = []
    var count = 0

    init(_ take: QueryShape.Take) { self.take = take }

    var found: QueryResult.Found {
        if case .count = take { .count(count) } else { .rows(rows) }
    }
}
