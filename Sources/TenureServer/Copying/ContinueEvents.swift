package import TenureCore
import TenureServerKit
package import TenureStore

/// Lets the events of a store that was put back go on above every number that may have been given, so that whoever asks
/// for those after the last one they saw misses none; and records that the store was put back.
package struct ContinueEvents: Sendable {
    private let store: any Store

    /// Works on the store that is put back, before anybody else does.
    package init(in store: any Store) { self.store = store }

    /// The number of the last event of a store; nil without any. Throws `StoreError`.
    package static func last(of store: any Reading) async throws(StoreError) -> Int64? {
        try await store.list(Listing(EventRecord.table.all, isBackwards: true, limit: 1)).first?.sequence
    }

    /// Records `store.restored` for each tenant, the first with the number after all that were given; durable before this
    /// returns. Answers that number. Throws `StoreError`.
    /// - Parameter later: The last number that the replaced store gave; nil when nobody knows: then the numbers leave room
    ///   for a million.
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
    /// A copy was put in the store's place.
    static let storeRestored = EventKind(
        "store.restored",
        "A copy of the store was put in its place. What happened after the copy was made is not among the events; ask for "
            + "the state of what matters to you.",
        facts: [.date("lastEventAt").optional], since: "0.2")

    /// Those of the store as a whole.
    static let stores: [EventKind] = [.storeRestored]
}
