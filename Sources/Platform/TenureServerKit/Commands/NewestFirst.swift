import TenureCommandLine
package import TenureCore
package import TenureStore

/// Lists records by the time of their creation, newest first.
///
/// Ids are random, so no table is sorted by age. Each tenant's events are, and each record has one event of its
/// creation. A page with few matches among many records reads many events, which is why the API lists by id.
package struct NewestFirst<Record: Sendable> {
    /// The kind of the event that each record has from its creation.
    let kind: EventKind
    /// Returns the listed records among those that the events created; the order doesn't matter.
    private let records: ([EventRecord]) async throws -> [(event: EventRecord, record: Record)]

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - kind: The kind of the event that each record has from its creation.
    ///   - named: The id of the record that an event is about; `nil` if it's about none.
    ///   - id: A record's id.
    ///   - isListed: Whether the list contains a record.
    ///   - read: Reads the records with some ids; a record that no longer exists is left out.
    package init<ID: Hashable>(
        createdBy kind: EventKind, _ named: @escaping (Event.Subject) -> ID?, id: @escaping (Record) -> ID,
        where isListed: @escaping (Record) -> Bool, read: @escaping ([ID]) async throws -> [Record]
    ) {
        self.kind = kind
        records = { events in
            let found = try await read(events.compactMap { named($0.event.subject) })
            let byID = Dictionary(found.map { (id($0), $0) }, uniquingKeysWith: { one, _ in one })
            return events.compactMap { event in
                named(event.event.subject).flatMap { byID[$0] }.flatMap { isListed($0) ? (event, $0) : nil }
            }
        }
    }

    /// How many events are read at once.
    private var step: Int { 500 }

    /// Returns a page of the records of some tenants.
    ///
    /// - Parameter last: The event that created the last record of the previous page; `nil` for the first page.
    package func page(
        of tenants: [TenantID], after last: EventRecord?, limit: Int, in store: any Store
    ) async throws -> [Record] {
        var found: [(event: EventRecord, record: Record)] = []
        for tenant in tenants { found += try await page(of: tenant, after: last, limit: limit, in: store) }
        return found.sorted { one, other in one.event.isNewer(than: other.event) }.prefix(limit).map(\.record)
    }

    private func page(
        of tenant: TenantID, after last: EventRecord?, limit: Int, in store: any Store
    ) async throws -> [(event: EventRecord, record: Record)] {
        var comparisons = [Comparison.equals("kind", kind)]
        var position: [StoredValue] = []
        if let last {
            let (own, at) = (last.event.subject.tenant, StoredValue.of(last.event.at))
            if own == tenant {
                position = [.of(tenant), .integer(last.sequence)]
            } else {
                comparisons.append(Comparison("at", own < tenant ? .atMost(at) : .below(at)))
            }
        }
        var found: [(event: EventRecord, record: Record)] = []
        while found.count < limit {
            let events = try await store.list(
                Listing(
                    EventRecord.ofTenant, [.of(tenant)], where: [comparisons], after: position, isBackwards: true,
                    limit: step))
            found += try await records(events).sorted { $0.event.sequence > $1.event.sequence }
            guard events.count == step, let end = events.last else { break }
            position = [.of(tenant), .integer(end.sequence)]
        }
        return found
    }
}

extension EventRecord {
    /// Whether the event is newer; of two tenants' events at the same time, the one of the first tenant is.
    fileprivate func isNewer(than other: EventRecord) -> Bool {
        let (own, theirs) = (event.subject.tenant, other.event.subject.tenant)
        if own == theirs { return sequence > other.sequence }
        return event.at == other.event.at ? own < theirs : event.at > other.event.at
    }
}

extension Store {
    /// Reads the event that created the record which `--after` names: the first event of one of the filters.
    ///
    /// - Throws: ``UsageError`` if there is no such event.
    package func creation(_ name: String, _ filters: [EventFilter]) async throws -> EventRecord {
        for filter in filters {
            if let first = try await events(filter, after: 0, limit: 1).first { return first }
        }
        throw UsageError("--after \(name.printable): there is no such record; list from the start")
    }
}
