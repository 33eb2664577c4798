package import TenureCore
package import TenureStore

/// What restoring a backup copy of the store must not bring back, such as licenses revoked since the copy was made.
///
/// To prevent this, such changes are carried over from the replaced store, called the later store here, to the restored
/// one. A feature declares one exclusion for each table that needs it.
package struct RestoreExclusion: Sendable {
    /// A record to which a change was carried over.
    package struct Item: Sendable, Hashable {
        /// The kind of record, such as `license`.
        package let kind: String
        /// The record's name for operators.
        package let name: String
        /// What happened to the record after the copy was made, such as `revoked`.
        package let act: String

        package init(kind: String, name: String, act: String) {
            self.kind = kind
            self.name = name
            self.act = act
        }
    }

    /// What was carried over.
    package struct Result: Sendable, Hashable {
        /// The changed records.
        package var items: [Item] = []
        /// The kinds of the later store's events that explain the state of a record in the restored store.
        package var events: [EventsSince.Record: Set<EventKind>] = [:]

        package init() {}
    }

    /// The record of a row's events, and the kinds of those that explain its state.
    package typealias Explanation = (record: EventsSince.Record, kinds: Set<EventKind>)

    /// The kind of record, such as `license`.
    package let kind: String

    /// Carries over changes from the later store to the restored one, and adds each to the result after it's saved.
    ///
    /// Returns the error if the later store can't be read completely; throws errors of the restored store.
    package let carry:
        @Sendable (_ later: any Store, _ store: any Store, _ now: Timestamp, _ result: inout Result)
            async throws(StoreError) -> StoreError?

    /// Declares an exclusion with a custom function; see ``carry``.
    package init(
        _ kind: String,
        carry:
            @escaping @Sendable (any Store, any Store, Timestamp, inout Result) async throws(StoreError) ->
            StoreError?
    ) {
        self.kind = kind
        self.carry = carry
    }

    /// Declares an exclusion for rows that both stores contain, and for rows that the later store has deleted.
    ///
    /// - Parameters:
    ///   - filter: The conditions for the later store's rows to compare; empty for all rows.
    ///   - name: Returns a row's name for operators.
    ///   - gone: Returns the new state of a restored row that the later store has deleted; `nil` for no change.
    ///   - explained: Returns which of the later store's events explain the row's state; `nil` if none does.
    ///   - decide: Returns the new state of a restored row and what happened, given the later store's row with the same
    ///     key; `nil` for no change.
    package init<Row: Stored>(
        _ kind: String, of _: Row.Type, where filter: [[Comparison]] = [],
        named name: @escaping @Sendable (Row) -> String,
        gone: (@Sendable (_ copied: Row, _ now: Timestamp) -> Row?)? = nil,
        explained: @escaping @Sendable (_ copied: Row, _ later: Row) -> Explanation? = { _, _ in nil },
        decide: @escaping @Sendable (_ copied: Row, _ later: Row) -> (Row, acts: [String])?
    ) {
        var rows = CarriedRows(kind, filter, under: TenantRow.table.key, parent: nil, name, gone) { copied, later in
            copied.flatMap { decide($0, later) }
        }
        rows.explained = explained
        self.init(kind, carry: rows.carry)
    }

    /// Declares an exclusion for rows that the copy may lack, such as keys that no longer work.
    ///
    /// A missing row is added only if the restored store has its parent row.
    ///
    /// - Parameters:
    ///   - key: The key of the parent table.
    ///   - parent: Returns the key of a row's parent.
    ///   - name: Returns a row's name for operators.
    ///   - decide: Returns the new state of the restored row, which is `nil` if it's missing, and what happened, given
    ///     the later store's row; `nil` for no change.
    package init<Row: Stored, Parent: Stored>(
        adding kind: String, of _: Row.Type, under key: Key<Parent>, parent: @escaping @Sendable (Row) -> [StoredValue],
        named name: @escaping @Sendable (Row) -> String,
        decide: @escaping @Sendable (_ copied: Row?, _ later: Row) -> (Row, acts: [String])?
    ) {
        self.init(kind, carry: CarriedRows(kind, [], under: key, parent: parent, name, nil, decide).carry)
    }
}

/// Reads the later store's table page by page and saves each page's changes in one transaction.
private struct CarriedRows<Row: Stored, Parent: Stored>: Sendable {
    private let kind: String
    private let filter: [[Comparison]]
    private let parent: (@Sendable (Row) -> [StoredValue])?
    private let name: @Sendable (Row) -> String
    private let gone: (@Sendable (Row, Timestamp) -> Row?)?
    var explained: @Sendable (_ copied: Row, _ later: Row) -> RestoreExclusion.Explanation? = { _, _ in nil }
    private let decide: @Sendable (Row?, Row) -> (Row, acts: [String])?
    private let plan: QueryPlan<[Row], (copied: RowsQuery<Row>, parents: RowsQuery<Parent>)>
    private let same: QueryPlan<[Row], RowsQuery<Row>>

    init(
        _ kind: String, _ filter: [[Comparison]], under key: Key<Parent>, parent: (@Sendable (Row) -> [StoredValue])?,
        _ name: @escaping @Sendable (Row) -> String, _ gone: (@Sendable (Row, Timestamp) -> Row?)?,
        _ decide: @escaping @Sendable (Row?, Row) -> (Row, acts: [String])?
    ) {
        self.kind = kind
        self.filter = filter
        self.parent = parent
        self.name = name
        self.gone = gone
        self.decide = decide
        same = QueryPlan { query in query.each(Row.table.key) { $0.flatMap(\.keyValues) } }
        plan = QueryPlan(isAlone: Row.table.shape.changesAlone) { query in
            (
                copied: query.each(Row.table.key) { $0.flatMap(\.keyValues) },
                parents: query.each(key) { page in parent.map { page.flatMap($0) } ?? [] }
            )
        }
    }

    @Sendable func carry(
        _ later: any Store, _ store: any Store, _ now: Timestamp, _ result: inout RestoreExclusion.Result
    ) async throws(StoreError) -> StoreError? {
        var cursor: [StoredValue]? = []
        while let place = cursor {
            let page: [Row]
            do throws(StoreError) { page = try await self.page(of: later, filter, after: place) } catch { return error }
            let saved = try await save(page, in: store)
            result.items += saved.items
            result.events.merge(saved.events) { $0.union($1) }
            cursor = Self.next(page)
        }
        guard let gone else { return nil }
        cursor = []
        while let place = cursor {
            let page = try await self.page(of: store, [], after: place)
            let kept: Set<[StoredValue]>
            do throws(StoreError) {
                let results = try await later.fetch(same.bind(page))
                kept = Set(results[same.queries].map(\.keyValues))
            } catch {
                return error
            }
            let ended = page.filter { !kept.contains($0.keyValues) }.compactMap { row in
                gone(row, now).map { (row, $0) }
            }
            if !ended.isEmpty {
                try await store.perform(Transaction { TransactionResult((), ended.map { .replace($0.0, by: $0.1) }) })
                result.items += ended.map { row, _ in
                    RestoreExclusion.Item(kind: kind, name: name(row), act: "ended")
                }
            }
            cursor = Self.next(page)
        }
        return nil
    }

    private func page(
        of store: any Store, _ filter: [[Comparison]], after cursor: [StoredValue]
    ) async throws(StoreError) -> [Row] {
        try await store.list(Listing(Row.table.all, where: filter, after: cursor, limit: Self.pageSize))
    }

    /// The key after which the next page starts; `nil` after the last page.
    private static func next(_ page: [Row]) -> [StoredValue]? { page.count == pageSize ? page.last?.keyValues : nil }

    /// Reads first whether a page needs a change, because most pages don't need a transaction.
    private func save(_ page: [Row], in store: any Store) async throws(StoreError) -> RestoreExclusion.Result {
        if page.isEmpty { return .init() }
        let bound = plan.bind(page)
        let outcome = try await outcome(of: page, store.fetch(bound))
        if outcome.saves.isEmpty { return outcome.answer }
        return try await store.perform(Transaction(bound) { results in self.outcome(of: page, results) })
    }

    private func outcome(of page: [Row], _ results: QueryResult) -> TransactionResult<RestoreExclusion.Result> {
        let copied = Dictionary(
            results[plan.queries.copied].map { ($0.keyValues, $0) }, uniquingKeysWith: { first, _ in first })
        let parents = Set(results[plan.queries.parents].map(\.keyValues))
        var (result, saves): (RestoreExclusion.Result, [RowWrite]) = (.init(), [])
        for row in page {
            let before = copied[row.keyValues]
            if let before, let (record, kinds) = explained(before, row), !kinds.isEmpty {
                result.events[record, default: []].formUnion(kinds)
            }
            guard let (after, acts) = decide(before, row) else { continue }
            if before == nil, let parent, !parents.contains(parent(row)) { continue }
            saves.append(.put(after, over: before))
            result.items.append(.init(kind: kind, name: name(row), act: acts.joined(separator: ", ")))
        }
        return TransactionResult(result, saves)
    }

    private static var pageSize: Int { 500 }
}
