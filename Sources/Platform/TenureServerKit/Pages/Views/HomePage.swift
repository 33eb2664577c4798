import TenureCore
import TenureFormats
import TenureHTTP

/// What the server's own address shows: a page to a person, and JSON to a program.
struct HomePage: Sendable {
    let facts: ServerFacts

    /// The response to `GET /`.
    ///
    /// The page has the look of the tenant if there is only one, and doesn't list several.
    func response(to request: Request, in catalog: Catalog) -> Response {
        var response = request.prefersPage ? page(request, catalog) : .json(description)
        response.headers.add("Vary", "Accept")
        return response
    }

    private var description: [UInt8] {
        JSONWriter.object { body in
            body.member("service", "tenure")
            body.member("version", facts.version)
            body.member("description", "/openapi.json")
            body.member("health", "/health")
            body.member("ready", "/ready")
        }
    }

    private func page(_ request: Request, _ catalog: Catalog) -> Response {
        let only = catalog.tenants.count == 1 ? catalog.tenants.values.first : nil
        let notices = PageFrame.Notice.standing(facts)
        let frame =
            (only.map { PageFrame(.home, of: $0, notices: notices) }
            ?? PageFrame(.home, tenant: .sample, marketplace: "Tenure", notices: notices))
            .speaking(to: request, else: only?.language)
        let language = frame.language
        let title = FrameText.homeTitle(in: language)
        let link = Tag.a(.href(PageLink(PagePath(["openapi.json"])))) { "openapi.json" }
        let page = Page(title: title) {
            Tag.div {
                Tag.h1 { title }
                Tag.p(.class("lead")) { FrameText.homeLead(in: language) }
            }
            Tag.section(.class("card")) {
                Tag.p { FrameText.homeText(in: language) }
                Tag.p(.class("soft small")) { FrameText.homeProgram.markup(in: language, with: ["link": link]) }
            }
        }
        return .page(page, in: frame)
    }
}

extension PageSite {
    /// The server's own address.
    static let home = PageSite(matter: FrameText.homeTitle.spoken())
}

extension Request {
    /// Whether the client asks for a page rather than for data, as browsers do.
    fileprivate var prefersPage: Bool {
        headers["Accept"]?.lowercased().split(separator: ",").contains { range in
            range.split(separator: ";").first.map { $0.filter { $0 != " " } == "text/html" } ?? false
        } ?? false
    }
}
