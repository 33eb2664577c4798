package import TenureCore
package import TenureStore

/// Makes a restored store's event numbers continue above every number that may have been used, and records the
/// restore.
///
/// Otherwise, clients that read events after the last number that they saw would miss new events.
package struct ContinueEvents: Sendable {
    private let store: any Store

    /// Creates the operation for a restored store. Run the operation before anything else writes to the store.
    package init(in store: any Store) { self.store = store }

    /// The number of each tenant's newest event.
    package typealias Numbers = [TenantID: Int64]

    /// Returns the number of each tenant's last event; a tenant without events is left out.
    package static func last<Records: Reading>(of store: Records) async throws(Records.Failure) -> Numbers {
        Dictionary(uniqueKeysWithValues: try await EventCounter.all(in: store).map { ($0.tenant, $0.last) })
    }

    /// Records an event `store.restored` for each tenant, with a number above every number that the tenant has used.
    ///
    /// Returns the numbers of these events, which are durable before this returns. Throws `StoreError`.
    ///
    /// - Parameter later: The last event numbers of the replaced store. If they are unknown (`nil`), this skips a
    ///   million numbers after each tenant's last one.
    package func recordRestore(
        after later: Numbers?, at now: Timestamp, by actor: Actor
    ) async throws(StoreError) -> Numbers {
        let own = try await Self.last(of: store)
        let tenants = try await store.all(TenantRow.table.all).map(\.id)
        var first: Numbers = [:]
        var events: [EventRecord] = []
        // The replaced store may have tenants that the copy lacks. If such a tenant is created again, its events
        // continue, too.
        for tenant in Set(tenants).union((later ?? [:]).keys).sorted() {
            let last = own[tenant] ?? 0
            let number = later.map { max($0[tenant] ?? 0, last) + 1 } ?? last + Self.room + 1
            let newest = try await store.list(Listing(EventRecord.ofTenant, [.of(tenant)], isBackwards: true, limit: 1))
            let facts = newest.first.map { [Reason.Evidence("lastEventAt", .date($0.event.at))] } ?? []
            let event = Event(.storeRestored, at: now, actor: actor, about: .init(tenant: tenant), facts: facts)
            events.append(EventRecord(sequence: number, event: event))
            first[tenant] = number
        }
        if later == nil {
            let floor = EventFloor(number: (own.values.max() ?? 0) + Self.room)
            try await store.adopt([floor.record.stored], of: SettingRecord.table.shape)
        }
        // The counters are written first: after a crash before the events are written, numbers still continue above
        // all used ones.
        try await store.adopt(
            events.map { EventCounter(tenant: $0.event.subject.tenant, last: $0.sequence).stored },
            of: EventCounter.table.shape)
        try await store.adopt(events.map(\.stored), of: EventRecord.table.shape)
        return first
    }

    private static let room: Int64 = 1_000_000
}

extension EventKind {
    /// The event that records that a backup replaced the store, or that the database returned to an older state.
    package static let storeRestored = EventKind(
        "store.restored",
        "A copy of the store was put in its place, or the database returned to an older state. What happened after that "
            + "state is not among the events; ask for the state of what matters to you. If records were taken over from "
            + "the replaced store, their events follow once more, with their former dates.",
        facts: [.date("lastEventAt").optional], since: "0.2")

    /// The kinds of events about the store as a whole.
    package static let stores: [EventKind] = [.storeRestored]
}
