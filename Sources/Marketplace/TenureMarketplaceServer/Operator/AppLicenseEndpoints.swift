import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

/// The app license endpoints for a vendor's support, below `/v1/{tenant}/licenses`.
///
/// Product licenses use the same paths; see ``TenureServerKit/Endpoint/joined(_:)``.
struct AppLicenseEndpoints: Sendable {
    let context: MarketplaceContext

    var endpoints: [Endpoint] { [list.beside(.query("kind", LicenseKind.app.rawValue))] + [show, explain] }

    private var authentication: Authentication<OperatorCaller> {
        .operator("accounts:read", by: context.shared)
    }

    private struct ListQuestion: Sendable {
        let account: AccountID?
        let item: AppleItemID?
        let state: LifecycleState?
        let includesReplaced: Bool
        let after: LicenseID?
        let limit: Int
    }

    private var list: Endpoint {
        let fields = Fields { fields in
            _ = try fields.licenseKind()
            return ListQuestion(
                account: try fields.optional(
                    "account", .accountID, in: .query, "With `kind=app`: only licenses of this account."),
                item: try fields.optional(
                    "item", .appleItem, in: .query, "With `kind=app`: only licenses of this app."),
                state: try fields.optional("state", .choice, in: .query, "Only licenses that are in this state now."),
                includesReplaced: try fields.optional(
                    "replaced", .boolean, in: .query,
                    "With `kind=app`: whether to include licenses that a newer one of the device has replaced.")
                    ?? false,
                after: try fields.optional(
                    "after", .licenseID, in: .query, "The value of `next` from the previous page."),
                limit: try fields.pageLimit())
        }
        return Endpoint(
            "GET", "/v1/{tenant}/licenses", format: .problem, catalog: .cached, authentication: authentication,
            reads: fields,
            answers: ListPage.document("licenses", of: AppLicense.document),
            operation: Operation(
                "listAppLicenses", "licenses", "List app licenses",
                "With `kind=app` and the scope `accounts:read`: app licenses, app by app. One request examines "
                    + "\(PagedAppLicenses.stretch) of them at most, so with `state` a page can be short although "
                    + "`next` is set."
            )
        ) { call in
            let (now, input, tenant) = (context.clock.now(), call.input, call.caller.tenant)
            try await check(account: input.account, item: input.item, of: tenant)
            let filter = AppLicenseFilter(
                tenant: tenant, account: input.account, item: input.item, state: input.state,
                includesReplaced: input.includesReplaced, now: now)
            let page = try await context.store.pagedAppLicenses(
                filter, of: tenant, after: input.after, limit: input.limit)
            guard let page else {
                throw Failure(
                    FieldFault("after", in: .query, .invalid(must: "the value of `next` from the previous page")))
            }
            return .done(ListPage(page.licenses.map { AsOf($0, at: now) }, next: page.next?.description))
        }
    }

    /// Checks that the tenant has the app and the account of a filter.
    ///
    /// Without this check, an empty list would suggest that the app or account has no licenses.
    ///
    /// - Throws: ``Failure`` if one of them doesn't exist.
    private func check(account: AccountID?, item: AppleItemID?, of tenant: TenantID) async throws {
        let isOffered: (Catalog) -> Bool? = { catalog in
            catalog.tenants[tenant]?.marketplace.map { market in item.map { market.apps[$0] != nil } ?? true }
        }
        // Another server may have added the app to the catalog a moment ago.
        var offered = isOffered(context.catalog.current.catalog)
        if offered != true { offered = isOffered(try await context.catalog.refreshIfChanged().catalog) }
        guard let offered else { throw Failure.noMarketplace }
        if !offered, let item {
            throw Failure(FieldFault("item", in: .query, .other("this marketplace has no app \(item)")))
        }
        guard let account else { return }
        let found = try await context.store.account(AccountRef(tenant: tenant, account: account))
        if found == nil {
            throw Failure(FieldFault("account", in: .query, .other("this tenant has no account \(account)")))
        }
    }

    private var show: Endpoint {
        Endpoint(
            "GET", Self.license, format: .problem, catalog: .cached, authentication: authentication,
            reads: Self.oneLicense,
            answers: AppLicense.document,
            operation: Operation(
                "getAppLicense", "licenses", "Get an app license",
                "An app license needs the scope `accounts:read`.")
        ) { call in
            .done(AsOf(try await license(call.input, of: call.caller), at: context.clock.now()))
        }
        .beside(.notFound)
    }

    private struct Explained: Sendable {
        let license: LicenseID
        let explanation: AppLicense.Explanation

        static let document = Document<Explained>(
            "AppExplanation",
            [.text("license", "Its id.") { $0.license.description }]
                + AppLicense.Explanation.document.members { $0.explanation })
    }

    private var explain: Endpoint {
        Endpoint(
            "GET", Self.license + "/explain", format: .problem, catalog: .cached, authentication: authentication,
            reads: Self.oneLicense,
            answers: Explained.document,
            operation: Operation(
                "explainAppLicense", "licenses", "Explain an app license",
                "For an app license, with the scope `accounts:read`: why its device wouldn't get it "
                    + "renewed.")
        ) { call in
            let license = try await license(call.input, of: call.caller)
            let explanation = try await context.explain(license)
            return .done(Explained(license: license.id, explanation: explanation))
        }
        .beside(.notFound)
    }

    private static let license = "/v1/{tenant}/licenses/{license}"

    private static let oneLicense = Fields { fields in try fields.licenseInPath() }

    /// The license in the path; another tenant's license counts as unknown.
    private func license(_ id: LicenseID, of caller: OperatorCaller) async throws -> AppLicense {
        let found = try await context.store.appLicense(id)
        guard let found, found.tenant == caller.tenant else { throw Failure.notFound }
        return found
    }
}
