import TenureCore
import TenureStore

/// Compares a table of the later store page by page, and saves the changes for each page in one transaction.
struct CarriedRows<Row: Stored & Equatable, Parent: Stored>: Sendable {
    private let kind: String
    private let filter: [[Comparison]]
    private let parent: (@Sendable (Row) -> [StoredValue])?
    private let name: @Sendable (Row) -> String
    private let record: @Sendable (Row) -> EventsSince.Record?
    private let gone: (@Sendable (Row, Timestamp, Timestamp?) -> Row?)?
    var explained: @Sendable (_ copied: Row, _ later: Row, RecordChanges) -> RestoreExclusion.Explanation? = {
        _, _, _ in nil
    }
    private let decide: @Sendable (Row?, Row, RecordChanges) -> (Row, acts: [String])?
    private let plan: QueryPlan<[Row], (copied: RowsQuery<Row>, parents: RowsQuery<Parent>)>
    private let same: QueryPlan<[Row], RowsQuery<Row>>

    init(
        _ kind: String, _ filter: [[Comparison]], under key: Key<Parent>, parent: (@Sendable (Row) -> [StoredValue])?,
        _ name: @escaping @Sendable (Row) -> String, _ record: @escaping @Sendable (Row) -> EventsSince.Record?,
        _ gone: (@Sendable (Row, Timestamp, Timestamp?) -> Row?)?,
        _ decide: @escaping @Sendable (Row?, Row, RecordChanges) -> (Row, acts: [String])?
    ) {
        self.kind = kind
        self.filter = filter
        self.parent = parent
        self.name = name
        self.record = record
        self.gone = gone
        self.decide = decide
        same = QueryPlan(isAlone: Row.table.shape.changesAlone) { query in
            query.each(Row.table.key) { $0.flatMap(\.keyValues) }
        }
        plan = QueryPlan(isAlone: Row.table.shape.changesAlone) { query in
            (
                copied: query.each(Row.table.key) { $0.flatMap(\.keyValues) },
                parents: query.each(key) { page in parent.map { page.flatMap($0) } ?? [] }
            )
        }
    }

    @Sendable func carry(
        _ comparison: WithdrawalComparison, _ result: inout RestoreExclusion.Result
    ) async throws(StoreError) -> StoreError? {
        var cursor: [StoredValue]? = []
        while let position = cursor {
            let page: [Row]
            do throws(StoreError) {
                page = try await self.page(of: comparison.later, filter, after: position)
            } catch {
                return error
            }
            let saved = try await save(page, comparison)
            result.items += saved.items
            result.events.merge(saved.events) { $0.union($1) }
            cursor = Self.next(page)
        }
        guard let gone else { return nil }
        cursor = []
        while let position = cursor {
            let page = try await self.page(of: comparison.store, [], after: position)
            let existing: Set<[StoredValue]>
            do throws(StoreError) {
                let results = try await comparison.later.fetch(same.bind(page))
                existing = Set(results[same.queries].map(\.keyValues))
            } catch {
                return error
            }
            result.items += try await end(page.filter { !existing.contains($0.keyValues) }, comparison, gone)
            cursor = Self.next(page)
        }
        return nil
    }

    private func page(
        of store: any Store, _ filter: [[Comparison]], after cursor: [StoredValue]
    ) async throws(StoreError) -> [Row] {
        try await store.list(Listing(Row.table.all, where: filter, after: cursor, limit: Self.pageSize))
    }

    /// The key after which the next page starts; `nil` if the page is the last one.
    private static func next(_ page: [Row]) -> [StoredValue]? { page.count == pageSize ? page.last?.keyValues : nil }

    /// Ends rows that the later store has deleted.
    private func end(
        _ rows: [Row], _ comparison: WithdrawalComparison,
        _ gone: @escaping @Sendable (Row, Timestamp, Timestamp?) -> Row?
    ) async throws(StoreError) -> [RestoreExclusion.Item] {
        let (now, sharedUntil) = (comparison.now, comparison.sharedUntil)
        let ended = rows.filter { gone($0, now, sharedUntil) != nil }
        if ended.isEmpty { return [] }
        return try await comparison.store.perform(
            Transaction(same.bind(ended)) { results in
                let changes = results[same.queries].compactMap { row in gone(row, now, sharedUntil).map { (row, $0) } }
                let items = changes.map { row, _ in
                    RestoreExclusion.Item(kind: kind, name: name(row), act: "ended")
                }
                return TransactionResult(items, changes.map { .replace($0.0, by: $0.1) })
            })
    }

    /// Saves the changes for a page, unless no change is needed.
    ///
    /// If the store is in use, its own events are read after its rows and before the transaction. The transaction
    /// saves nothing if one of the rows has changed since.
    private func save(
        _ page: [Row], _ comparison: WithdrawalComparison
    ) async throws(StoreError) -> RestoreExclusion.Result {
        if page.isEmpty { return .init() }
        var attempts = ChangeAttempts()
        while true {
            let results = try await comparison.store.fetch(plan.bind(page))
            let own = try await comparison.own?.refresh()
            let (events, due) = outcome(of: page, results, own)
            if due.isEmpty { return events }
            let before = copied(in: results)
            let saved: RestoreExclusion.Result? = try await comparison.store.perform(
                Transaction(plan.bind(due.map(\.row))) { results in
                    let current = copied(in: results)
                    let rows = due.map(\.row)
                    if own != nil, rows.contains(where: { current[$0.keyValues] != before[$0.keyValues] }) {
                        return TransactionResult(nil)
                    }
                    var (result, due) = self.outcome(of: rows, results, own)
                    result.items = due.map(\.item)
                    return TransactionResult(result, due.map(\.save))
                })
            if var saved {
                saved.events.merge(events.events) { $0.union($1) }
                return saved
            }
            try attempts.count()
        }
    }

    private typealias Due = (row: Row, save: RowWrite, item: RestoreExclusion.Item)

    private func copied(in results: QueryResult) -> [[StoredValue]: Row] {
        Dictionary(results[plan.queries.copied].map { ($0.keyValues, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the events that explain the states of a page's rows, and the changes to save.
    private func outcome(
        of page: [Row], _ results: QueryResult, _ own: OwnHistory.Events?
    ) -> (RestoreExclusion.Result, due: [Due]) {
        let copied = copied(in: results)
        let parents = Set(results[plan.queries.parents].map(\.keyValues))
        var (result, due): (RestoreExclusion.Result, [Due]) = (.init(), [])
        for row in page {
            let before = copied[row.keyValues]
            let changes = own?.changes(of: record(row)) ?? .ofOldCopy
            if let before, let (record, kinds) = explained(before, row, changes), !kinds.isEmpty {
                result.events[record, default: []].formUnion(kinds)
            }
            guard let (after, acts) = decide(before, row, changes) else { continue }
            if before == nil, let parent, !parents.contains(parent(row)) { continue }
            let item = RestoreExclusion.Item(kind: kind, name: name(row), act: acts.joined(separator: ", "))
            due.append((row, .put(after, over: before), item))
        }
        return (result, due)
    }

    private static var pageSize: Int { 500 }
}

/// Limits the attempts to save rows of a store in use, whose rows may change before they're saved.
struct ChangeAttempts {
    private var left = 50

    /// Counts an attempt. Throws `.busy` when too many attempts have failed.
    mutating func count() throws(StoreError) {
        left -= 1
        guard left > 0 else {
            throw StoreError(.busy, "Servers change the same rows again and again. Repeat the command.")
        }
    }
}
