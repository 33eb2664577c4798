package import TenureHTTP

extension Response {
    /// Sends a page, never to be kept and never to be shown within another site's.
    /// - Parameter places: Where its forms may lead besides this server, as a policy names places: a browser looks at where
    ///   the answer to a form sends it on, too.
    package static func page(_ page: Page, in frame: PageFrame, formsLeadTo places: [String] = []) -> Response {
        var response = Response(
            status: page.status, headers: headers(formsLeadTo: places), body: page.document(in: frame))
        response.headers.add("Content-Type", "text/html; charset=utf-8")
        return response
    }

    /// Sends the browser on to a page, by GET.
    package static func seeOther(_ path: PagePath) -> Response {
        var response = Response(status: 303, headers: pageHeaders)
        response.headers.add("Location", path.text)
        return response
    }

    /// Sends the browser on to a place elsewhere, by GET.
    package static func seeOther(elsewhere place: String) -> Response {
        var response = Response(status: 303, headers: pageHeaders)
        response.headers.add("Location", place)
        return response
    }

    /// Answers a `HEAD` request whose `GET` would have an effect: the headers of a page, and nothing is done.
    package static var pageWithoutBody: Response {
        var response = Response(status: 200, headers: pageHeaders)
        response.headers.add("Content-Type", "text/html; charset=utf-8")
        return response
    }

    /// Says in a line that there is no page here.
    package static var noPage: Response {
        var response = Response(status: 404, headers: pageHeaders, body: Array("There is nothing here.\n".utf8))
        response.headers.add("Content-Type", "text/plain; charset=utf-8")
        return response
    }

    /// What a page may do: wear its own style sheet, show what is in itself, and send its forms here. Nothing else, and
    /// no code at all.
    private static let pageHeaders = headers(formsLeadTo: [])

    private static func headers(formsLeadTo places: [String]) -> Headers {
        [
            "Content-Security-Policy":
                "default-src 'none'; style-src \(StyleSheet.pages.source); img-src 'self' data:; form-action "
                + (["'self'"] + places).joined(separator: " ") + "; frame-ancestors 'none'; base-uri 'none'",
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
        ]
    }
}
