package import TenureContent
package import TenureCore
package import TenureServerKit
import TenureStore

/// A filter for enrolments; `nil` members match everything.
package struct EnrolmentFilter: Sendable {
    /// Only enrolments of this holder.
    package var holder: String?
    /// Only enrolments in this course.
    package var course: CourseID?
    /// Only enrolments in this state; dates aren't considered.
    package var state: Enrolment.State?
}

/// Reads enrolments with their number of devices.
package struct ReadEnrolments: Sendable {
    let context: ContentContext

    package init(_ context: ContentContext) { self.context = context }

    /// Reads one enrolment of a tenant; `nil` if there isn't one.
    package func callAsFunction(
        _ id: EnrolmentID, of tenant: TenantID
    ) async throws(ServerError) -> CountedEnrolment? {
        try await counted([id], of: tenant).first
    }

    /// Reads a page of a tenant's enrolments by id, with at most `limit` elements (1 to 1,000).
    package func page(
        _ filter: EnrolmentFilter, of tenant: TenantID, after cursor: EnrolmentID?, limit: Int
    ) async throws(ServerError) -> [CountedEnrolment] {
        let found = try await asking {
            try await context.store.list(filter.section(of: tenant, after: cursor, limit: limit))
        }
        return try await counted(found.map(\.id), of: tenant)
    }

    /// Reads a page of a tenant's enrolments, newest first.
    ///
    /// - Parameter cursor: The last enrolment of the previous page.
    func newest(
        _ filter: EnrolmentFilter, of tenant: TenantID, after cursor: EnrolmentID?, limit: Int
    ) async throws -> [CountedEnrolment] {
        var last: EventRecord?
        if let cursor {
            last = try await context.store.creation(
                cursor.description, [EventFilter(tenant: tenant, enrolment: cursor)])
        }
        let newest = NewestFirst<CountedEnrolment>(
            createdBy: .enrolmentAdded, \.enrolment, id: \.enrolment.id,
            where: { filter.matches($0.enrolment) }, read: { ids in try await counted(ids, of: tenant) })
        return try await newest.page(of: [tenant], after: last, limit: limit, in: context.store)
    }

    private func counted(
        _ ids: [EnrolmentID], of tenant: TenantID
    ) async throws(ServerError) -> [CountedEnrolment] {
        let (results, queries, snapshot) = try await context.catalog.fetch(Self.plan.bind(ids))
        let contents = snapshot.catalog.tenants[tenant]?.contents
        let now = context.clock.now()
        let places = Dictionary(grouping: results[queries.places], by: \.enrolment)
        return results[queries.enrolments].filter { $0.tenant == tenant }.sorted { $0.id < $1.id }.map { enrolment in
            CountedEnrolment(enrolment, places: places[enrolment.id] ?? [], contents, at: now)
        }
    }

    private static let plan = CatalogQueryPlan(for: [EnrolmentID].self) { query in
        let enrolments = query.each(Enrolment.table.key) { $0.map(StoredValue.of) }
        return (
            enrolments: enrolments,
            places: query.each(Enrolment.Place.ofEnrolment, upTo: 10_000, .column("id", of: enrolments))
        )
    }
}

extension EnrolmentFilter {
    fileprivate func matches(_ enrolment: Enrolment) -> Bool {
        (holder.map { $0 == enrolment.holder } ?? true) && (course.map { enrolment.scope == .course($0) } ?? true)
            && (state.map { $0 == enrolment.state } ?? true)
    }

    fileprivate func section(of tenant: TenantID, after cursor: EnrolmentID?, limit: Int) -> Listing<Enrolment> {
        let named: [(column: String, value: StoredValue?)] = [
            ("holder", holder.map(StoredValue.of)),
            ("scope", course.map { .of(Enrolment.Scope.course($0)) }), ("state", state.map(StoredValue.of)),
        ]
        let (set, values): (RowSet<Enrolment>, [StoredValue]) =
            if let holder {
                (Enrolment.ofHolder, [.of(tenant), .of(holder)])
            } else if let course {
                (Enrolment.toScope, [.of(tenant), .of(Enrolment.Scope.course(course))])
            } else {
                (Enrolment.ofTenant, [.of(tenant)])
            }
        return Listing(
            set, values, where: set.filter(named, nil), after: cursor.map { [.of($0)] } ?? [], limit: pageSize(limit))
    }
}
