import TenureContent
import TenureCore
import TenureServerKit
import TenureStore

/// A content item that a holder may use offline, as seen by one device.
struct OfferedContent: Sendable {
    let item: ContentCatalog.Item
    let course: CourseID?
    let enrolment: EnrolmentID?
    let license: ContentLicenseID?
    /// Why the device can't get a license now; empty if it can.
    var reasons: [Reason]
}

extension ContentContext {
    /// Returns the content that a holder's enrolments cover, by id.
    func contents(
        of holder: PresentHolder, after cursor: ContentID?, limit: Int
    ) async throws -> [OfferedContent] {
        let (results, queries, snapshot) = try await catalog.fetch(Self.ofHolder.bind(holder))
        let contents = try snapshot.contents(of: holder.tenant)
        let now = clock.now()
        let enrolments = results[queries].map { (enrolment: $0, obstacle: $0.obstacle(at: now)) }
            .sorted { one, other in one.enrolment.precedes(other.enrolment, one.obstacle, other.obstacle) }
        var covered: [ContentID: (Enrolment, Reason?)] = [:]
        for (enrolment, obstacle) in enrolments {
            for content in contents.items(of: enrolment.scope) where covered[content] == nil {
                covered[content] = (enrolment, obstacle)
            }
        }
        var names = Set(covered.keys)
        if contents.access == .open { names.formUnion(contents.items.keys) }
        let page = names.filter { name in cursor.map { name > $0 } ?? true }.sorted().prefix(limit)
        let licenses = try await licenses(of: holder, for: Array(page))
        return page.compactMap { name in
            guard let item = contents.items[name] else { return nil }
            let (enrolment, obstacle) = covered[name].map { ($0.0, $0.1) } ?? (nil, nil)
            let license = licenses[name]
            let stop = license.flatMap { $0.state == .returned ? nil : $0.stop }
            return OfferedContent(
                item: item, course: enrolment?.scope.course, enrolment: enrolment?.id, license: license?.id,
                reasons: [stop.map { .contentStopped($0) }, obstacle].compactMap(\.self))
        }
    }

    /// Returns the device's license for each content item: the active one, or else the one with the grant that was
    /// issued last.
    private func licenses(
        of holder: PresentHolder, for contents: [ContentID]
    ) async throws(ServerError) -> [ContentID: ContentLicense] {
        let plan = Self.ofContents
        let bound = plan.bind(.init(holder: holder, contents: contents))
        let results = try await store.fetch(bound)
        return Dictionary(grouping: results[plan.queries], by: \.present.content).compactMapValues { licenses in
            licenses.first { $0.state == .active } ?? licenses.max { $0.present.issuedAt < $1.present.issuedAt }
        }
    }

    private struct OwnContents: Sendable {
        let holder: PresentHolder
        let contents: [ContentID]
    }

    private static let ofHolder = CatalogQueryPlan(for: PresentHolder.self) { query in
        query.rows(Enrolment.ofHolder, upTo: 100_000) { [.of($0.tenant), .of($0.holder)] }
    }
    private static let ofContents = QueryPlan(for: OwnContents.self) { query in
        query.each(ContentLicense.ofContent, upTo: 100) { bound in
            let holder = bound.holder
            return bound.contents.flatMap {
                [.of(holder.tenant), .of(holder.holder), .of(holder.device), .of($0)]
            }
        }
    }
}

extension ContentCatalog {
    /// The current content items of an enrolment's scope.
    fileprivate func items(of scope: Enrolment.Scope) -> [ContentID] {
        switch scope {
        case .content(let content): items[content] == nil ? [] : [content]
        case .course(let course): (courses[course]?.items ?? []).filter { items[$0] != nil }
        }
    }
}

extension Enrolment {
    /// Whether this enrolment takes precedence over another one.
    ///
    /// An open enrolment precedes one with an obstacle. After that, the one that ends later precedes, and then the one
    /// with the lower id.
    func precedes(_ other: Enrolment, _ obstacle: Reason?, _ otherObstacle: Reason?) -> Bool {
        if (obstacle == nil) != (otherObstacle == nil) { return obstacle == nil }
        switch (endsAt, other.endsAt) {
        case (let end, let later) where end == later: return id < other.id
        case (.some(let end), .some(let later)): return end > later
        default: return endsAt == nil
        }
    }
}
