import TenureContent
import TenureContentServer
import TenureCore
import TenureHTTP
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

/// A content holder with devices and a browser, and the vendor's complete server.
final class Learner {
    let vendor: Vendor
    let catalog: CatalogCache
    let holder: String
    var language: String?
    private(set) var cookie: String?

    init(_ holder: String = "ada", at vendor: Vendor) async throws {
        self.vendor = vendor
        self.holder = holder
        catalog = try await CatalogCache(store: vendor.store, master: vendor.master)
    }

    var context: ContentContext { ContentContext(catalog: catalog, clock: vendor.clock) }

    static let contents = """
        {"tenants": [{"id": "acme", "name": "Acme", "content": {
          "policies": [{"id": "rental", "expiresAfterDays": 30, "grantedPlays": 3, "deviceLimit": 2,
            "selfRelease": {"cooldownDays": 10, "perYear": 2}}],
          "items": [{"id": "mck-1", "title": "Lesson 1", "policy": "rental"},
            {"id": "mck-2", "title": "Lesson 2", "policy": "rental"},
            {"id": "mck-3", "title": "Film", "policy": "rental"}],
          "courses": [{"id": "algebra", "title": "Algebra", "items": ["mck-1", "mck-2"]}]}}]}
        """

    static let tenant = TenantID("acme")!

    @discardableResult
    func enrols(_ scope: Enrolment.Scope = .course(CourseID("algebra")!), days: Int? = nil) async throws -> EnrolmentID
    {
        let order = EnrolmentOrder(
            holder: holder, scope: scope,
            terms: Enrolment.Terms(endsAt: days.map { vendor.clock.now().adding(days: $0) }))
        let outcome = try await context.addEnrolment(
            order, of: Self.tenant, by: .operator("test"))
        guard case .done(let enrolment, _, _) = outcome else { throw Unexpected() }
        return enrolment.enrolment.id
    }

    func act(_ act: EnrolmentAct, on enrolment: EnrolmentID) async throws {
        _ = try await context.perform(
            act, on: enrolment, of: Self.tenant, by: .operator("test"))
    }

    /// Creates a token for a device whose id repeats one byte.
    func token(_ device: UInt8, named name: String? = nil) async throws -> String {
        try await context.makeHolderToken(
            for: holder, on: Digest([UInt8](repeating: device, count: 32))!, at: Self.tenant, named: name, hours: 720
        ).text
    }

    /// Requests a content license on a device.
    func gets(_ content: String, with token: String, _ request: String = "request-1") async -> Answer {
        await vendor.post(
            "/content/acme/v1/licenses", #"{"requestId": "\#(request)-\#(content)", "content": "\#(content)"}"#,
            headers: ["Content-Type": "application/json", "Authorization": "Bearer \(token)"])
    }

    /// Creates a sign-in link as the vendor does, and returns its path.
    func link(hours: Int = 24) async throws -> String {
        try await context.makeLearnerLink(
            for: holder, of: Self.tenant, hours: hours, by: .operator("test")
        ).path
    }

    /// Opens a session with a new link.
    func enter() async throws { #expect(await post(try await link(), [:]).status == 303) }

    func get(_ path: String = "/content/acme/learner", query: String = "") async -> Response {
        await send(Request(method: "GET", path: path, query: query, headers: headers))
    }

    /// Sends a form as a page of this server does.
    func post(_ path: String, _ fields: [String: String], site: String = "same-origin") async -> Response {
        var headers = headers
        headers.add("Sec-Fetch-Site", site)
        headers.add("Content-Type", "application/x-www-form-urlencoded")
        let body = fields.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
        return await send(Request(method: "POST", path: path, headers: headers, body: Array(body.utf8)))
    }

    /// Releases a device by its name. Fails if the page has no form for this.
    func releases(_ name: String) async throws -> Response {
        try await post("/content/acme/learner/release", form(for: name))
    }

    /// Returns the fields of the form that releases a device.
    func form(for name: String) async throws -> [String: String] {
        let page = await get().page
        let forms = page.all("input").filter { $0.within.contains("article") }
        let names = page.all("article").map(\.text).filter { $0.contains("Release this device") }
        let card = try #require(names.firstIndex { $0.hasPrefix(name) })
        let values = forms.map { $0.attributes["value"] ?? "" }
        return ["code": try #require(values.dropFirst(card * 2).first), "device": values[card * 2 + 1]]
    }

    func leaves() { cookie = nil }

    func events() async throws -> [Event] {
        try await vendor.store.all(EventRecord.table.all).map(\.event)
    }

    private var headers: Headers {
        var headers: Headers = ["Host": "127.0.0.1"]
        if let language { headers.add("Accept-Language", language) }
        return headers
    }

    private func send(_ request: Request) async -> Response {
        var request = request
        if let cookie { request.headers.add("Cookie", cookie) }
        let response = await vendor.server.handler.respond(to: request)
        let fields = response.headers.values("Set-Cookie").filter { !$0.hasPrefix("tenure_view=") }
        if let field = fields.first, let pair = field.split(separator: ";").first {
            cookie = field.contains("Max-Age=0") ? nil : String(pair)
        }
        return response
    }

    private struct Unexpected: Error {}
}
