import TenureCore
import TenureFormats
import TenureHTTP
import TenureServerKit

extension MarketplaceDialect {
    /// Tells the account's marketplace app which apps to renew, and where to go on: `?since=CURSOR`.
    ///
    /// `renew` lists the apps to hand to `requestLicenseRenewal`; `licenses` says why, one entry for each license.
    func respondToState(_ request: Request, _ place: Place) async throws(MarketplaceFailure) -> Response {
        let account = try await bearer(of: request, at: place)
        guard let query = QueryItems(request.query) else { throw .malformed("?", "cannot be read") }
        guard let since = Int64(query["since"] ?? "0"), since >= 0 else {
            throw .malformed("?since", "must be the cursor of an earlier answer")
        }
        let news = try await failing { () async throws(ServerError) -> ReadLicenseNews.News? in
            try await self.news(of: AccountRef(tenant: place.tenant, account: account), since: since)
        }
        guard let news else { throw .noMarketplace }
        let items = Set(news.entries.filter { $0.cause != nil }.map(\.license.item)).sorted()
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
        return response
    }
}

extension JSONObjectWriter {
    fileprivate mutating func entry(_ entry: ReadLicenseNews.Entry) {
        member("licenseID", String(entry.license.id.number))
        member("appleItemID", entry.license.item.description)
        member("appleVersionID", entry.license.asset.version.description)
        member("state", entry.state.rawValue)
        member("expiresAt", entry.license.term.end?.description)
        member("cause", entry.cause?.rawValue)
    }
}
