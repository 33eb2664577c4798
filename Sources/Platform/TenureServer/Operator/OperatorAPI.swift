import TenureContent
import TenureMarketplace
import TenureContentServer
import TenureCore
import TenureHTTP
import TenureLicensingServer
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

/// The operator API under `/v1/{tenant}`, which a vendor's shop and back office call with a token.
///
/// `/openapi.json` describes it. It only translates requests and makes no decisions.
struct OperatorAPI: Sendable {
    let store: any Store
    let clock: any WallClock
    let names: PublicNames

    typealias Endpoint = TenureServerKit.Endpoint<CatalogSnapshot>

    /// The shared endpoints, including the description of these and the features' endpoints.
    func endpoints(beside rooms: [Endpoint]) -> [Endpoint] {
        let description = OpenAPI(
            (rooms + [events]).compactMap(\.operation), title: "Tenure operator API",
            "What a vendor's shop and back office call, with a token of its tenant, made with `tenure token create`; and "
                + "what holders' devices ask about contents, with a token that the shop gets for them. Dates are RFC 3339 in UTC. A POST that names an `Idempotency-Key` may be sent again "
                + "for 24 hours and is carried out once.",
            version: LicenseServer.version,
            tags: [
                ("licenses", "Grants of a product to a holder."), ("activations", "The devices of licenses."),
                ("accounts", "People at a marketplace, for a shop with accounts of its own."),
                ("enrolments", "Rights of holders to courses and contents that are kept offline."),
                ("contents", "Licenses of contents on devices, and what holders prove themselves with."),
                ("devices", "What holders' devices ask about contents, each with a token of its own."),
                ("events", "What happened, in order."),
            ])
        let served = Endpoint("GET", "/openapi.json", .openProblem, .kept, admits: .everyone, reads: .none) { _ in
            .done(.json(description.document))
        }
        .workingWithoutStore()
        return [events, served]
    }

    /// Authenticates by an operator token with this scope.
    func with(_ scope: String) -> Admission<CatalogSnapshot, OperatorPlace> {
        .operator(scope, by: Authenticate(store: store, clock: clock))
    }

    private struct EventQuestion: Sendable {
        let kind: EventKindPattern?
        let account: AccountID?
        let license: LicenseID?
        let enrolment: EnrolmentID?
        let contentLicense: ContentLicenseID?
        let after: Int64
        let limit: Int
    }

    private var events: Endpoint {
        let fields = Fields { fields in
            EventQuestion(
                kind: try fields.optional("kind", .eventKind, in: .query, "Only this kind, or this family of kinds."),
                account: try fields.optional("account", .accountID, in: .query, "Only this account's."),
                license: try fields.optional("license", .licenseID, in: .query, "Only this license's."),
                enrolment: try fields.optional(
                    "enrolment", .numbered(), in: .query, "Only this enrolment's, those of its licenses too."),
                contentLicense: try fields.optional(
                    "contentLicense", .numbered(), in: .query, "Only those of this license of a content."),
                after: try fields.optional(
                    "after", .eventCursor, in: .query, "What `next` said before; without it from the beginning.") ?? 0,
                limit: try fields.pageLimit())
        }
        return Endpoint(
            "GET", "/v1/{tenant}/events", .problem, .kept, admits: with("events:read"), reads: fields,
            answers: ListPage.document("events", of: EventRecord.document),
            operation: Operation(
                "listEvents", "events", "Read events",
                "Oldest first. Keep `next` and ask again: no event is ever missed. One request looks at 10,000 events at "
                    + "most: with `kind` a page may hold fewer than there are while `next` moves on.")
        ) { call in
            let input = call.input
            let filter = EventFilter(
                tenant: call.place.tenant, license: input.license, account: input.account,
                enrolment: input.enrolment, contentLicense: input.contentLicense, kind: input.kind)
            if let fault = try await fault(in: filter) { throw Failure(fault) }
            let page = try await asking { () async throws(StoreError) in
                try await store.eventPage(filter, after: input.after, limit: input.limit)
            }
            return .done(ListPage(page.records.map(names.shown), next: String(page.next)))
        }
    }

    /// The first unknown name in a filter.
    ///
    /// Without this check, an empty page would suggest that nothing had happened.
    private func fault(in filter: EventFilter) async throws(ServerError) -> FieldFault? {
        guard let tenant = filter.tenant else { return nil }
        return try await asking { () async throws(StoreError) -> FieldFault? in
            if let account = filter.account,
                try await store.account(AccountRef(tenant: tenant, account: account)) == nil
            {
                return .unknown("account", "account", account)
            }
            if let license = filter.license,
                try await store.licenses(matching: LicenseName(.id(license), tenant: tenant)).isEmpty,
                try await store.appLicense(license)?.tenant != tenant
            {
                return .unknown("license", "license", license)
            }
            if let enrolment = filter.enrolment,
                try await !store.has(enrolment, in: Enrolment.table, of: tenant)
            {
                return .unknown("enrolment", "enrolment", enrolment)
            }
            if let license = filter.contentLicense,
                try await !store.has(license, in: ContentLicense.table, of: tenant)
            {
                return .unknown("contentLicense", "license of a content", license)
            }
            return nil
        }
    }
}

extension FieldFault {
    fileprivate static func unknown(_ name: String, _ what: String, _ value: some Sendable) -> FieldFault {
        FieldFault(name, in: .query, .other("this tenant has no \(what) \(value)"))
    }
}

extension Reading {
    /// Whether a tenant has a row with this id.
    fileprivate func has<Row>(
        _ id: some Storable, in table: Table<Row>, of tenant: TenantID
    ) async throws(StoreError) -> Bool {
        try await !list(Listing(table.all, where: [[.equals("id", id), .equals("tenant", tenant)]], limit: 1)).isEmpty
    }
}
