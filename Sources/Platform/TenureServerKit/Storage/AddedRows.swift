package import TenureCore
package import TenureStore

/// The rows of a table that a restored copy lacks, or that give less in it than in a later store.
package struct AddedRows<Row: Stored & Equatable, Parent: Stored>: Sendable {
    let kind: String
    let detail: RestoreAddition.Detail
    private let plan: QueryPlan<[Row], Queries>
    private let parent: (@Sendable (Row) -> [StoredValue])?
    private let uniqueValues: @Sendable (Row) -> [StoredValue]?
    private let slot: Slot?

    /// Describes a row for operators.
    package var describe: @Sendable (Row) -> Description
    /// Returns why a row can't be added if the restored store lacks its parent; `nil` to leave it out silently.
    package var orphan: @Sendable (Row) -> String? = { _ in nil }
    /// Whether a row agrees with its parent in the restored store; otherwise it's left out silently.
    package var fits: @Sendable (Row, Parent) -> Bool = { _, _ in true }
    /// Returns the numbers of the records that a row refers to; if one of them was left behind, so is the row, silently.
    package var records: @Sendable (Row) -> [Int64] = { _ in [] }
    /// What happened to a new row.
    package var added = "issued"
    /// Whether a row that the copy lacks is worth mentioning; otherwise it's left out silently.
    package var isGiven: @Sendable (Row, _ now: Timestamp) -> Bool = { _, _ in true }
    /// Why no row is ever carried over; `nil` if rows are.
    package var loss: String?
    /// Returns what a later state gives beyond the copied one; empty if only other parts changed, `nil` to keep the
    /// copied one.
    ///
    /// It gets the events of the later store about the row.
    package var changes: @Sendable (_ copied: Row, _ later: Row, _ events: [Event]) -> [String]? = { _, _, _ in nil }
    /// Whether a row of another store may replace one that was added from an earlier store.
    package var mayFollow: @Sendable (_ added: Row, _ row: Row) -> Bool = { _, _ in true }
    /// Returns a later row without what would undo another store's withdrawal of the restored one.
    ///
    /// It gets the events about the row in its own store and in all others.
    package var merged: @Sendable (_ restored: Row, _ later: Row, _ events: [Event], _ others: [Event]) -> Row = {
        _, later, _, _ in later
    }
    /// The kinds of events that record such changes.
    package var changeEvents: Set<EventKind> = []
    /// Whether ``changes`` decides between the states of several later stores; otherwise, the first store's counts.
    package var comparesStores = false

    /// What operators read about a row.
    package struct Description: Sendable {
        let name: String
        let record: EventsSince.Record?
        let givenAt: Timestamp?
        let key: String?
        let holder: String?
        let order: String?
        let actor: Actor?

        /// - Parameters:
        ///   - record: What the row's events are about; `nil` if it has none.
        ///   - givenAt: When the row was created.
        ///   - actor: Who creates such rows, if no event says so.
        package init(
            _ name: String, _ record: EventsSince.Record? = nil, givenAt: Timestamp? = nil, key: String? = nil,
            holder: String? = nil, order: String? = nil, actor: Actor? = nil
        ) {
            self.name = name
            self.record = record
            self.givenAt = givenAt
            self.key = key
            self.holder = holder
            self.order = order
            self.actor = actor
        }
    }

    /// Declares the rows of a table.
    ///
    /// - Parameters:
    ///   - key: The key of the table whose row must exist in the restored store.
    ///   - parent: Returns the values of that key for a row; `nil` if rows need no such row.
    ///   - unique: Another key of the table, whose values only one row may have.
    ///   - uniqueValues: Returns the values of that key; `nil` if the row has none.
    ///   - slot: What only one row may have at a time; `nil` if there's no such thing.
    package init(
        _ kind: String, _ detail: RestoreAddition.Detail = .listed, under key: Key<Parent>,
        parent: (@Sendable (Row) -> [StoredValue])?,
        unique: Key<Row> = Row.table.key,
        uniqueValues: @escaping @Sendable (Row) -> [StoredValue]? = { _ in nil },
        slot: Slot? = nil,
        describe: @escaping @Sendable (Row) -> Description
    ) {
        self.kind = kind
        self.detail = detail
        self.parent = parent
        self.uniqueValues = uniqueValues
        self.slot = slot
        self.describe = describe
        plan = QueryPlan { query in
            Queries(
                copied: query.each(Row.table.key) { $0.flatMap(\.keyValues) },
                parents: query.each(key) { page in parent.map { page.flatMap($0) } ?? [] },
                taken: query.each(unique) { $0.compactMap(uniqueValues).flatMap(\.self) },
                occupants: slot?.occupants(&query))
        }
    }

    private struct Queries: Sendable {
        let copied: RowsQuery<Row>
        let parents: RowsQuery<Parent>
        let taken: RowsQuery<Row>
        let occupants: RowsQuery<Row>?
    }

    @Sendable func compare(
        _ comparison: RestoreComparison, _ tell: (RestoreAddition.Item) -> Void
    ) async throws(StoreError) -> StoreError? {
        var cursor: [StoredValue]? = []
        while let place = cursor {
            let page: [Row]
            do throws(StoreError) {
                page = try await comparison.later.list(
                    Listing(Row.table.all, after: place, limit: Self.pageSize))
            } catch {
                return error
            }
            if !page.isEmpty {
                for item in try await add(page, comparison) { tell(item) }
            }
            cursor = page.count == Self.pageSize ? page.last?.keyValues : nil
        }
        return nil
    }

    /// Adds what it can of a page, and returns all that was given.
    private func add(
        _ page: [Row], _ comparison: RestoreComparison
    ) async throws(StoreError) -> [RestoreAddition.Item] {
        let results = try await comparison.store.fetch(plan.bind(page))
        let copied = Self.byKey(results[plan.queries.copied])
        let parents = Dictionary(
            results[plan.queries.parents].map { ($0.keyValues, $0) }, uniquingKeysWith: { first, _ in first })
        let taken = Set(results[plan.queries.taken].compactMap(uniqueValues))
        var slots = slot.map { Slots($0, occupiedBy: plan.queries.occupants.map { results[$0] } ?? []) }
        var items: [RestoreAddition.Item] = []
        var additions: [Addition] = []
        for row in page {
            let before = copied[row.keyValues]
            if before == row || before == nil && !isGiven(row, comparison.now) { continue }
            let description = describe(row)
            let row = before.map { merge(row, into: $0, description.record, comparison) } ?? row
            guard row != before, var item = item(row, over: before, description, comparison) else { continue }
            guard comparison.isCarried else {
                items.append(item)
                continue
            }
            if let loss {
                item.obstacle = loss
                items.append(item)
                continue
            }
            if let parent {
                guard let found = parents[parent(row)] else {
                    item.obstacle = orphan(row)
                    if item.obstacle != nil { items.append(item) }
                    continue
                }
                guard fits(row, found) else { continue }
            }
            guard comparison.leftBehind.isDisjoint(with: records(row)) else { continue }
            item.obstacle = obstacle(row, item, taken, comparison)
            var writes = [RowWrite.put(row, over: before)]
            if item.obstacle == nil {
                do throws(Slots.Obstacle) { writes += try slots?.take(row) ?? [] } catch { item.obstacle = error.text }
            }
            if item.obstacle == nil { additions.append((item, writes)) } else { items.append(item) }
        }
        if !additions.isEmpty { items += try await save(additions, in: comparison.store) }
        return items
    }

    /// Describes what was given with a row; `nil` if the copied row stays.
    private func item(
        _ row: Row, over before: Row?, _ description: Description, _ comparison: RestoreComparison
    ) -> RestoreAddition.Item? {
        let events =
            (description.record.map { comparison.history.events(about: $0, without: comparison.earlier) } ?? [])
            .map(\.event)
        var acts = [added]
        if let before {
            if isSuccessor(row, comparison) {
                // Without events of its own, the store was perhaps made before the other one.
                guard description.record == nil || !events.isEmpty, mayFollow(before, row) else { return nil }
                acts = changes(before, row, events) ?? []
            } else {
                // Of several later stores, only the first may change what it hasn't recorded itself.
                let isOwn =
                    comparesStores || comparison.earlier.isEmpty || description.record == nil || !events.isEmpty
                guard isOwn, let changes = changes(before, row, events) else { return nil }
                acts = changes
            }
        }
        var event = events.first
        if before != nil { event = events.last { changeEvents.contains($0.kind) } ?? events.last }
        var item = RestoreAddition.Item(
            kind: kind, name: description.name, row: row.keyValues, record: description.record, isNew: before == nil,
            acts: acts)
        (item.key, item.holder, item.order) = (description.key, description.holder, description.order)
        item.actor = (event?.actor ?? (before == nil ? description.actor : nil))?.description
        item.at = event?.at ?? (before == nil ? description.givenAt : nil)
        return item
    }

    private func merge(
        _ row: Row, into restored: Row, _ record: EventsSince.Record?, _ comparison: RestoreComparison
    ) -> Row {
        guard let record else { return row }
        return merged(
            restored, row, comparison.history[record].map(\.event),
            comparison.others.flatMap { $0[record].map(\.event) })
    }

    /// Whether a row continues one that was added from an earlier store, which was restored into this one.
    private func isSuccessor(_ row: Row, _ comparison: RestoreComparison) -> Bool {
        !comparesStores && comparison.added.contains(row.keyValues)
    }

    private func obstacle(
        _ row: Row, _ item: RestoreAddition.Item, _ taken: Set<[StoredValue]>, _ comparison: RestoreComparison
    ) -> String? {
        if let until = comparison.until {
            if let at = item.at, at > until { return "it is later than \(until)" }
            if item.at == nil, !item.acts.isEmpty { return "when it changed isn't known" }
        }
        if !item.isNew, !comparesStores, !isSuccessor(row, comparison), let record = item.record,
            comparison.earlier.contains(where: { !$0[record].isEmpty })
        {
            return "another store has changed it, too"
        }
        if item.isNew, let values = uniqueValues(row), taken.contains(values) { return Self.isTaken }
        return comparison.fault(of: row, item.isNew ? item.record : nil)
    }

    private typealias Addition = (item: RestoreAddition.Item, writes: [RowWrite])
    private typealias Slots = Slot.Occupation

    private func save(
        _ additions: [Addition], in store: any Store
    ) async throws(StoreError) -> [RestoreAddition.Item] {
        do throws(StoreError) {
            try await save(additions.flatMap(\.writes), in: store)
            return additions.map(\.item)
        } catch {
            guard error.code == .taken else { throw error }
        }
        // One row of the page has a key that another row has; add the others.
        var items: [RestoreAddition.Item] = []
        for addition in additions {
            var item = addition.item
            do throws(StoreError) {
                try await save(addition.writes, in: store)
            } catch {
                guard error.code == .taken else { throw error }
                item.obstacle = Self.isTaken
            }
            items.append(item)
        }
        return items
    }

    private func save(_ writes: [RowWrite], in store: any Store) async throws(StoreError) {
        try await store.perform(Transaction { TransactionResult((), writes) })
    }

    private static func byKey(_ rows: [Row]) -> [[StoredValue]: Row] {
        Dictionary(rows.map { ($0.keyValues, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private static var isTaken: String { "another record has its key or reference" }
    private static var pageSize: Int { 500 }
}
