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
    /// The page doesn't repeat the address, which is untrusted.
    func page(in language: PageLanguage) -> Page {
        let title = ProductPageText.unknownTitle(in: language)
        return Page(status: 404, title: title) {
            Tag.h1 { title }
            Tag.section(.class("card")) {
                Tag.p { ProductPageText.unknownText(in: language, ["marketplace": marketplace]) }
                if let ownApp {
                    Tag.div(.class("acts")) {
                        Tag.a(.class("button plain"), .href(ownApp)) {
                            ProductPageText.getApp(in: language, ["marketplace": marketplace])
                        }
                    }
                }
            }
        }
    }
}
