package import TenureCore
package import TenureHTTP

/// The pages of a site: the tenants that have them, the frame of the pages, and the log event of server errors.
package struct PageGroup: Sendable {
    /// Returns the frame of a tenant's pages before a language is chosen; `nil` if the tenant has no such pages.
    package typealias Frame = @Sendable (Tenant, CatalogSnapshot) -> PageFrame?

    /// A request to a tenant's pages, with the catalog that the response is based on.
    package struct Visitor: Sendable {
        package var visit: Visit
        package let vendor: Tenant
        package let snapshot: CatalogSnapshot
    }

    let site: PageSite
    private let format: ResponseFormat
    private let authentication: Authentication<Visitor>

    /// Declares the pages of a site.
    ///
    /// - Parameters:
    ///   - notices: The notices at the top of an error page.
    ///   - fault: The name of the log event for a server error.
    ///   - formsMayBeEmpty: Whether a form without a body and a media type counts as a form without fields.
    package init(
        _ site: PageSite, notices: [PageFrame.Notice], fault: String, formsMayBeEmpty: Bool = false,
        frame: @escaping Frame
    ) {
        self.site = site
        var format = ResponseFormat.page(site, notices: notices, fault: fault)
        format.readsNoBodyAsEmpty = formsMayBeEmpty
        self.format = format
        authentication = Authentication { request, path, snapshot in
            guard let tenant = path["tenant"].flatMap({ TenantID($0) }), let vendor = snapshot.catalog.tenants[tenant],
                let frame = frame(vendor, snapshot)
            else { throw Failure.noPage }
            return Visitor(
                visit: Visit(request: request, frame: frame.speaking(to: request, else: vendor.language)),
                vendor: vendor, snapshot: snapshot)
        }
    }

    /// Declares a page or a form by its path relative to the start page; an empty path is the start page's own.
    package func page<Input: Sendable>(
        _ method: String, _ path: String, _ fields: Fields<Input>,
        _ respond: @escaping @Sendable (Visitor, Input) async throws -> Response
    ) -> Endpoint {
        Endpoint(
            method, site.pattern + path, format: format, catalog: .current, authentication: authentication,
            reads: fields
        ) { call in .done(try await respond(call.caller, call.input)) }
    }

    /// Declares a form, and a redirect from the form's URL to the start page.
    ///
    /// A browser may open the form's URL with GET, for example from its history.
    package func form<Input: Sendable>(
        _ name: String, _ fields: Fields<Input>,
        _ respond: @escaping @Sendable (Visitor, Input) async throws -> Response
    ) -> [Endpoint] {
        [
            page("POST", "/" + name, fields, respond),
            page("GET", "/" + name, .none) { visitor, _ in .seeOther(visitor.visit.frame.path()) },
        ]
    }
}
