package import TenureCore
package import TenureStore

/// Continues the event numbers of a restored store above all that may have been used, and records the restoration.
///
/// So clients that read events after the last one they saw miss none.
package struct ContinueEvents: Sendable {
    private let store: any Store

    /// Works on the restored store, before anything else writes to it.
    package init(in store: any Store) { self.store = store }

    /// The number of a store's last event; `nil` if it has no events.
    ///
    /// Throws `StoreError`.
    package static func last(of store: any Reading) async throws(StoreError) -> Int64? {
        try await store.list(Listing(EventRecord.table.all, isBackwards: true, limit: 1)).first?.sequence
    }

    /// Records `store.restored` for each tenant, the first one above all used numbers.
    ///
    /// Returns that number. The events are durable before this returns. Throws `StoreError`.
    ///
    /// - Parameter later: The last number that the replaced store used. If it's `nil`, the numbers continue after a gap
    ///   of a million.
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
    /// A copy was restored in the store's place.
    package static let storeRestored = EventKind(
        "store.restored",
        "A copy of the store was put in its place. What happened after the copy was made is not among the events; ask for "
            + "the state of what matters to you.",
        facts: [.date("lastEventAt").optional], since: "0.2")

    /// The kinds of events about the store as a whole.
    package static let stores: [EventKind] = [.storeRestored]
}
