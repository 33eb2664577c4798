import TenureCore
import TenureHTTP
import TenureStore

/// The operator API under `/v1/{tenant}`, which a vendor's shop and back office call with a token.
///
/// `/openapi.json` serves the description of the API.
struct OperatorAPI: Sendable {
    let store: ServerStore
    let clock: any WallClock
    let catalog: CatalogCache
    let features: FeatureSet

    /// The endpoints that don't belong to a feature: the events, and the OpenAPI description of the whole API.
    ///
    /// - Parameter others: The features' endpoints, which the description includes.
    func endpoints(beside others: [Endpoint]) -> [Endpoint] {
        let description = OpenAPI(
            (others + [events]).compactMap(\.operation), title: "Tenure operator API",
            "The API for a vendor's shop and back office, with a token from `tenure token create`, and "
                + "for content on holders' devices, with a token that the shop requests for them. Dates are RFC 3339 "
                + "in UTC. A POST with an `Idempotency-Key` "
                + "takes effect once within 120 days, whichever of the tenant's tokens sends it. For 24 hours, a "
                + "repetition with the same token gets the first response again. Otherwise it gets the records as they "
                + "are now, without license keys, with `\"repeated\": true`; both have `Idempotent-Replayed: true`. "
                + "The body may differ in white space and in the order of its members; a refused request isn't "
                + "remembered. Choose a key for each order: one made from a subscription's id alone would repeat the "
                + "subscription's first renewal. Use the id of the invoice or of the event.",
            version: LicenseServer.version,
            tags: features.all.flatMap(\.tags) + [("events", "The events of the tenant, in order.")])
        let served = Endpoint(
            "GET", "/openapi.json", format: .openProblem, catalog: .cached, authentication: .everyone, reads: .none
        ) {
            _ in
            .done(.json(description.document))
        }
        .workingWithoutStore()
        return [events, served]
    }

    /// Authenticates requests by an operator token that has the given scope.
    func with(_ scope: String) -> Authentication<OperatorCaller> {
        .operator(scope, by: FeatureContext(store: store, clock: clock))
    }

    private struct EventQuestion: Sendable {
        let kind: EventFilter.KindPattern?
        let account: AccountID?
        let license: LicenseID?
        let enrolment: EnrolmentID?
        let contentLicense: ContentLicenseID?
        let holder: String?
        let after: Int64
        let limit: Int
    }

    private var events: Endpoint {
        let fields = Fields { fields in
            EventQuestion(
                kind: try fields.optional(
                    "kind", .eventKind(of: features.registry), in: .query,
                    "Only events of this kind or family of kinds."),
                account: try fields.optional("account", .accountID, in: .query, "Only events of this account."),
                license: try fields.optional("license", .licenseID, in: .query, "Only events of this license."),
                enrolment: try fields.optional(
                    "enrolment", .numbered(), in: .query, "Only events of this enrolment and its licenses."),
                contentLicense: try fields.optional(
                    "contentLicense", .numbered(), in: .query, "Only events of this content license."),
                holder: try fields.optional(
                    "holder", .line(1...256), in: .query,
                    "Only events that have this holder's `holderRef`: those of the holder's content page."),
                after: try fields.optional(
                    "after", .eventCursor, in: .query,
                    "The value of `next` from the previous page; absent for the first page.") ?? 0,
                limit: try fields.pageLimit())
        }
        return Endpoint(
            "GET", "/v1/{tenant}/events", format: .problem, catalog: .cached, authentication: with("events:read"),
            reads: fields,
            answers: ListPage.document("events", of: EventRecord.document),
            operation: Operation(
                "listEvents", "events", "Read events",
                "Oldest first. Store `next` and send it with the next request; no event is ever missed. One request "
                    + "examines 10,000 events at most, so with `kind` a page can be short although `next` has changed.")
        ) { call in
            let input = call.input
            let (tenant, secrets) = (call.caller.tenant, try catalog.secrets)
            let filter = EventFilter(
                tenant: tenant, license: input.license, account: input.account, enrolment: input.enrolment,
                contentLicense: input.contentLicense, holderRef: input.holder.map { secrets.holderRef($0, of: tenant) },
                kind: input.kind)
            if let fault = try await fault(in: filter) { throw Failure(fault) }
            let page = try await store.eventPage(filter, after: input.after, limit: input.limit)
            return .done(ListPage(page.records.map(secrets.names.shown), next: String(page.next)))
        }
    }

    /// Returns the error for the first id in the filter that the tenant doesn't have; `nil` if the tenant has every
    /// id.
    ///
    /// Without this check, the response to a mistyped id would be an empty page, as if the record had no events.
    private func fault(in filter: EventFilter) async throws(ServerError) -> FieldFault? {
        for kinds in features.records {
            guard let kind = kinds.first, let value = kind.named(filter) else { continue }
            var isKnown = false
            for kind in kinds where !isKnown { isKnown = try await kind.isKnown(filter, filter.tenant, store) }
            if !isKnown { return .unknown(kind.field, kind.name, value) }
        }
        return nil
    }
}

extension FieldFault {
    fileprivate static func unknown(_ name: String, _ what: String, _ value: String) -> FieldFault {
        FieldFault(name, in: .query, .other("this tenant has no \(what) \(value)"))
    }
}
