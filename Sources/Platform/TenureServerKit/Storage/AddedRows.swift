package import TenureCore
package import TenureStore

/// The rows of a table that a restored copy lacks, or that grant less in the copy than in a later store.
package struct AddedRows<Row: Stored & Equatable, Parent: Stored>: Sendable {
    let kind: String
    let detail: RestoreAddition.Detail
    private let plan: QueryPlan<[Row], Queries>
    private let parent: (@Sendable (Row) -> [StoredValue])?
    private let uniqueValues: @Sendable (Row) -> [StoredValue]?
    private let slot: Slot?

    /// Describes a row for operators.
    package var describe: @Sendable (Row) -> Description
    /// Returns the reason why a row can't be added if the restored store lacks its parent; `nil` to leave the row out
    /// without a report.
    package var orphan: @Sendable (Row) -> String? = { _ in nil }
    /// Returns whether a row agrees with its parent in the restored store. Otherwise, the row is left out without a
    /// report.
    package var fits: @Sendable (Row, Parent) -> Bool = { _, _ in true }
    /// Returns the numbers of the records that a row refers to. If one of them wasn't carried over, the row is left
    /// out without a report.
    package var records: @Sendable (Row) -> [Int64] = { _ in [] }
    /// The act that a report names for a new row.
    package var added = "issued"
    /// Returns whether a row that the copy lacks is reported and, if possible, added. Otherwise, the row is left out
    /// without a report.
    package var isGiven: @Sendable (Row, _ now: Timestamp) -> Bool = { _, _ in true }
    /// The reason why rows of this table are never carried over; `nil` if they are.
    package var loss: String?
    /// Returns the row to add for a row that the copy lacks.
    package var adopted: @Sendable (Row, _ now: Timestamp) -> Row = { row, _ in row }
    /// Returns the acts by which a later row grants more than the copied one. Empty if only other parts changed; `nil`
    /// to leave the copied row unchanged.
    ///
    /// `events` are the later store's events about the row.
    package var changes: @Sendable (_ copied: Row, _ later: Row, _ events: [Event]) -> [String]? = { _, _, _ in nil }
    /// Returns whether a later store's row may replace `added`, a row with the same key that was added from a store
    /// that was compared before.
    package var mayFollow: @Sendable (_ added: Row, _ row: Row) -> Bool = { _, _ in true }
    /// Returns the later row without changes that would undo another store's withdrawal of the restored row.
    ///
    /// `events` are the events about the row in its own store, and `others` those in all other stores.
    package var merged: @Sendable (_ restored: Row, _ later: Row, _ events: [Event], _ others: [Event]) -> Row = {
        _, later, _, _ in later
    }
    /// Returns a row after copying the values that no event records from `other`, which is another store's state of the
    /// same row.
    package var joined: @Sendable (_ row: Row, _ other: Row) -> Row = { row, _ in row }
    /// The kinds of events that record changes of a row.
    package var changeEvents: Set<EventKind> = []
    /// The kinds of further events whose changes are reported as lost if a store in use has changed the row, too.
    package var replacementEvents: Set<EventKind> = []
    /// The kind of event that each record has once, from its creation; `nil` if a store can't create the same record
    /// again.
    package var creationEvent: EventKind?
    /// The kinds of events about a row that don't change it.
    package var unrelatedEvents: Set<EventKind> = []
    /// Whether ``changes`` decides between the states of several later stores. Otherwise, the first store's state is
    /// used.
    package var comparesStores = false

    /// The description of a row for operators.
    package struct Description: Sendable {
        let name: String
        let record: EventsSince.Record?
        let givenAt: Timestamp?
        let key: String?
        let holder: String?
        let order: String?
        let actor: Actor?

        /// Describes a row.
        ///
        /// - Parameters:
        ///   - record: The record that the row's events are about; `nil` if it has no events.
        ///   - givenAt: The time at which the row was created.
        ///   - actor: The actor who creates such rows, if no event names one.
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
    ///   - key: The key of the parent table. A row's parent must exist in the restored store.
    ///   - parent: Returns the values of the parent's key for a row; `nil` if rows need no parent.
    ///   - unique: Another key of the table, whose values only one row may have.
    ///   - uniqueValues: Returns a row's values of `unique`; `nil` if the row has none.
    ///   - slot: A value that only one row may have at a time; `nil` for rows without such a value.
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
                existing: query.each(unique) { $0.compactMap(uniqueValues).flatMap(\.self) },
                occupants: slot?.occupants(&query))
        }
    }

    private struct Queries: Sendable {
        let copied: RowsQuery<Row>
        let parents: RowsQuery<Parent>
        let existing: RowsQuery<Row>
        let occupants: RowsQuery<Row>?
    }

    @Sendable func compare(
        _ comparison: RestoreComparison, _ tell: (RestoreAddition.Item) -> Void
    ) async throws(StoreError) -> StoreError? {
        var cursor: [StoredValue]? = []
        while let position = cursor {
            let page: [Row]
            do throws(StoreError) {
                page = try await comparison.later.list(
                    Listing(Row.table.all, after: position, limit: Self.pageSize))
            } catch {
                return error
            }
            if !page.isEmpty {
                for item in try await add(page, to: comparison) { tell(item) }
            }
            cursor = page.count == Self.pageSize ? page.last?.keyValues : nil
        }
        return nil
    }

    /// Adds the rows of a page that can be added, and returns the records that the later store issued or changed.
    ///
    /// If the store is in use, its own events are read after its rows and before the transaction. The transaction
    /// saves nothing if one of the rows has changed since.
    private func add(
        _ page: [Row], to comparison: RestoreComparison
    ) async throws(StoreError) -> [RestoreAddition.Item] {
        var comparison = comparison
        var attempts = ChangeAttempts()
        while true {
            let results = try await comparison.store.fetch(plan.bind(page))
            comparison.own = try await comparison.ownHistory?.refresh()
            let (items, additions) = decide(page, results, comparison)
            if additions.isEmpty { return items }
            if let saved = try await save(additions, of: Self.byKey(results[plan.queries.copied]), comparison) {
                let rows = Set(additions.map(\.row.keyValues))
                return items.filter { !rows.contains($0.row) } + saved
            }
            try attempts.count()
        }
    }

    /// Decides which rows of a page are only reported, and which are added.
    private func decide(
        _ page: [Row], _ results: QueryResult, _ comparison: RestoreComparison
    ) -> (items: [RestoreAddition.Item], additions: [Addition]) {
        let copied = Self.byKey(results[plan.queries.copied])
        let parents = Dictionary(
            results[plan.queries.parents].map { ($0.keyValues, $0) }, uniquingKeysWith: { first, _ in first })
        let existing = Set(results[plan.queries.existing].compactMap(uniqueValues))
        var slots = slot.map { Slots($0, occupiedBy: plan.queries.occupants.map { results[$0] } ?? []) }
        var items: [RestoreAddition.Item] = []
        var additions: [Addition] = []
        for row in page {
            let before = copied[row.keyValues]
            if before == nil && !isGiven(row, comparison.now) { continue }
            let description = describe(row)
            if let own = comparison.own, let record = description.record,
                let decided = keep(row, over: before, description, record, after: own)
            {
                items += decided.items
                additions += decided.additions
                continue
            }
            if before == row { continue }
            let row =
                before.map { merge(row, into: $0, description.record, comparison) } ?? adopted(row, comparison.now)
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
                    item.isOrphan = item.obstacle != nil
                    if item.isOrphan { items.append(item) }
                    continue
                }
                guard fits(row, found) else { continue }
            }
            guard comparison.leftBehind.isDisjoint(with: records(row)) else { continue }
            item.obstacle = obstacle(row, item, existing, comparison)
            var writes = [RowWrite.put(row, over: before)]
            if item.obstacle == nil {
                do throws(Slots.Obstacle) { writes += try slots?.take(row) ?? [] } catch { item.obstacle = error.text }
            }
            if item.obstacle == nil { additions.append((row, item, writes)) } else { items.append(item) }
        }
        return (items, additions)
    }

    /// Decides whether a store in use keeps its own state of a row. Returns `nil` if the later store's row is used
    /// instead.
    ///
    /// The row stays if the store in use has changed or removed it, or if the later store recorded no change of it.
    /// With ``comparesStores``, a row that both stores have stays only if both conditions hold.
    private func keep(
        _ row: Row, over before: Row?, _ description: Description, _ record: EventsSince.Record,
        after own: OwnHistory.Events
    ) -> (items: [RestoreAddition.Item], additions: [Addition])? {
        let isChangedHere = own.own(about: record).contains { !unrelatedEvents.contains($0.event.kind) }
        let missing = own.missing(about: record).map(\.event).filter { !unrelatedEvents.contains($0.kind) }
        func item(_ acts: [String], obstacle: String? = nil) -> RestoreAddition.Item {
            var item = RestoreAddition.Item(
                kind: kind, name: description.name, row: row.keyValues, record: record, isNew: before == nil,
                acts: acts)
            (item.key, item.holder, item.order) = (description.key, description.holder, description.order)
            (item.actor, item.at, item.obstacle) = (missing.last?.actor.description, missing.last?.at, obstacle)
            return item
        }
        guard let before else {
            return isChangedHere ? ([item([added], obstacle: "it was removed here since")], []) : nil
        }
        if before == row {
            // If an earlier run of the command was interrupted, the events of a row that it carried over may be
            // missing.
            return (isChangedHere || missing.isEmpty ? [] : [item([])], [])
        }
        if missing.isEmpty ? comparesStores && !isChangedHere : comparesStores || !isChangedHere { return nil }
        let changes = missing.filter { changeEvents.contains($0.kind) || replacementEvents.contains($0.kind) }
        var items: [RestoreAddition.Item] = []
        if !changes.isEmpty {
            items.append(item(changes.map(\.kind.lastWord), obstacle: "it was changed here since, too"))
        }
        let joined = joined(before, row)
        if joined == before { return (items, []) }
        var silent = item([])
        silent.isExplained = false
        return (items, [(row, silent, [.put(joined, over: before)])])
    }

    /// Describes a row that the later store issued or changed; `nil` if the copied row stays.
    private func item(
        _ row: Row, over before: Row?, _ description: Description, _ comparison: RestoreComparison
    ) -> RestoreAddition.Item? {
        let events =
            (description.record.map { comparison.history.events(about: $0, without: comparison.earlier) } ?? [])
            .map(\.event)
        var acts = [added]
        if let before {
            if isSuccessor(row, comparison) {
                // If a store has no events about the row, its row may be older than the row from the other store.
                guard description.record == nil || !events.isEmpty, mayFollow(before, row) else { return nil }
                acts = changes(before, row, events) ?? []
            } else {
                // If there are several later stores, only the first one may change a row that it has no events about.
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
        let others = comparison.own.map { [$0.own(about: record)] } ?? comparison.others.map { $0[record] }
        let merged = merged(
            restored, row, comparison.history[record].map(\.event), others.flatMap { $0.map(\.event) })
        return comparison.own == nil ? merged : joined(merged, restored)
    }

    /// Whether a row has the key of a row that was added from an earlier store, and is therefore a later state of that
    /// row.
    private func isSuccessor(_ row: Row, _ comparison: RestoreComparison) -> Bool {
        !comparesStores && comparison.added.contains(row.keyValues)
    }

    private func obstacle(
        _ row: Row, _ item: RestoreAddition.Item, _ existing: Set<[StoredValue]>, _ comparison: RestoreComparison
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
        if item.isNew, let values = uniqueValues(row), existing.contains(values) { return Self.isTaken }
        if item.isNew, let number = item.record?.number, comparison.repeatedHere.contains(number) {
            return "its request was repeated and carried out here since"
        }
        return comparison.fault(of: row, item.isNew ? item.record : nil)
    }

    private typealias Addition = (row: Row, item: RestoreAddition.Item, writes: [RowWrite])
    private typealias Slots = Slot.Occupation

    /// Saves additions in one transaction; `nil` if one of their rows was added, changed or removed in the meantime.
    private func save(
        _ additions: [Addition], of before: [[StoredValue]: Row], _ comparison: RestoreComparison
    ) async throws(StoreError) -> [RestoreAddition.Item]? {
        let rows = additions.map(\.row)
        do throws(StoreError) {
            return try await comparison.store.perform(
                Transaction(plan.bind(rows)) { results in
                    let current = Self.byKey(results[plan.queries.copied])
                    if rows.contains(where: { current[$0.keyValues] != before[$0.keyValues] }) {
                        return TransactionResult(nil)
                    }
                    let (items, additions) = decide(rows, results, comparison)
                    return TransactionResult(items + additions.map(\.item), additions.flatMap(\.writes))
                })
        } catch {
            guard error.code == .taken else { throw error }
        }
        guard additions.count > 1 else {
            return additions.map { addition in
                var item = addition.item
                item.obstacle = Self.isTaken
                return item
            }
        }
        // One addition has a key that another row has, so each addition is tried separately.
        var items: [RestoreAddition.Item] = []
        for addition in additions {
            guard let saved = try await save([addition], of: before, comparison) else { return nil }
            items += saved
        }
        return items
    }

    private static func byKey(_ rows: [Row]) -> [[StoredValue]: Row] {
        Dictionary(rows.map { ($0.keyValues, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private static var isTaken: String { "another record has its key or reference" }
    private static var pageSize: Int { 500 }
}

extension EventKind {
    /// The last part of the kind's name, such as `renewed` for `license.renewed`.
    fileprivate var lastWord: String { text.split(atByte: ".").last.map(String.init) ?? text }
}
