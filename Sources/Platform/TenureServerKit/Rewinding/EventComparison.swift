import TenureCore
import TenureStore

/// The result of comparing the remembered events with those of a database.
struct EventComparison {
    /// The id of the database's history (``HistoryID``); `nil` for a store without one.
    let id: String?
    /// The store's record of its losses; `nil` if it has no such record.
    let rewound: RewoundStore?
    /// The number of each tenant's last event.
    let last: [TenantID: Int64]
    /// The remembered events that the database lacks; empty if its history has another id.
    let lacking: Set<ConfirmedEvent>
    /// The numbers of the lacking events whose loss isn't recorded in the store yet.
    let lost: [TenantID: ClosedRange<Int64>]

    /// Compares the remembered events with those of the database, in one read. Reads at most once more for each tenant
    /// whose events the database lacks.
    init(of known: RememberedHistory, on connection: NewConnection) throws(StoreError) {
        let plan = Self.plan
        let results = try connection.fetch(plan.bind(known.events))
        let facts = plan.queries.facts(in: results)
        id = facts.id
        rewound = plan.queries.settings.rewound(in: results)
        last = facts.last
        guard case .lacking(let lacking) = HistoryComparison.outcome(of: known, in: facts) else {
            (lacking, lost) = ([], [:])
            return
        }
        self.lacking = lacking
        let restored = try Self.restorations(after: lacking, last: facts.last, on: connection)
        lost = HistoryComparison.lost(lacking, last: facts.last, restored: restored)
    }

    /// Returns the number of each tenant's last event `store.restored` above the first event that the store lacks.
    private static func restorations(
        after lacking: Set<ConfirmedEvent>, last: [TenantID: Int64], on connection: NewConnection
    ) throws(StoreError) -> [TenantID: Int64] {
        var restored: [TenantID: Int64] = [:]
        for (tenant, events) in Dictionary(grouping: lacking, by: \.tenant) {
            guard let first = events.map(\.number).min(), first < last[tenant] ?? 0 else { continue }
            let rows = try connection.rows(
                Listing(
                    EventRecord.ofTenant, [.of(tenant)], where: [[.equals("kind", EventKind.storeRestored)]],
                    after: [.of(tenant), .integer(first)], limit: 1_000
                ).shape)
            restored[tenant] = rows.last?.row(of: EventRecord.self)?.sequence
        }
        return restored
    }

    private static let plan = QueryPlan(for: [ConfirmedEvent].self) { query in FactQueries(&query) }

    private struct FactQueries: Sendable {
        let settings: HistorySettings
        let counters: RowsQuery<EventCounter>
        let events: RowsQuery<EventRecord>

        init(_ query: inout QueryBuilder<[ConfirmedEvent]>) {
            settings = HistorySettings(&query)
            counters = query.each(EventCounter.table.key) { events in Set(events.map(\.tenant)).map { .of($0) } }
            events = query.each(EventRecord.table.key) { events in
                events.flatMap { [.of($0.tenant), .integer($0.number)] }
            }
        }

        func facts(in results: QueryResult) -> HistoryComparison.StoreFacts {
            HistoryComparison.StoreFacts(
                id: settings.id(in: results),
                last: Dictionary(uniqueKeysWithValues: results[counters].map { ($0.tenant, $0.last) }),
                events: results[events].map { ConfirmedEvent($0) })
        }
    }
}
