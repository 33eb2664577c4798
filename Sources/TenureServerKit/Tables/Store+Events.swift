public import TenureCore
public import TenureStore

/// A page of events, and where the next one begins.
public struct EventPage: Sendable, Hashable {
    /// The events, oldest first.
    public let records: [EventRecord]
    /// The number to ask after next. With a filter by kind it moves on even where no event matched; it stays where it was
    /// once the newest event has been looked at.
    public let next: Int64

    /// Pairs the two.
    public init(records: [EventRecord], next: Int64) {
        self.records = records
        self.next = next
    }
}

extension Reading {
    /// Lists events after the cursor, oldest first, at most `limit` (1...1000). Ignores the filter's kind.
    public func events(
        _ filter: EventFilter, after cursor: Int64, limit: Int
    ) async throws(StoreError) -> [EventRecord] {
        guard let source = EventSource(filter) else { return [] }
        return try await events(source, [], after: cursor, limit: limit)
    }

    /// Lists events after the cursor, oldest first, at most `limit` (1...1000), with the filter's kind.
    ///
    /// No index has the kind, so one call looks at no more than ``EventSource/stretch`` events. Follow
    /// ``EventPage/next`` until it stays the same to see them all.
    public func eventPage(
        _ filter: EventFilter, after cursor: Int64, limit: Int
    ) async throws(StoreError) -> EventPage {
        guard let source = EventSource(filter) else { return EventPage(records: [], next: cursor) }
        guard let kind = filter.kind else {
            let records = try await events(source, [], after: cursor, limit: limit)
            return EventPage(records: records, next: records.last?.sequence ?? cursor)
        }
        let end = try await view(source.ends, source.values + [.integer(cursor)]).first ?? 0
        guard end > cursor else { return EventPage(records: [], next: cursor) }
        let within = Comparison("sequence", .atMost(.integer(end)))
        let records = try await events(source, [kind.comparison, within], after: cursor, limit: limit)
        let isFull = records.count == pageSize(limit)
        return EventPage(records: records, next: isFull ? records.last?.sequence ?? end : end)
    }

    /// The number of the newest event; 0 where there is none.
    public func newestEvent() async throws(StoreError) -> Int64 {
        try await list(Listing(EventRecord.table.all, isBackwards: true, limit: 1)).first?.sequence ?? 0
    }

    /// The newest events of an account, newest first, at most `limit` (1...1000).
    public func newestEvents(of account: AccountRef, limit: Int) async throws(StoreError) -> [EventRecord] {
        try await list(
            Listing(
                EventRecord.ofAccount, [.of(account.tenant), .of(account.account)], isBackwards: true,
                limit: pageSize(limit)))
    }

    private func events(
        _ source: EventSource, _ narrowing: [Comparison], after cursor: Int64, limit: Int
    ) async throws(StoreError) -> [EventRecord] {
        let comparisons = source.narrowing + narrowing
        return try await list(
            Listing(
                source.set, source.values, where: comparisons.isEmpty ? [] : [comparisons],
                after: [.integer(cursor)], limit: pageSize(limit)))
    }
}

/// The smallest set that holds the events of a filter, each of which has an index of its own.
package struct EventSource: Sendable {
    let set: RowSet<EventRecord>
    let values: [StoredValue]
    /// What the set itself does not compare.
    let narrowing: [Comparison]
    /// Where a stretch of the set ends: see ``ends(of:)``.
    package let ends: View<Int64>

    /// How many events of a set one call looks at, where it compares what no index has.
    package static let stretch = 10_000

    /// `nil` for an account without a tenant: an account has its name from its tenant.
    package init?(_ filter: EventFilter) {
        let (tenant, account) = (filter.tenant, filter.account)
        var narrowing = [
            tenant.map { Comparison.equals("tenant", $0) }, account.map { Comparison.equals("account", $0) },
        ].compactMap(\.self)
        if let license = filter.contentLicense {
            (set, values, ends) = (EventRecord.ofContentLicense, [.of(license)], Self.ofContentLicense)
        } else if let enrolment = filter.enrolment {
            (set, values, ends) = (EventRecord.ofEnrolment, [.of(enrolment)], Self.ofEnrolment)
        } else if account != nil, tenant == nil {
            return nil
        } else if let license = filter.license {
            (set, values, ends) = (EventRecord.ofLicense, [.of(license)], Self.ofLicense)
        } else if let tenant, let account {
            (set, values, ends) = (EventRecord.ofAccount, [.of(tenant), .of(account)], Self.ofAccount)
            narrowing = []
        } else if let tenant {
            (set, values, ends) = (EventRecord.ofTenant, [.of(tenant)], Self.ofTenant)
            narrowing = []
        } else {
            (set, values, ends) = (EventRecord.table.all, [], Self.all)
        }
        self.narrowing = narrowing
    }

    private static let ofContentLicense = ends(of: EventRecord.ofContentLicense)
    private static let ofEnrolment = ends(of: EventRecord.ofEnrolment)
    private static let ofLicense = ends(of: EventRecord.ofLicense)
    private static let ofAccount = ends(of: EventRecord.ofAccount)
    private static let ofTenant = ends(of: EventRecord.ofTenant)
    private static let all = ends(of: EventRecord.table.all)

    /// The number of the last event of a stretch, 0 where the set has no more. Its list: what the set compares, and the
    /// number after which the stretch begins. The index alone answers it.
    private static func ends(of set: RowSet<EventRecord>) -> View<Int64> {
        let columns = set.shape.columns.map { set.shape.table.columns[$0] }
        // Ordered by all columns of the index: by the number alone PostgreSQL may walk through everybody's events.
        let order = (columns.map(\.name) + ["sequence"]).joined(separator: ", ")
        func last(_ value: (Int) -> String) -> String {
            let compared = columns.enumerated().map { "\($1.name) = \(value($0)) AND " }.joined()
            return """
                SELECT coalesce(max(sequence), 0) AS last FROM (
                    SELECT sequence FROM events WHERE \(compared)sequence > \(value(columns.count))
                    ORDER BY \(order) LIMIT \(stretch)) AS counted
                """
        }
        let types = columns.map(\.type) + [.integer]
        let arrays = types.enumerated().map { "$\($0 + 1)::\($1.arrayName)" }.joined(separator: ", ")
        let names = types.indices.map { "v\($0)" }.joined(separator: ", ")
        return View<Int64>(
            "the end of a stretch of events \(set.shape.name)", types, touches: [set.shape.table],
            sqlite: last { "?\($0 + 1)" },
            postgres: """
                SELECT last FROM unnest(\(arrays)) AS w (\(names)) CROSS JOIN LATERAL (\(last { "w.v\($0)" })) AS s
                """
        ) { row throws(StoreError) in try row.next() }
    }
}

extension StoredType {
    /// PostgreSQL's name of a list of such values; the sets of events compare texts and numbers.
    fileprivate var arrayName: String { self == .integer ? "bigint[]" : "text[]" }
}
