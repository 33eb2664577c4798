package import TenureContent
package import TenureCore
package import TenureServerKit
package import TenureStore

/// A filter for content licenses; `nil` members match everything.
package struct ContentLicenseFilter: Sendable {
    /// Only licenses of this holder, compared by its fold.
    package var holder: String?
    /// Only licenses of exactly this holder, who sends the request; another spelling may be another person.
    package var ownHolder: String?
    /// Only licenses for this content item.
    package var content: ContentID?
    /// Only licenses on the device with this digest.
    package var device: Digest?

    package init(holder: String? = nil, content: ContentID? = nil, device: Digest? = nil) {
        self.holder = holder
        self.content = content
        self.device = device
    }

    fileprivate func smallestSet(of tenant: TenantID) -> (set: RowSet<ContentLicense>, values: [StoredValue]) {
        if let ownHolder {
            guard let device else { return (ContentLicense.ofHolder, [.of(tenant), .of(ownHolder)]) }
            return (ContentLicense.onDevice, [.of(tenant), .of(ownHolder), .of(device)])
        }
        guard let fold = holder.map({ FoldedText($0) }) else { return (ContentLicense.ofTenant, [.of(tenant)]) }
        guard let device else { return (ContentLicense.ofFoldedHolder, [.of(tenant), .of(fold)]) }
        return (ContentLicense.ofFoldedHolderOnDevice, [.of(tenant), .of(fold), .of(device)])
    }
}

extension Reading {
    /// Lists a tenant's content licenses by id, or a holder's by device and content.
    ///
    /// It reads a bounded number of licenses, so the page may be short or empty although another one follows.
    ///
    /// - Parameters:
    ///   - cursor: The last license of the previous page; the filter may exclude it.
    ///   - limit: The maximum number of licenses, 1 to 1,000.
    package func contentLicenses(
        _ filter: ContentLicenseFilter, of tenant: TenantID, after cursor: ContentLicenseID?, limit: Int
    ) async throws(Failure) -> BoundedPage<ContentLicense> {
        let (set, values) = filter.smallestSet(of: tenant)
        var position: [StoredValue] = []
        if let cursor {
            let found = Listing(
                ContentLicense.ofTenant, [.of(tenant)], where: [[.equals("id", cursor)]], limit: 1)
            // A list of the whole tenant continues after any id, one of a holder only after an existing license.
            if filter.holder == nil, filter.ownHolder == nil {
                position = [.of(cursor)]
            } else if let last = try await list(found).first {
                position = set.position(of: last)
            }
        }
        let isMet =
            filter.content == nil && (filter.ownHolder == nil || filter.holder == nil)
            && (filter.device == nil || filter.holder != nil || filter.ownHolder != nil)
        let isListed: ((ContentLicense) -> Bool)? = isMet ? nil : { filter.matches($0) }
        return try await boundedPage(of: set, values, after: position, limit: limit, where: isListed)
    }
}

extension RecordStore {
    /// Lists a tenant's content licenses, newest first.
    ///
    /// - Parameter cursor: The last license of the previous page.
    func newestContentLicenses(
        _ filter: ContentLicenseFilter, of tenant: TenantID, after cursor: ContentLicenseID?, limit: Int
    ) async throws -> BoundedPage<ContentLicense> {
        var last: EventRecord?
        if let cursor {
            last = try await creation(cursor.description, [EventFilter(tenant: tenant, contentLicense: cursor)])
        }
        let newest = NewestFirst<ContentLicense>(
            createdBy: .contentLicensed, \.contentLicense, id: \.id,
            where: filter.matches,
            read: { ids in try await fetch(plan.bind(ids))[plan.queries] })
        return try await newest.page(of: [tenant], after: last, limit: limit, in: self)
    }
}

private let plan = QueryPlan(for: [ContentLicenseID].self) { query in
    query.each(ContentLicense.table.key) { $0.map(StoredValue.of) }
}

extension ContentLicenseFilter {
    fileprivate func matches(_ license: ContentLicense) -> Bool {
        (ownHolder.map { $0 == license.holder } ?? true)
            && (holder.map { FoldedText($0) == FoldedText(license.holder) } ?? true)
            && (content == nil || license.present.content == content)
            && (device == nil || license.present.device == device)
    }
}

/// A content license with all reasons against playing or renewing it.
struct ExplainedContentLicense: Sendable {
    let license: ContentLicense
    /// Why the license can't be played, judging by the use that the server has counted, and why it wouldn't be renewed.
    ///
    /// Empty if there is no such reason.
    let reasons: [Reason]
}

extension ContentContext {
    /// Returns a license and why it can't be played or renewed; `nil` if the tenant has no such license.
    func explainContentLicense(
        _ id: ContentLicenseID, of tenant: TenantID
    ) async throws(ServerError) -> ExplainedContentLicense? {
        let now = clock.now()
        let (results, queries, snapshot) = try await catalog.fetch(Self.licenseWithEnrolment.bind(id))
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
        return ExplainedContentLicense(license: license, reasons: reasons)
    }

    private static let licenseWithEnrolment = CatalogQueryPlan(for: ContentLicenseID.self) { query in
        let license = query.row(ContentLicense.table.key) { [.of($0)] }
        return (
            license: license, enrolment: query.row(Enrolment.table.key, .column("enrolment_id", of: license))
        )
    }
}
