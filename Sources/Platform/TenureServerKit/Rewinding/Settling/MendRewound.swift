import TenureCore
import TenureStore

/// Continues the event numbers of a store that returned to an older state, and records the loss.
///
/// Every tenant's next event is `store.restored`. Its number is a million above the highest one that is known, because
/// it's unknown how many were used. The versions of the catalog also increase by a million, so that every server reads
/// the catalog again. If several servers detect the loss, the first one does all this. The others only add the lost
/// events that they remember.
struct MendRewound: Sendable {
    /// The lost event numbers of each tenant.
    let lost: [TenantID: ClosedRange<Int64>]
    /// The number of each tenant's last event when the loss was detected.
    let last: [TenantID: Int64]
    let now: Timestamp

    /// The transaction, which returns the record of the whole loss.
    var transaction: Transaction<RewoundStore> {
        let plan = Self.plan
        return Transaction(plan.bind()) { results in decide(results, plan.queries) }
    }

    private func decide(_ results: QueryResult, _ queries: Queries) -> TransactionResult<RewoundStore> {
        let before = queries.settings.rewound(in: results)
        var record = before ?? RewoundStore(noticedAt: now, losses: [:])
        let counters = Dictionary(uniqueKeysWithValues: results[queries.counters].map { ($0.tenant, $0) })
        var saves: [RowWrite] = []
        let unrecorded = lost.filter { tenant, numbers in
            // No counter is read here, because a tenant that was itself lost has none.
            if before?.covers(numbers, of: tenant) == true {
                record.add(numbers, of: tenant, restored: numbers.upperBound + 1)
                return false
            }
            // Another server has skipped the numbers since the loss was detected.
            let skipped = (last[tenant] ?? 0) + Self.room
            guard let counter = counters[tenant]?.last, counter > skipped, counter > numbers.upperBound else {
                return true
            }
            record.add(numbers, of: tenant, restored: skipped + 1)
            return false
        }
        if !unrecorded.isEmpty {
            saves += skipNumbers(of: unrecorded, counters, adding: &record, results, queries)
            saves += skipVersions(results, queries)
        }
        if record != before { saves.append(.put(record.record, over: queries.settings.rewoundRow(in: results))) }
        return TransactionResult(record, saves)
    }

    private func skipNumbers(
        of lost: [TenantID: ClosedRange<Int64>], _ counters: [TenantID: EventCounter],
        adding record: inout RewoundStore, _ results: QueryResult, _ queries: Queries
    ) -> [RowWrite] {
        let newest = Dictionary(uniqueKeysWithValues: results[queries.newest].map { ($0.event.subject.tenant, $0) })
        var saves: [RowWrite] = []
        for tenant in results[queries.tenants].map(\.id) {
            let used = max(counters[tenant]?.last ?? 0, lost[tenant]?.upperBound ?? 0)
            let facts = newest[tenant].map { [Reason.Evidence("lastEventAt", .date($0.event.at))] } ?? []
            saves.append(.put(EventCounter(tenant: tenant, last: used + Self.room), over: counters[tenant]))
            saves.append(
                .event(Event(.storeRestored, at: now, actor: .server, about: .init(tenant: tenant), facts: facts)))
            if let numbers = lost[tenant] { record.add(numbers, of: tenant, restored: used + Self.room + 1) }
        }
        // A tenant whose creation was lost may be created again. Its events then start above this floor.
        let highest = (counters.values.map(\.last) + lost.values.map(\.upperBound)).max() ?? 0
        let floor = EventFloor(number: highest + Self.room)
        for (tenant, numbers) in lost where record.losses[tenant].map({ $0.numbers.upperBound }) != numbers.upperBound {
            record.add(numbers, of: tenant, restored: floor.number + 1)
        }
        let former = results[queries.floor]
        if floor.number > former.flatMap({ EventFloor($0)?.number }) ?? 0 {
            saves.append(.put(floor.record, over: former))
        }
        return saves
    }

    private func skipVersions(_ results: QueryResult, _ queries: Queries) -> [RowWrite] {
        let whole = results[queries.version].map { version -> RowWrite in
            .replace(version, by: CatalogVersion(version: version.version + Self.room))
        }
        let tenants = results[queries.versions].map { version -> RowWrite in
            .replace(version, by: TenantVersion(tenant: version.tenant, version: version.version + Self.room))
        }
        return [whole].compactMap(\.self) + tenants
    }

    /// How many event numbers and versions are skipped, because it's unknown how many of them were used.
    static let room: Int64 = 1_000_000

    private static let plan = QueryPlan(isAlone: true) { query in Queries(&query) }

    private struct Queries: Sendable {
        let settings: HistorySettings
        let floor: RowQuery<SettingRecord>
        let tenants: RowsQuery<TenantRow>
        let counters: RowsQuery<EventCounter>
        let newest: RowsQuery<EventRecord>
        let version: RowQuery<CatalogVersion>
        let versions: RowsQuery<TenantVersion>

        init(_ query: inout QueryBuilder<Void>) {
            settings = HistorySettings(&query)
            floor = query.row(SettingRecord.table.key, .constant(EventFloor.setting))
            tenants = query.rows(TenantRow.table.all, upTo: .everything)
            let counters = query.rows(EventCounter.table.all, upTo: .everything)
            self.counters = counters
            newest = query.each(
                EventRecord.table.key, .column("tenant", of: counters), .column("last", of: counters))
            version = query.row(CatalogVersion.table.key)
            versions = query.rows(TenantVersion.table.all, upTo: .everything)
        }
    }
}

extension Actor {
    /// A server, as the actor of changes that it makes because its store returned to an older state.
    static var server: Actor { Actor(Kind("server")) }
}
