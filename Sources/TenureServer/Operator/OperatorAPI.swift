import TenureCore
import TenureHTTP
import TenureServerKit
import TenureStore

/// The operator API under `/v1/{tenant}`: what a vendor's shop and back office call with a token.
///
/// `/openapi.json` describes it. It translates and decides nothing.
struct OperatorAPI: Sendable {
    let store: any Store
    let clock: any WallClock
    let names: PublicNames

    typealias Endpoint = TenureServerKit.Endpoint<CatalogSnapshot>

    /// The endpoints that are no room's, with the description of these and of the rooms'.
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

    /// Who holds a token with this scope.
    func with(_ scope: String) -> Admission<CatalogSnapshot, OperatorPlace> {
        .operator(scope, by: Authenticate(store: store, clock: clock))
    }

    private struct EventQuestion: Sendable {
        let license: LicenseID?
        let enrolment: EnrolmentID?
        let contentLicense: ContentLicenseID?
        let after: Int64
        let limit: Int
    }

    private var events: Endpoint {
        let fields = Fields { fields in
            EventQuestion(
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
                "Oldest first. Keep `next` and ask again: no event is ever missed.")
        ) { call in
            var filter = EventFilter(tenant: call.place.tenant)
            filter.license = call.input.license
            (filter.enrolment, filter.contentLicense) = (call.input.enrolment, call.input.contentLicense)
            let (chosen, input) = (filter, call.input)
            let events = try await asking { () async throws(StoreError) in
                try await store.events(chosen, after: input.after, limit: input.limit)
            }
            return .done(ListPage(events.map(names.shown), next: String(events.last?.sequence ?? input.after)))
        }
    }
}

extension Shape where Value == Int64 {
    /// The cursor of a list of events.
    fileprivate static var eventCursor: Shape {
        .text(
            "what `next` said on the page before", like: "0", schema: .text(pattern: "^(0|[1-9][0-9]{0,17})$")
        ) { text in
            guard let number = Int64(text), number >= 0, String(number) == text else { return nil }
            return number
        }
    }
}
