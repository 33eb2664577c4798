import TenureContent
import TenureCore
import TenureServerKit
import TenureStore

/// A filter for enrolments; `nil` members match everything.
struct EnrolmentFilter: Sendable {
    /// Only enrolments of this holder, compared by its fold.
    var holder: String?
    /// Only enrolments of exactly this holder, who sends the request; another spelling may be another person.
    var ownHolder: String?
    var course: CourseID?
    /// Only enrolments with this status now.
    var state: Enrolment.Status?
}

/// Reads enrolments with their number of devices.
extension ContentContext {
    /// Reads one enrolment of a tenant; `nil` if there isn't one.
    func enrolment(_ id: EnrolmentID, of tenant: TenantID) async throws(ServerError) -> CountedEnrolment? {
        try await enrolments([id], of: tenant).first
    }

    /// Reads a page of a tenant's enrolments by id, with at most `limit` elements (1 to 1,000).
    ///
    /// It reads a bounded number of enrolments, so the page may be short or empty although another one follows.
    func enrolments(
        _ filter: EnrolmentFilter, of tenant: TenantID, after cursor: EnrolmentID?, limit: Int
    ) async throws(ServerError) -> (enrolments: [CountedEnrolment], next: EnrolmentID?) {
        let (set, values) = filter.smallestSet(of: tenant)
        let isMet = filter.isMet(by: set)
        let now = clock.now()
        let isListed: ((Enrolment) -> Bool)? = isMet ? nil : { filter.matches($0, at: now) }
        let page = try await store.boundedPage(
            of: set, values, after: cursor.map { [.of($0)] } ?? [], limit: limit, where: isListed)
        return (try await enrolments(page.rows.map(\.id), of: tenant), page.next?.id)
    }

    /// Reads a page of a tenant's enrolments, newest first.
    ///
    /// - Parameter cursor: The last enrolment of the previous page.
    func newestEnrolments(
        _ filter: EnrolmentFilter, of tenant: TenantID, after cursor: EnrolmentID?, limit: Int
    ) async throws -> BoundedPage<CountedEnrolment> {
        var last: EventRecord?
        if let cursor {
            last = try await store.creation(
                cursor.description, [EventFilter(tenant: tenant, enrolment: cursor)])
        }
        let now = clock.now()
        let newest = NewestFirst<CountedEnrolment>(
            createdBy: .enrolmentAdded, \.enrolment, id: \.enrolment.id,
            where: { filter.matches($0.enrolment, at: now) },
            read: { ids in try await self.enrolments(ids, of: tenant) })
        return try await newest.page(of: [tenant], after: last, limit: limit, in: store)
    }

    /// Reads some enrolments of a tenant, by id; those that don't exist are left out.
    func enrolments(_ ids: [EnrolmentID], of tenant: TenantID) async throws(ServerError) -> [CountedEnrolment] {
        let (results, queries, snapshot) = try await catalog.fetch(Self.enrolmentsWithDevices.bind(ids))
        let contents = snapshot.catalog.tenants[tenant]?.contents
        let now = clock.now()
        let devices = Dictionary(grouping: results[queries.devices], by: \.enrolment)
        return results[queries.enrolments].filter { $0.tenant == tenant }.sorted { $0.id < $1.id }.map { enrolment in
            CountedEnrolment(enrolment, devices: devices[enrolment.id] ?? [], contents, at: now)
        }
    }

    private static let enrolmentsWithDevices = CatalogQueryPlan(for: [EnrolmentID].self) { query in
        let enrolments = query.each(Enrolment.table.key) { $0.map(StoredValue.of) }
        return (
            enrolments: enrolments,
            devices: query.each(Enrolment.Device.ofEnrolment, upTo: 10_000, .column("id", of: enrolments))
        )
    }
}

extension EnrolmentFilter {
    fileprivate func matches(_ enrolment: Enrolment, at now: Timestamp) -> Bool {
        (ownHolder.map { $0 == enrolment.holder } ?? true)
            && (holder.map { FoldedText($0) == FoldedText(enrolment.holder) } ?? true)
            && (course.map { enrolment.scope == .course($0) } ?? true)
            && (state.map { $0 == enrolment.status(at: now) } ?? true)
    }

    fileprivate func smallestSet(of tenant: TenantID) -> (set: RowSet<Enrolment>, values: [StoredValue]) {
        if let ownHolder { return (Enrolment.ofHolder, [.of(tenant), .of(ownHolder)]) }
        if let holder { return (Enrolment.ofFoldedHolder, [.of(tenant), .of(FoldedText(holder))]) }
        guard let course else { return (Enrolment.ofTenant, [.of(tenant)]) }
        return (Enrolment.toScope, [.of(tenant), .of(Enrolment.Scope.course(course))])
    }

    /// Whether every enrolment of the set matches the filter.
    fileprivate func isMet(by set: RowSet<Enrolment>) -> Bool {
        state == nil && (ownHolder == nil || holder == nil) && (course == nil || set.shape === Enrolment.toScope.shape)
    }
}
