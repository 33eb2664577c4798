import TenureCore
import TenureHTTP
import TenureLicensing
import TenureLicensingServer
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

/// A license holder with a browser, and the vendor's complete server.
final class Holder {
    let vendor: Vendor
    private(set) var cookie: String?
    /// The cookie that keeps the language and the time zone.
    private(set) var view: String?

    init(at vendor: Vendor) {
        self.vendor = vendor
    }

    /// Creates a sign-in link as the operator does, and returns its text.
    func link(to key: String = "NOTE-PRO0-0000-0001", hours: Int64 = 24) async throws -> String {
        let license = try await vendor.store.findLicenses(key)[0]
        let catalog = try await CatalogCache(store: vendor.store, master: vendor.master)
        let created = try #require(
            try await LicensingContext(catalog: catalog, clock: vendor.clock).makeLicenseLink(
                to: license.id, expiresAt: vendor.clock.now().adding(seconds: hours * 3600), by: .operator("test")))
        #expect(created.path == "/portal/acme/link/\(created.text)")
        return created.text
    }

    func get(_ path: String, query: String = "", language: String? = nil) async -> Response {
        var headers: Headers = ["Host": "127.0.0.1"]
        if let language { headers.add("Accept-Language", language) }
        return await send(Request(method: "GET", path: path, query: query, headers: headers))
    }

    /// Opens a session with a new link, and returns the page's text.
    func page(of key: String, language: String? = nil) async throws -> String {
        try await enter(key)
        return await get("/portal/acme", language: language).page.text
    }

    /// Sends a form as a page of this server does.
    func post(_ path: String, _ fields: [String: String], site: String = "same-origin") async -> Response {
        let headers: Headers = [
            "Host": "127.0.0.1", "Sec-Fetch-Site": site, "Content-Type": "application/x-www-form-urlencoded",
        ]
        let body = fields.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
        return await send(Request(method: "POST", path: path, headers: headers, body: Array(body.utf8)))
    }

    /// Opens a session with a new link.
    func enter(_ key: String = "NOTE-PRO0-0000-0001") async throws {
        leaves()
        #expect(await post("/portal/acme/link", ["link": try await link(to: key)]).status == 303)
    }

    /// Returns the fields of the form that releases a device, or `nil` if there is no such form.
    func form(for name: String) async -> [String: String]? {
        let page = ReadPage(await get("/portal/acme").body.bytes)
        guard let card = page.all("article").firstIndex(where: { $0.text.contains(name) }) else { return nil }
        let values = page.all("input").filter { $0.within.contains("article") }.map { $0.attributes["value"] ?? "" }
        guard values.count > card * 2 + 1 else { return nil }
        return ["code": values[card * 2], "activation": values[card * 2 + 1]]
    }

    func leaves() { cookie = nil }

    private func send(_ request: Request) async -> Response {
        var request = request
        let cookies = [cookie, view].compactMap(\.self)
        if !cookies.isEmpty { request.headers.add("Cookie", cookies.joined(separator: "; ")) }
        let response = await vendor.server.handler.respond(to: request)
        let fields = response.headers.values("Set-Cookie")
        for field in fields where field.hasPrefix("tenure_view=") {
            view = field.split(separator: ";").first.map(String.init)
        }
        let own = fields.filter { !$0.hasPrefix("tenure_view=") }
        if let field = own.first, let pair = field.split(separator: ";").first {
            cookie = field.contains("Max-Age=0") ? nil : String(pair)
        }
        return response
    }
}
