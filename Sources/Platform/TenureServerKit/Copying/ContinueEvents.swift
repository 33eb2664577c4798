package import TenureCore
package import TenureStore

/// Makes a restored store's event numbers continue above every number that may have been used, and records the restore.
///
/// Otherwise, clients that read events after the last number they saw would miss new events.
package struct ContinueEvents: Sendable {
    private let store: any Store

    /// Creates the operation for a restored store, before anything else writes to it.
    package init(in store: any Store) { self.store = store }

    /// Returns the number of a store's last event; `nil` if it has no events.
    ///
    /// Throws `StoreError`.
    package static func last(of store: any Reading) async throws(StoreError) -> Int64? {
        try await store.list(Listing(EventRecord.table.all, isBackwards: true, limit: 1)).first?.sequence
    }

    /// Records an event `store.restored` for each tenant, with consecutive numbers above every used one.
    ///
    /// Returns the first of these numbers. The events are durable before this returns. Throws `StoreError`.
    ///
    /// - Parameter later: The last event number of the replaced store. If it's unknown (`nil`), this skips a million
    ///   numbers after the restored store's last one.
    package func callAsFunction(
        after later: Int64?, at now: Timestamp, by actor: Actor
    ) async throws(StoreError) -> Int64 {
        let own = try await Self.last(of: store) ?? 0
        let first = later.map { max($0, own) + 1 } ?? own + Self.room + 1
        let tenants = try await store.all(TenantRow.table.all)
        var events: [EventRecord] = []
        for (place, tenant) in tenants.enumerated() {
            let last = try await store.list(
                Listing(EventRecord.ofTenant, [.of(tenant.id)], isBackwards: true, limit: 1)
            ).first
            let facts = last.map { [Reason.Evidence("lastEventAt", .date($0.event.at))] } ?? []
            let event = Event(.storeRestored, at: now, actor: actor, about: .init(tenant: tenant.id), facts: facts)
            events.append(EventRecord(sequence: first + Int64(place), event: event))
        }
        try await store.adopt(events.map(\.stored), of: EventRecord.table.shape)
        return first
    }

    private static let room: Int64 = 1_000_000
}

extension EventKind {
    /// A backup replaced the store.
    package static let storeRestored = EventKind(
        "store.restored",
        "A copy of the store was put in its place. What happened after the copy was made is not among the events; ask for "
            + "the state of what matters to you.",
        facts: [.date("lastEventAt").optional], since: "0.2")

    /// The kinds of events about the store as a whole.
    package static let stores: [EventKind] = [.storeRestored]
}
