import TenureCore
import TenureFormats
package import TenureHTTP

/// The response at the server's root path, `/`: a page for a person, or JSON for a program.
struct HomePage: Sendable {
    let facts: ServerFacts

    /// The response to `GET /`.
    ///
    /// With only one tenant, the page uses the tenant's brand. With several, it uses the standard brand and doesn't
    /// list the tenants.
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

    /// The page for a path that doesn't exist; `nil` for a client that requests data, and for methods other than `GET`
    /// and `HEAD`.
    ///
    /// - Parameter isAway: Whether the catalog hasn't been read yet, so that the path may exist. The page then says
    ///   that the server is busy.
    func missing(at request: Request, in catalog: Catalog, isAway: Bool) -> Response? {
        guard ["GET", "HEAD"].contains(request.method), request.prefersPage else { return nil }
        let frame = frame(for: request, in: catalog)
        var response = isAway ? Visit(request: request, frame: frame).show(.busy) : .noPage(in: frame)
        response.headers.add("Vary", "Accept")
        return response
    }

    private func frame(for request: Request, in catalog: Catalog) -> PageFrame {
        let only = catalog.tenants.count == 1 ? catalog.tenants.values.first : nil
        let notices = PageFrame.Notice.persistent(facts)
        return
            (only.map { PageFrame(.home, of: $0, notices: notices) }
            ?? PageFrame(.home, tenant: .sample, marketplace: "Tenure", notices: notices))
            .speaking(to: request, else: only?.language)
    }

    private func page(_ request: Request, _ catalog: Catalog) -> Response {
        let frame = frame(for: request, in: catalog)
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
    /// The page at the server's root path, `/`.
    static let home = PageSite(matter: FrameText.homeTitle.spoken())
}

extension Response {
    /// Responds to a person with 404 and a page that says what to check.
    ///
    /// The page is the same at every address, so that it doesn't reveal why the address has no page.
    static func noPage(in frame: PageFrame) -> Response {
        var frame = frame
        (frame.here, frame.query) = (nil, [])
        let language = frame.language
        return .page(
            Page(status: 404, title: FrameText.nothingHere(in: language), paragraph: FrameText.homeText(in: language)),
            in: frame)
    }

    /// Responds with 404 and the page for an address without a page, with the standard brand.
    package static func noPage(for request: Request, notices: [PageFrame.Notice] = []) -> Response {
        noPage(
            in: PageFrame(.home, tenant: .sample, marketplace: "Tenure", notices: notices).speaking(to: request))
    }
}

extension Request {
    /// Whether the client accepts HTML, as browsers do, so that it gets a page rather than data.
    fileprivate var prefersPage: Bool {
        HeaderText.elements(of: headers.values("Accept")).contains { range in
            HeaderText.parameters(of: range).value == "text/html"
        }
    }
}
