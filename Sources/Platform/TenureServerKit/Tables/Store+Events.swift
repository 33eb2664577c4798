public import TenureCore
public import TenureStore

/// A page of events, and the cursor of the next page.
public struct EventPage: Sendable, Hashable {
    /// The events, oldest first.
    public let records: [EventRecord]
    /// The cursor of the next page: the sequence number of the last event that was examined.
    ///
    /// With a filter by kind, the cursor advances even if no event matches. Once the newest event has been examined,
    /// the cursor stays the same.
    public let next: Int64

    /// Creates a page.
    public init(records: [EventRecord], next: Int64) {
        self.records = records
        self.next = next
    }
}

extension Reading {
    /// Lists at most `limit` (1...1000) events after the cursor, oldest first. Ignores the filter's kind.
    public func events(
        _ filter: EventFilter, after cursor: Int64, limit: Int
    ) async throws(Failure) -> [EventRecord] {
        try await events(EventSource(filter), [], after: cursor, limit: limit)
    }

    /// Lists at most `limit` (1...1000) events after the cursor that match the whole filter, oldest first.
    ///
    /// No index covers the kind, so one call examines at most ``EventSource/stretch`` events if the filter has a kind.
    /// To read all events, follow ``EventPage/next`` until it stays the same.
    public func eventPage(
        _ filter: EventFilter, after cursor: Int64, limit: Int
    ) async throws(Failure) -> EventPage {
        let source = EventSource(filter)
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

    /// Lists at most `limit` (1...1000) events of an account, newest first.
    public func newestEvents(of account: AccountRef, limit: Int) async throws(Failure) -> [EventRecord] {
        try await list(
            Listing(
                EventRecord.ofAccount, [.of(account.tenant), .of(account.account)], isBackwards: true,
                limit: pageSize(limit)))
    }

    /// Lists at most `limit` (1...1000) events of a license that have one of the kinds, newest first.
    package func newestEvents(
        of license: LicenseID, tenant: TenantID, kinds: [EventKind], limit: Int
    ) async throws(Failure) -> [EventRecord] {
        try await list(
            Listing(
                EventRecord.ofLicense, [.of(license), .of(tenant)],
                where: [[Comparison("kind", .isOneOf(kinds.map(\.storedValue)))]], isBackwards: true,
                limit: pageSize(limit)))
    }

    private func events(
        _ source: EventSource, _ narrowing: [Comparison], after cursor: Int64, limit: Int
    ) async throws(Failure) -> [EventRecord] {
        let comparisons = source.narrowing + narrowing
        return try await list(
            Listing(
                source.set, source.values, where: comparisons.isEmpty ? [] : [comparisons],
                after: [.of(source.tenant), .integer(cursor)], limit: pageSize(limit)))
    }
}

/// The smallest indexed set that contains all events that a filter selects.
package struct EventSource: Sendable {
    let set: RowSet<EventRecord>
    let values: [StoredValue]
    let tenant: TenantID
    /// The conditions of the filter, other than the kind, that the set doesn't imply.
    let narrowing: [Comparison]
    /// Finds the last event that one call may examine (see ``ends(of:)``).
    package let ends: NamedQuery<Int64>

    /// The maximum number of events that one call examines if the filter has a kind.
    package static let stretch = 10_000

    package init(_ filter: EventFilter) {
        tenant = filter.tenant
        // The first of these conditions that the filter has selects the set. The other conditions narrow it.
        var narrowing: [Comparison] = []
        if let license = filter.contentLicense { narrowing.append(.equals("content_license_id", license)) }
        if let enrolment = filter.enrolment { narrowing.append(.equals("enrolment_id", enrolment)) }
        if let license = filter.license { narrowing.append(.equals("license_id", license)) }
        if let account = filter.account { narrowing.append(.equals("account", account)) }
        if let holderRef = filter.holderRef { narrowing.append(.equals("holder_ref", holderRef)) }
        self.narrowing = Array(narrowing.dropFirst())
        if let license = filter.contentLicense {
            (set, values, ends) = (EventRecord.ofContentLicense, [.of(license), .of(tenant)], Self.ofContentLicense)
        } else if let enrolment = filter.enrolment {
            (set, values, ends) = (EventRecord.ofEnrolment, [.of(enrolment), .of(tenant)], Self.ofEnrolment)
        } else if let license = filter.license {
            (set, values, ends) = (EventRecord.ofLicense, [.of(license), .of(tenant)], Self.ofLicense)
        } else if let account = filter.account {
            (set, values, ends) = (EventRecord.ofAccount, [.of(tenant), .of(account)], Self.ofAccount)
        } else if let holderRef = filter.holderRef {
            (set, values, ends) = (EventRecord.ofHolder, [.of(holderRef), .of(tenant)], Self.ofHolder)
        } else {
            (set, values, ends) = (EventRecord.ofTenant, [.of(tenant)], Self.ofTenant)
        }
    }

    private static let ofContentLicense = ends(of: EventRecord.ofContentLicense)
    private static let ofEnrolment = ends(of: EventRecord.ofEnrolment)
    private static let ofLicense = ends(of: EventRecord.ofLicense)
    private static let ofAccount = ends(of: EventRecord.ofAccount)
    private static let ofHolder = ends(of: EventRecord.ofHolder)
    private static let ofTenant = ends(of: EventRecord.ofTenant)

    /// A query for the sequence number of the last of the next ``stretch`` events of a set; 0 if there are no more
    /// events.
    ///
    /// The parameters are the set's values and the cursor. The query reads only the index.
    private static func ends(of set: RowSet<EventRecord>) -> NamedQuery<Int64> {
        let columns = set.shape.columns.map { set.shape.table.columns[$0] }
        // Orders by all columns of the index. If the query ordered only by the sequence number, PostgreSQL might scan
        // the events of all tenants.
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
        return NamedQuery<Int64>(
            "the end of a stretch of events \(set.shape.name)", types, touches: [set.shape.table],
            sqlite: last { "?\($0 + 1)" },
            postgres: """
                SELECT last FROM unnest(\(arrays)) AS w (\(names)) CROSS JOIN LATERAL (\(last { "w.v\($0)" })) AS s
                """
        ) { row in try row.next() }
    }
}

extension StoredType {
    /// The PostgreSQL array type. The columns of the sets of events are only texts and integers.
    fileprivate var arrayName: String { self == .integer ? "bigint[]" : "text[]" }
}
