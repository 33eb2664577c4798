package import TenureHTTP

extension Response {
    /// Responds with a page. Its headers prevent caching, and embedding in other sites.
    ///
    /// - Parameter places: CSP source expressions for other sites that the page's forms lead to. A site must be listed
    ///   even if the response to a form only redirects to the site, because browsers check redirects, too.
    package static func page(_ page: Page, in frame: PageFrame, formsLeadTo places: [String] = []) -> Response {
        var response = Response(
            status: page.status, headers: headers(formsLeadTo: places, colors: frame.brand.colors),
            body: page.document(in: frame))
        response.headers.add("Content-Type", "text/html; charset=utf-8")
        if let choice = frame.choice { response.headers.add("Set-Cookie", choice) }
        return response
    }

    /// Redirects the browser (303) to a page of this server.
    package static func seeOther(_ path: PagePath) -> Response {
        var response = Response(status: 303, headers: pageHeaders)
        response.headers.add("Location", path.text)
        return response
    }

    /// Redirects the browser (303) to a URL outside these pages, such as the one to which a sign-in returns.
    package static func seeOther(at location: String) -> Response {
        var response = Response(status: 303, headers: pageHeaders)
        response.headers.add("Location", location)
        return response
    }

    /// Responds to a `HEAD` request with the headers of a page.
    ///
    /// It's for pages whose `GET` has a side effect, because a `HEAD` request must not have one.
    package static var pageWithoutBody: Response {
        var response = Response(status: 200, headers: pageHeaders)
        response.headers.add("Content-Type", "text/html; charset=utf-8")
        return response
    }

    /// Headers that permit only the built-in style sheet, images of this server or in `data:` URLs, and forms to this
    /// server.
    ///
    /// Browsers block everything else, including scripts.
    private static let pageHeaders = headers(formsLeadTo: [])

    private static func headers(formsLeadTo places: [String], colors: StyleSheet? = nil) -> Headers {
        let sheets = ([.pages] + [colors].compactMap(\.self)).map(\.source).joined(separator: " ")
        return [
            "Content-Security-Policy":
                "default-src 'none'; style-src \(sheets); img-src 'self' data:; form-action "
                + (["'self'"] + places).joined(separator: " ") + "; frame-ancestors 'none'; base-uri 'none'",
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
        ]
    }
}
