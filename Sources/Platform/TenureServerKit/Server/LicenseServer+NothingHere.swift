import TenureCore
import TenureFormats
public import TenureHTTP

extension LicenseServer {
    /// The response to a request that no route matches.
    ///
    /// Its body is both a problem (RFC 9457) and an error that Keylight clients understand.
    static let nothingHere: Router.Fallback = { _, miss in
        let (status, code, text) =
            switch miss {
            case .notFound: (404, "route_unknown", "There is nothing at this path. Check the path.")
            case .methodNotAllowed:
                (405, "method_not_allowed", "This path doesn't support this method. Use one from the Allow header.")
            }
        return problem(status: status, code: code, text)
    }

    /// The response to an unknown path before the catalog has been read. An app in the catalog may define the path.
    static var storeAway: Response {
        var response = problem(
            status: 503, code: "try_again", "The server can't reach its store right now. Try again in a moment.")
        response.headers.add("Retry-After", "1")
        return response
    }

    /// The response to a request that the HTTP server rejects itself, for example because its body is too large.
    public static func problem(status: Int, code: String, _ text: String) -> Response {
        Response(
            status: status, headers: ["Content-Type": "application/problem+json"],
            body: JSONWriter.object { body in
                body.member("type", "about:blank")
                body.member("title", text)
                body.member("status", status)
                body.member("detail", text)
                body.member("error", text)
                let kind = Reason.Kind.requests.first { $0.text == code }
                body.reasons(kind.map { [Reason($0, message: text)] } ?? [], code: code)
            })
    }
}
