import TenureCommandLine
package import TenureCore
package import TenureStore

/// Lists records by the time of their creation, newest first.
///
/// Ids are random, so no table is sorted by age. But each tenant's events are sorted by age, and each record has one
/// event about its creation. A page examines a bounded number of records. It says where to continue if older records
/// may follow.
package struct NewestFirst<Record: Sendable> {
    /// The event that created a record, and the record.
    private typealias Item = (event: EventRecord, record: Record)

    /// The kind of the event that each record has from its creation.
    let kind: EventKind
    private let isListed: (Record) -> Bool
    /// Returns the records that the events created, in any order.
    private let records: ([EventRecord]) async throws -> [Item]

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - kind: The kind of the event that each record has from its creation.
    ///   - named: Returns the id of the record that an event is about; `nil` if the event is about another kind of
    ///     record.
    ///   - id: Returns a record's id.
    ///   - isListed: Returns whether the list contains a record.
    ///   - read: Reads the records with the given ids, without those that no longer exist.
    package init<ID: Hashable>(
        createdBy kind: EventKind, _ named: @escaping (Event.Subject) -> ID?, id: @escaping (Record) -> ID,
        where isListed: @escaping (Record) -> Bool, read: @escaping ([ID]) async throws -> [Record]
    ) {
        self.kind = kind
        self.isListed = isListed
        records = { events in
            let found = try await read(events.compactMap { named($0.event.subject) })
            let byID = Dictionary(found.map { (id($0), $0) }, uniquingKeysWith: { one, _ in one })
            return events.compactMap { event in
                named(event.event.subject).flatMap { byID[$0] }.map { (event, $0) }
            }
        }
    }

    /// The number of events that are read at once.
    private var step: Int { 500 }

    /// The maximum number of records of a tenant that are examined for a page.
    package static var stretch: Int { 10_000 }

    /// Returns a page of the given tenants' records.
    ///
    /// - Parameters:
    ///   - last: The event that created the last record of the previous page; `nil` for the first page.
    ///   - most: The maximum number of records of a tenant that are examined.
    package func page(
        of tenants: [TenantID], after last: EventRecord?, limit: Int, examining most: Int = stretch,
        in store: some RecordStore
    ) async throws -> BoundedPage<Record> {
        var (found, end): ([Item], Item?) = ([], nil)
        for tenant in tenants {
            let page = try await page(of: tenant, after: last, limit: limit, examining: most, in: store)
            found += page.found
            if let own = page.end, end.map({ own.event.isNewer(than: $0.event) }) ?? true { end = own }
        }
        // A record older than the last examined record of a tenant would precede unexamined, newer records of that
        // tenant.
        let whole = found.filter { item in end.map { !$0.event.isNewer(than: item.event) } ?? true }
        let rows = whole.sorted { one, other in one.event.isNewer(than: other.event) }.prefix(limit)
        return BoundedPage(rows.map(\.record), next: rows.count == limit ? rows.last?.record : end?.record)
    }

    /// Returns a tenant's page, and the last examined record if older records may follow.
    private func page(
        of tenant: TenantID, after last: EventRecord?, limit: Int, examining most: Int, in store: some RecordStore
    ) async throws -> (found: [Item], end: Item?) {
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
        var (found, examined): ([Item], Int) = ([], 0)
        while true {
            let events = try await store.list(
                Listing(
                    EventRecord.ofTenant, [.of(tenant)], where: [comparisons], after: position, isBackwards: true,
                    limit: step))
            for item in try await records(events).sorted(by: { $0.event.sequence > $1.event.sequence }) {
                examined += 1
                if isListed(item.record) { found.append(item) }
                if found.count == limit || examined == most { return (found, item) }
            }
            guard events.count == step, let end = events.last else { return (found, nil) }
            position = [.of(tenant), .integer(end.sequence)]
        }
    }
}

extension EventRecord {
    /// Whether the event is newer than another one.
    ///
    /// If two tenants' events have the same time, the event of the tenant with the lower id counts as newer.
    fileprivate func isNewer(than other: EventRecord) -> Bool {
        let (own, theirs) = (event.subject.tenant, other.event.subject.tenant)
        if own == theirs { return sequence > other.sequence }
        return event.at == other.event.at ? own < theirs : event.at > other.event.at
    }
}

extension RecordStore {
    /// Reads the event that created the record that `--after` names. It's the first event that one of the filters
    /// finds.
    ///
    /// - Throws: ``UsageError`` if there is no such event.
    package func creation(_ name: String, _ filters: [EventFilter]) async throws -> EventRecord {
        for filter in filters {
            if let first = try await events(filter, after: 0, limit: 1).first { return first }
        }
        throw UsageError("--after \(name.printable): there is no such record; list from the start")
    }
}
