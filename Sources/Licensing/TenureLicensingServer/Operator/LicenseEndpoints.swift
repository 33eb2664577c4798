import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

/// The endpoints under `/v1/{tenant}` for a vendor's shop and back office, which authenticate with a token.
///
/// They translate requests and responses, and decide nothing.
struct LicenseEndpoints: Sendable {
    let licensing: LicensingContext
    let baseURL: String?

    /// Authenticates a caller whose token has this scope.
    func with(_ scope: String) -> Authentication<OperatorCaller> {
        .operator(scope, by: licensing.shared)
    }

    var endpoints: [Endpoint] {
        [create, list, find, show, explain, activations] + acts
            + [
                change, rekey, SendKeyEndpoint(licenses: self).endpoint, ShowKeyEndpoint(licenses: self).endpoint,
                transfer, release, forgive, link, links, endLinks,
            ]
    }

    private struct ListQuestion: Sendable {
        let kind: LicenseKind?
        let product: ProductID?
        let policy: PolicyID?
        let holder: String?
        let holderEmail: String?
        let order: String?
        let state: License.State?
        let expiresBefore: Timestamp?
        let expiresAfter: Timestamp?
        let after: LicenseID?
        let limit: Int
    }

    private var list: Endpoint {
        let fields = Fields { fields in
            ListQuestion(
                kind: try fields.licenseKind(),
                product: try fields.optional("product", .slug(), in: .query, "Only licenses of this product."),
                policy: try fields.optional("policy", .slug(), in: .query, "Only licenses under this policy."),
                holder: try fields.optional(
                    "holder", .line(0...256), in: .query, "Only licenses of this holder, in any spelling."),
                holderEmail: try fields.optional(
                    "holderEmail", .line(0...256), in: .query,
                    "Only licenses with this address for letters, in any spelling."),
                order: try fields.optional(
                    "order", .line(0...256), in: .query, "Only licenses of this order, in any spelling."),
                state: try fields.optional("state", .choice, in: .query, "Only licenses that are in this state now."),
                expiresBefore: try fields.optional(
                    "expiresBefore", .dateTime, in: .query, "Only licenses whose term has ended at this time."),
                expiresAfter: try fields.optional(
                    "expiresAfter", .dateTime, in: .query, "Only licenses whose term hasn't ended at this time."),
                after: try fields.optional(
                    "after", .licenseID, in: .query, "The value of `next` from the previous page."),
                limit: try fields.pageLimit())
        }
        return Endpoint(
            "GET", "/v1/{tenant}/licenses", format: .problem, catalog: .cached, authentication: with("licenses:read"),
            reads: fields,
            answers: ListPage.document("licenses", of: ListedLicense.document),
            operation: Operation(
                "listLicenses", "licenses", "List licenses",
                "Ordered by id. One request examines \(BoundedPage<License>.stretch) licenses at most, so with a filter "
                    + "a page can be short although `next` is set.")
        ) { call in
            let (now, input) = (licensing.clock.now(), call.input)
            if input.kind == .app {
                throw Failure(FieldFault("kind", in: .query, .other("this server has no app licenses")))
            }
            try await check(product: input.product, policy: input.policy, of: call.caller.tenant)
            var filter = LicenseFilter(tenant: call.caller.tenant, now: now)
            (filter.product, filter.policy) = (input.product, input.policy)
            (filter.holder, filter.order, filter.state) = (input.holder, input.order, input.state)
            filter.holderEmail = input.holderEmail
            (filter.expiresBefore, filter.expiresAfter) = (input.expiresBefore, input.expiresAfter)
            let chosen = filter
            let page = try await licensing.store.licenses(chosen, after: input.after, limit: input.limit)
            let catalog = licensing.catalog.current.catalog
            return .done(
                ListPage(
                    page.rows.map { ListedLicense($0, in: catalog, at: now) }, next: page.next?.id.description))
        }
    }

    /// Throws ``Failure`` for the first filter value that the tenant doesn't have.
    ///
    /// An empty list would wrongly suggest that nothing had been sold.
    private func check(product: ProductID?, policy: PolicyID?, of tenant: TenantID) async throws {
        guard product != nil || policy != nil else { return }
        func fault(in catalog: Catalog) -> Failure? {
            let products = (catalog.tenants[tenant]?.products ?? [:]).filter { product == nil || $0.key == product }
            if let product, products.isEmpty {
                return .unknownProduct(product)
            }
            guard let policy, !products.values.contains(where: { $0.policies[policy] != nil }) else { return nil }
            let subject = product.map { "The product \($0)" } ?? "No product of this tenant"
            return .unknownPolicy("\(subject) has \(product == nil ? "a" : "no") policy \(policy).")
        }
        guard fault(in: licensing.catalog.current.catalog) != nil else { return }
        // Another server may have applied a new catalog a moment ago.
        if let fault = fault(in: try await licensing.catalog.refreshIfChanged().catalog) {
            throw fault.aboutMissingRecord()
        }
    }

    private var find: Endpoint {
        let fields = Fields { fields in
            try fields.one(
                of: .init(
                    "licenseKey", .line(1...LicenseKeyText.longest),
                    "The key as typed; case, white space, missing dashes and quotes are ignored."),
                or: .init(
                    "text", .line(1...LicenseKeyText.longest),
                    "What a customer says: a key, a license id, a masked key, the last four characters of a key, an "
                        + "e-mail address or its beginning, or the reference of an order."),
                must: "a license key, unless there is a text")
        }
        let document = Document<AsOf<LicenseLookUp>>(
            nil,
            [
                .list("licenses", of: License.document) { found in
                    found.value.licenses.map { AsOf($0, at: found.now) }
                },
                .boolean(
                    "certain",
                    "Whether these licenses are what was asked for: a whole key or an id was given, or the masked key of "
                        + "exactly one. Otherwise ask the customer before you act."
                ) { $0.value.isCertain },
                .list(
                    "replacedKeys", of: ReplacedKey.document,
                    "The former keys by which some of these licenses were found. Never act for somebody who has only a "
                        + "replaced key without asking who it is."
                ) { $0.value.replacedKeys },
            ])
        return Endpoint(
            "POST", "/v1/{tenant}/licenses/find", format: .problem, catalog: .cached,
            authentication: with("licenses:read"), reads: fields,
            answers: document,
            operation: Operation(
                "findLicenses", "licenses", "Find licenses by what a customer says",
                "At most 100 licenses, ordered by id. The text is sent in the body, never in a URL.")
        ) { call in
            let tenant = call.caller.tenant
            let lookUp: LicenseLookUp =
                switch call.input {
                case .first(let key):
                    try await licensing.store.lookUpKey(key, tenant: tenant)
                case .second(let text): try await licensing.store.lookUpLicenses(text, tenant: tenant)
                }
            return .done(AsOf(lookUp, at: licensing.clock.now()))
        }
        .outsideChangeLimit()
    }

    private var show: Endpoint {
        Endpoint(
            "GET", Self.license, format: .problem, catalog: .cached, authentication: with("licenses:read"),
            reads: Self.oneLicense,
            answers: License.document, operation: Operation("getLicense", "licenses", "Get a license")
        ) { call in
            .done(AsOf(try await license(call.input, of: call.caller), at: licensing.clock.now()))
        }
    }

    private struct Explained: Sendable {
        let license: LicenseID
        let explanation: License.Explanation
        let formerKeys: [ReplacedKey]

        static let document = Document<Explained>(
            "Explanation",
            [.text("license", "Its id.") { $0.license.description }]
                + License.Explanation.document.members { $0.explanation } + [
                    .list("formerKeys", of: ReplacedKey.document, "The keys that it had before, latest first.") {
                        $0.formerKeys
                    }
                ])
    }

    private var explain: Endpoint {
        Endpoint(
            "GET", Self.license + "/explain", format: .problem, catalog: .cached, authentication: with("licenses:read"),
            reads: Self.oneLicense,
            answers: Explained.document,
            operation: Operation(
                "explainLicense", "licenses", "Explain a license",
                "Its current state and the reasons for it, each with a remedy.")
        ) { call in
            let license = try await license(call.input, of: call.caller)
            let explanation = try await licensing.explain(license)
            let formerKeys = try await licensing.store.replacedKeys(of: license.id)
            return .done(Explained(license: license.id, explanation: explanation, formerKeys: formerKeys))
        }
    }

    private var activations: Endpoint {
        let fields = Fields { fields in
            (
                license: try fields.licenseInPath(),
                all: try fields.optional("released", .boolean, in: .query, "Whether to include released devices.")
                    ?? false
            )
        }
        return Endpoint(
            "GET", Self.license + "/activations", format: .problem, catalog: .cached,
            authentication: with("licenses:read"), reads: fields,
            answers: Document(nil, [.list("activations", of: SeenActivation.document) { $0 }]),
            operation: Operation(
                "listActivations", "activations", "List a license's devices",
                "Oldest first. Of more than 1,000 devices it lists those activated last, and likewise of the released "
                    + "ones those released last.")
        ) { call in
            let license = try await license(call.input.license, of: call.caller)
            let all = call.input.all
            let devices = try await licensing.store.devices(of: license.id, includingReleased: all)
            return .done(devices.shown(by: try licensing.catalog.secrets.names).all)
        }
    }

    static let license = "/v1/{tenant}/licenses/{license}"

    /// The fields of an endpoint that needs nothing but the license's id.
    static let oneLicense = Fields { fields in try fields.licenseInPath() }

    /// The tenant's license with this id; throws `notFound` for another tenant's license too.
    func license(_ id: LicenseID, of caller: OperatorCaller) async throws -> License {
        let found = try await licensing.store.licenses(matching: LicenseName(.id(id), tenant: caller.tenant))
        guard let license = found.first else { throw Failure.notFound }
        return license
    }
}

extension Failure {
    /// The failure of a request for a letter about a license without an address.
    static var holderEmailMissing: Failure {
        Failure(
            RejectedRequest(
                422, code: "holder_email_missing",
                "The license has no e-mail address for a letter. Send `holderEmail`, or a `holder` that is an address.",
                among: Reason.Kind.licensingRequests))
    }

    static func unknownProduct(_ product: ProductID, title: String? = nil) -> Failure {
        unknownName("product_unknown", "This tenant has no product \(product). Name one of its products.", title)
    }

    static func unknownPolicy(_ sentence: String, title: String? = nil) -> Failure {
        unknownName("policy_unknown", sentence, title)
    }

    private static func unknownName(_ code: String, _ sentence: String, _ title: String?) -> Failure {
        Failure(RejectedRequest(422, code: code, sentence, title: title, among: Reason.Kind.licensingRequests))
    }
}
