package import TenureCore
package import TenureStore

/// The events that a store and another state of the store have in common, and those that only the other state has.
///
/// For each tenant, both states have the same events up to some number. Above it, each state has its own events.
package struct SharedHistory: Sendable, Hashable {
    /// The number of each tenant's last common event. Tenants without a common event are left out.
    package private(set) var last: ContinueEvents.Numbers = [:]
    /// The time of the latest common event; `nil` if the states have no event in common.
    package private(set) var sharedUntil: Timestamp?
    /// The event numbers above the last common event that the other state has used, by tenant.
    package private(set) var missing: [TenantID: ClosedRange<Int64>] = [:]

    /// Compares the newest events of both states first, because most tenants lack no events. Searches only if the
    /// newest events differ.
    ///
    /// - Parameters:
    ///   - other: The state that may have events that the store lacks.
    ///   - store: The store in use.
    package static func find(in other: any Store, and store: any Store) async throws(StoreError) -> SharedHistory {
        var shared = SharedHistory()
        let counters = try await EventCounter.all(in: other)
        let own = try await ContinueEvents.last(of: store)
        for start in stride(from: 0, to: counters.count, by: 500) {
            let page = Array(counters[start...].prefix(500))
            let (theirs, ours) = (try await newest(page, in: other), try await newest(page, in: store))
            for counter in page {
                if let event = theirs[counter.tenant], event == ours[counter.tenant] {
                    shared.add(event)
                } else {
                    try await shared.search(counter, upTo: own[counter.tenant] ?? 0, in: other, and: store)
                }
            }
        }
        return shared
    }

    private mutating func add(_ event: EventRecord) {
        last[event.event.subject.tenant] = event.sequence
        sharedUntil = max(sharedUntil ?? event.event.at, event.event.at)
    }

    private mutating func search(
        _ counter: EventCounter, upTo own: Int64, in other: any Store, and store: any Store
    ) async throws(StoreError) {
        var search = SharedEventSearch(upTo: min(counter.last, own))
        var found: EventRecord?
        while let number = search.probe {
            let event = try await other.list(
                Listing(
                    EventRecord.ofTenant, [.of(counter.tenant)], after: [.of(counter.tenant), .integer(number + 1)],
                    isBackwards: true, limit: 1)
            ).first
            let isShared: Bool
            if let event {
                let newest = EventCounter(tenant: counter.tenant, last: event.sequence)
                isShared = try await Self.newest([newest], in: store)[counter.tenant] == event
                if isShared { found = event }
            } else {
                isShared = false
            }
            search.take(event?.sequence, isShared: isShared)
        }
        if let found { add(found) }
        let first = (found?.sequence ?? 0) + 1
        if counter.last >= first { missing[counter.tenant] = first...counter.last }
    }

    /// Returns the last event of each counter's tenant, if the store has it.
    private static func newest(
        _ counters: [EventCounter], in store: any Store
    ) async throws(StoreError) -> [TenantID: EventRecord] {
        let results = try await store.fetch(events.bind(counters))
        return Dictionary(
            results[events.queries].map { ($0.event.subject.tenant, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private static let events = QueryPlan(for: [EventCounter].self) { query in
        query.each(EventRecord.table.key) { $0.flatMap { [.of($0.tenant), .integer($0.last)] } }
    }
}

/// Searches for the number of the last event that two states of a store share, in few steps.
///
/// Event numbers may have gaps. The search first goes down in growing steps, because usually only few events are
/// missing. Then it bisects the remaining numbers.
struct SharedEventSearch: Sendable, Hashable {
    /// All events up to this number are shared.
    private var low: Int64 = 0
    /// No event with this number or a higher one is shared.
    private var end: Int64
    private var step: Int64 = 1
    private var isGoingDown = true

    /// Starts a search.
    ///
    /// - Parameter number: The lower one of the last event numbers of both states.
    init(upTo number: Int64) { end = number + 1 }

    /// The number to try next: the other state's last event up to this number is compared. `nil` at the end of the
    /// search.
    var probe: Int64? {
        guard low + 1 < end else { return nil }
        return isGoingDown ? max(low + 1, end - step) : low + (end - low) / 2
    }

    /// Narrows the search by the result of the comparison at ``probe``.
    ///
    /// - Parameters:
    ///   - found: The number of the event that was compared; `nil` if the other state has no event up to ``probe``.
    ///   - isShared: Whether both states have the compared event.
    mutating func take(_ found: Int64?, isShared: Bool) {
        guard let probe else { return }
        if let found, found > low, !isShared {
            end = found
            step *= 2
        } else {
            low = probe
            isGoingDown = false
        }
    }
}
