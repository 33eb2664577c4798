import TenureCore
import TenureMarketplace
import TenureServerKit

/// The page for an address that doesn't belong to any app of the marketplace.
struct UnknownAppView: Sendable, Hashable {
    let marketplace: String
    /// The product page of the marketplace's own app; `nil` if the catalog doesn't list it.
    let ownApp: PageLink?

    init(at marketplace: Marketplace, of tenant: TenantID) {
        self.marketplace = marketplace.name
        ownApp = marketplace.appleItemID.flatMap { marketplace.apps[$0] }?.shareLink(of: tenant)
    }

    /// The page, with status 404.
    ///
    /// It doesn't repeat the address, which is untrusted.
    var page: Page {
        Page(status: 404, title: "App not found") {
            Tag.h1 { "App not found" }
            Tag.section(.class("card")) {
                Tag.p {
                    "\(marketplace) has no app at this address. Check the link, or search for the app in "
                        + "\(marketplace)."
                }
                if let ownApp {
                    Tag.div(.class("acts")) {
                        Tag.a(.class("button plain"), .href(ownApp)) { "Get the \(marketplace) app" }
                    }
                }
            }
        }
    }
}
