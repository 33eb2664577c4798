import TenureCore
import TenureFormats
import TenureHTTP
import TenureMarketplace
import TenureServerKit

extension MarketplaceDialect {
    /// Returns an account's licenses, the apps to renew, and the cursor for the next call (`?since=CURSOR`).
    ///
    /// `renew` lists the apps that the marketplace app passes to `requestLicenseRenewal`; `licenses` has the reason for
    /// each license.
    var state: Endpoint {
        let fields = Fields { fields in try fields.optional("since", .newsCursor, in: .query) ?? 0 }
        return Endpoint(
            "GET", "/marketplace/{tenant}/licenses/state", format: .apple, catalog: .current,
            authentication: .account(by: context),
            reads: fields
        ) { [self] call in
            let account = AccountRef(tenant: call.caller.market.tenant, account: call.caller.account)
            guard let news = try await context.licenseNews(of: account, since: call.input) else {
                throw Failure.noMarketplace
            }
            let items = Set(news.entries.filter { $0.cause?.wantsRenewal ?? false }.map(\.license.item)).sorted()
            var response = Response.json(
                JSONWriter.object { body in
                    body.member("cursor", String(news.cursor))
                    body.member("hasMore", news.hasMore)
                    body.member("renew", items.map(\.description))
                    body.array("licenses") { list in
                        for entry in news.entries { list.object { $0.entry(entry) } }
                    }
                })
            response.headers.add("Cache-Control", "no-store")
            return .done(response)
        }
    }
}

extension JSONObjectWriter {
    fileprivate mutating func entry(_ entry: AppLicenseNews.Entry) {
        member("licenseID", String(entry.license.id.number))
        member("appleItemID", entry.license.item.description)
        member("appleVersionID", entry.license.asset.version.description)
        member("state", entry.state.rawValue)
        member("expiresAt", entry.license.term.end?.description)
        member("cause", entry.cause?.rawValue)
    }
}

extension FieldType where Value == Int64 {
    fileprivate static var newsCursor: FieldType {
        .text("the cursor of an earlier response", like: "0", schema: .text()) { text in
            Int64(text).flatMap { $0 >= 0 ? $0 : nil }
        }
    }
}
