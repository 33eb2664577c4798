package import TenureCore
package import TenureServerKit
package import TenureStore

/// Which licenses of contents to list; what is nil does not matter.
package struct ContentLicenseFilter: Sendable {
    /// A holder's.
    package var holder: String?
    /// For a content.
    package var content: ContentID?
    /// On a device.
    package var device: Digest?

    /// Makes a filter.
    package init(holder: String? = nil, content: ContentID? = nil, device: Digest? = nil) {
        self.holder = holder
        self.content = content
        self.device = device
    }

    fileprivate func listing(
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
    /// Lists a tenant's licenses of contents, at most `limit` (1...1000): in the order of their names, a holder's by device
    /// and content.
    /// - Parameter cursor: The last one of the page before.
    package func contentLicenses(
        _ filter: ContentLicenseFilter, of tenant: TenantID, after cursor: ContentLicenseID?, limit: Int
    ) async throws(StoreError) -> [ContentLicense] {
        var last: ContentLicense?
        if let cursor {
            let found = Listing(
                ContentLicense.ofTenant, [.of(tenant)], where: [[.equals("id", cursor)]], limit: 1)
            last = try await list(found).first
        }
        return try await list(filter.listing(of: tenant, after: last, limit: limit))
    }
}

/// A page of licenses of contents, and where the next one begins.
package struct PagedContentLicenses: Sendable {
    /// The licenses.
    package let licenses: [ContentLicense]
    /// What to ask after next; `nil` at the end. It may be a license that the filter left out.
    package let next: ContentLicenseID?

    /// How many licenses one call looks at, where the filter compares what no index has.
    package static let stretch = 2_000
}

extension Reading {
    /// Lists a tenant's licenses of contents as ``contentLicenses(_:of:after:limit:)`` does.
    ///
    /// Without a holder no index has content or device. Then one call looks at no more than
    /// ``PagedContentLicenses/stretch`` licenses: a page may be short, or empty, and have a next one.
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

extension ContentLicenseFilter {
    fileprivate func matches(_ license: ContentLicense) -> Bool {
        (content == nil || license.present.content == content) && (device == nil || license.present.device == device)
    }
}

/// Tells why a license of a content is not played or not renewed.
package struct ExplainContentLicense: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock

    /// Explains under a catalog, by a clock.
    package init(catalog: CatalogCache, clock: any WallClock) {
        self.catalog = catalog
        self.clock = clock
    }

    /// A license with everything that speaks against it.
    package struct Explained: Sendable {
        /// The license.
        package let license: ContentLicense
        /// Why it cannot be played, as far as the server knows, then why it would not be renewed; empty when nothing
        /// speaks against it.
        package let reasons: [Reason]
    }

    /// Nil when the tenant has no such license. Throws ``ServerError``.
    package func callAsFunction(
        _ id: ContentLicenseID, of tenant: TenantID
    ) async throws(ServerError) -> Explained? {
        let now = clock.now()
        let (seen, looks, snapshot) = try await catalog.look(Self.form.asked(.of(id)))
        guard let license = seen[looks.license], license.present.tenant == tenant else { return nil }
        var reasons = license.stop.map { [Reason.contentStopped($0)] } ?? []
        reasons += license.limitsReached(at: now)
        if let enrolment = seen[looks.enrolment] {
            let contents = snapshot.catalog.tenants[tenant]?.contents
            let offer = EnrolmentOffer(
                enrolment, policy: contents?.policy(of: license.present.content, under: enrolment))
            let ask = ContentRenewal(version: license.version, isAlways: true, request: "")
            let renewal = license.renew(ask, offers: [offer], at: now)
            if renewal.outcome != .renewed {
                reasons += renewal.reasons.filter { reason in !reasons.contains { $0.code == reason.code } }
            }
        }
        return Explained(license: license, reasons: reasons)
    }

    private static let form = CatalogForm { ask in
        let license = ask.row(ContentLicense.table.key)
        return (
            license: license, enrolment: ask.row(Enrolment.table.key, .column("enrolment_id", of: license))
        )
    }
}
