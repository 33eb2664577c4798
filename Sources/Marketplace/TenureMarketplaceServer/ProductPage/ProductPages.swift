import TenureCore
import TenureHTTP
import TenureMarketplace
import TenureServerKit
import TenureStore

/// The product page of an app, which describes the app and how to get it.
///
/// Browsers may install only the marketplace's own app, because the system knows one domain per app. For other apps,
/// the page explains how to find them in the marketplace app. All visitors see the same page.
struct ProductPages: Sendable {
    let context: MarketplaceContext
    let notices: [PageFrame.Notice]
    /// The value of `--base-url`, which is the origin of the server's only marketplace; `nil` for `https://` and the
    /// marketplace's domain.
    let baseURL: String?

    /// The page under `/apps/{tenant}/{item}`.
    ///
    /// The page contains a newly signed token, so it isn't served while the clock is untrusted.
    var endpoints: [Endpoint] {
        let group = PageGroup(.product, notices: notices, fault: "product_page_failed") { [notices] vendor, snapshot in
            PageFrame(.product, ofMarketplaceOf: vendor, notices: notices)?.noting(simulatedEngineIn: snapshot)
        }
        let item = Fields { fields in try fields.required("item", .formText, in: .path) }
        return [
            group.page("GET", "/{item}", item) { visitor, item in
                guard let marketplace = visitor.vendor.marketplace else { throw Failure.noPage }
                let caller = Caller(visit: visitor.visit, marketplace: marketplace, snapshot: visitor.snapshot)
                return try await page(of: AppleItemID(text: item), at: caller)
            }.dated()
        ]
    }

    /// The marketplace of a product page; its keys may still be missing.
    struct Caller: Sendable {
        let visit: Visit
        let marketplace: Marketplace
        let snapshot: CatalogSnapshot

        var tenant: TenantID { visit.tenant }
    }

    private func page(of item: AppleItemID?, at caller: Caller) async throws -> Response {
        guard let item, let app = caller.marketplace.apps[item] else {
            return caller.visit.show(
                UnknownAppView(at: caller.marketplace, of: caller.tenant).page(in: caller.visit.frame.language))
        }
        let decision = caller.marketplace.install(item, nil, on: nil, right: .everybody, at: context.clock.now())
        let link = item == caller.marketplace.appleItemID ? try await install(decision, at: caller) : nil
        let view = ProductView(app, at: caller.marketplace, of: caller.tenant, offered: decision, link: link)
        var response = caller.visit.show(view.page(in: caller.visit.frame.language))
        // Reloads the page before its token expires, without a script.
        if link != nil { response.headers.add("Refresh", String(Self.reloadSeconds)) }
        return response
    }

    /// The link that installs the marketplace's own app, with a new token.
    ///
    /// The link is `nil` if no version is offered or there are no keys yet. It's also `nil` if the package is on
    /// another host than the page.
    private func install(_ decision: Decision<AppOffer>, at caller: Caller) async throws -> PageLink? {
        let origin = caller.snapshot.origin(of: caller.marketplace, orAt: baseURL)
        guard case .granted(let offer) = decision, caller.snapshot.marketplaceKeys[caller.tenant] != nil else {
            return nil
        }
        let paths = MarketplacePaths(tenant: caller.tenant)
        let package = offer.packageURL(orBelow: origin + paths.packages)
        guard package.hasPrefix(origin + "/") else { return nil }
        let market = try MarketplaceCaller(caller.tenant, in: caller.snapshot)
        let signed = try await context.signOffers([offer], as: .first, by: offer.app.item, at: market)
        return signed.first.map { signed in
            PageLink(
                installing: package, token: signed.token,
                shareURL: offer.app.shareURL ?? origin + paths.product(offer.app.item))
        }
    }

    /// The number of seconds after which the page reloads; a token is valid for ten minutes.
    static let reloadSeconds = 480
}

extension MarketplaceApp {
    /// The link to more information about the app: the vendor's URL, or the product page if the vendor has set
    /// none.
    func shareLink(of tenant: TenantID) -> PageLink {
        shareURL.flatMap(PageLink.init(web:))
            ?? PageLink(PagePath(PageSite.product.segments(of: tenant) + [item.description]))
    }
}

extension PageSite {
    /// The site of the product pages.
    static let product = PageSite(
        "apps", matter: ProductPageText.matter.spoken(), hasStartPage: false)
}
