package import TenureContent
package import TenureCore
package import TenureServerKit
package import TenureStore

/// A filter for content licenses; `nil` members match everything.
package struct ContentLicenseFilter: Sendable {
    /// Only licenses of this holder.
    package var holder: String?
    /// Only licenses for this content item.
    package var content: ContentID?
    /// Only licenses on the device with this digest.
    package var device: Digest?

    package init(holder: String? = nil, content: ContentID? = nil, device: Digest? = nil) {
        self.holder = holder
        self.content = content
        self.device = device
    }

    fileprivate func section(
        of tenant: TenantID, after last: ContentLicense?, limit: Int
    ) -> Listing<ContentLicense> {
        let named: [(column: String, value: StoredValue?)] = [
            ("holder", holder.map(StoredValue.of)), ("content", content.map(StoredValue.of)),
            ("device", device.map(StoredValue.of)),
        ]
        let (set, values): (RowSet<ContentLicense>, [StoredValue]) =
            switch (holder, device) {
            case (let holder?, let device?):
                (ContentLicense.onDevice, [.of(tenant), .of(holder), .of(device)])
            case (let holder?, nil): (ContentLicense.ofHolder, [.of(tenant), .of(holder)])
            default: (ContentLicense.ofTenant, [.of(tenant)])
            }
        let cursor: [StoredValue]? = last.map { last in
            let (device, content) = (StoredValue.of(last.present.device), StoredValue.of(last.present.content))
            return switch (self.holder, self.device) {
            case (.some, .some): [content, .of(last.id)]
            case (.some, nil): [device, content, .of(last.id)]
            default: [.of(last.id)]
            }
        }
        return Listing(set, values, where: set.filter(named, nil), after: cursor ?? [], limit: pageSize(limit))
    }
}

extension Reading {
    /// Lists a tenant's content licenses by id, or a holder's by device and content.
    ///
    /// - Parameters:
    ///   - cursor: The last license of the previous page.
    ///   - limit: The maximum number of licenses, 1 to 1,000.
    package func contentLicenses(
        _ filter: ContentLicenseFilter, of tenant: TenantID, after cursor: ContentLicenseID?, limit: Int
    ) async throws(StoreError) -> [ContentLicense] {
        var last: ContentLicense?
        if let cursor {
            let found = Listing(
                ContentLicense.ofTenant, [.of(tenant)], where: [[.equals("id", cursor)]], limit: 1)
            last = try await list(found).first
        }
        return try await list(filter.section(of: tenant, after: last, limit: limit))
    }
}

/// A page of content licenses, with the cursor of the next page.
package struct PagedContentLicenses: Sendable {
    package let licenses: [ContentLicense]
    /// The cursor of the next page; `nil` at the end.
    ///
    /// It may be the id of a license that the filter excludes.
    package let next: ContentLicenseID?

    /// How many licenses one call reads at most if no index supports the filter.
    package static let stretch = 2_000
}

extension Reading {
    /// Lists a tenant's content licenses as ``contentLicenses(_:of:after:limit:)`` does, with bounded work.
    ///
    /// If the filter names no holder, no index supports it. In that case, one call reads at most
    /// ``PagedContentLicenses/stretch`` licenses, so a page may be short or empty although another one follows.
    package func pagedContentLicenses(
        _ filter: ContentLicenseFilter, of tenant: TenantID, after cursor: ContentLicenseID?, limit: Int
    ) async throws(StoreError) -> PagedContentLicenses {
        let limit = pageSize(limit)
        guard filter.holder == nil, filter.content != nil || filter.device != nil else {
            let page = try await contentLicenses(filter, of: tenant, after: cursor, limit: limit)
            return PagedContentLicenses(licenses: page, next: page.count == limit ? page.last?.id : nil)
        }
        var (last, found) = (cursor, [ContentLicense]())
        for _ in 0..<4 {
            let count = PagedContentLicenses.stretch / 4
            let page = try await list(
                Listing(ContentLicense.ofTenant, [.of(tenant)], after: last.map { [.of($0)] } ?? [], limit: count))
            for license in page where filter.matches(license) {
                found.append(license)
                if found.count == limit { return PagedContentLicenses(licenses: found, next: license.id) }
            }
            guard page.count == count else { return PagedContentLicenses(licenses: found, next: nil) }
            last = page.last?.id
        }
        return PagedContentLicenses(licenses: found, next: last)
    }
}

extension Store {
    /// Lists a tenant's content licenses, newest first.
    ///
    /// - Parameter cursor: The last license of the previous page.
    func newestContentLicenses(
        _ filter: ContentLicenseFilter, of tenant: TenantID, after cursor: ContentLicenseID?, limit: Int
    ) async throws -> [ContentLicense] {
        var last: EventRecord?
        if let cursor {
            last = try await creation(cursor.description, [EventFilter(tenant: tenant, contentLicense: cursor)])
        }
        let newest = NewestFirst<ContentLicense>(
            createdBy: .contentLicensed, \.contentLicense, id: \.id,
            where: { license in (filter.holder.map { $0 == license.holder } ?? true) && filter.matches(license) },
            read: { ids in try await fetch(plan.bind(ids))[plan.queries] })
        return try await newest.page(of: [tenant], after: last, limit: limit, in: self)
    }
}

private let plan = QueryPlan(for: [ContentLicenseID].self) { query in
    query.each(ContentLicense.table.key) { $0.map(StoredValue.of) }
}

extension ContentLicenseFilter {
    fileprivate func matches(_ license: ContentLicense) -> Bool {
        (content == nil || license.present.content == content) && (device == nil || license.present.device == device)
    }
}

/// Explains why a content license can't be played or renewed.
package struct ExplainContentLicense: Sendable {
    let context: ContentContext

    package init(_ context: ContentContext) { self.context = context }

    /// A license with all reasons against playing or renewing it.
    package struct Explained: Sendable {
        package let license: ContentLicense
        /// Why the license can't be played, as far as the server knows, and why it wouldn't be renewed.
        ///
        /// Empty if there is no such reason.
        package let reasons: [Reason]
    }

    /// Returns a license with the reasons; `nil` if the tenant has no such license.
    package func callAsFunction(
        _ id: ContentLicenseID, of tenant: TenantID
    ) async throws(ServerError) -> Explained? {
        let now = context.clock.now()
        let (results, queries, snapshot) = try await context.catalog.fetch(Self.plan.bind(id))
        guard let license = results[queries.license], license.present.tenant == tenant else { return nil }
        var reasons = license.stop.map { [Reason.contentStopped($0)] } ?? []
        reasons += license.limitsReached(at: now)
        if let enrolment = results[queries.enrolment] {
            let contents = snapshot.catalog.tenants[tenant]?.contents
            let offer = Enrolment.Offer(
                enrolment, policy: contents?.policy(of: license.present.content, under: enrolment))
            let query = ContentRenewal(version: license.version, isAlways: true, request: "")
            let renewal = license.renew(query, offers: [offer], at: now)
            if renewal.outcome != .renewed {
                reasons += renewal.reasons.filter { reason in !reasons.contains { $0.code == reason.code } }
            }
        }
        return Explained(license: license, reasons: reasons)
    }

    private static let plan = CatalogQueryPlan(for: ContentLicenseID.self) { query in
        let license = query.row(ContentLicense.table.key) { [.of($0)] }
        return (
            license: license, enrolment: query.row(Enrolment.table.key, .column("enrolment_id", of: license))
        )
    }
}
