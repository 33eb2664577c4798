package import TenureHTTP

extension Request {
    /// Whether a form came from a page of this server, as far as the browser says: the second line behind the form's
    /// code, and the only one for signing in, where there is no session yet.
    ///
    /// `Sec-Fetch-Site` must be `same-origin`, or `none` where a person sends the form again. Browsers without it are
    /// judged by `Origin`, whose host must be the request's. `null` is let pass there: it is what the pages' own
    /// `Referrer-Policy` makes of it.
    package var isFromOwnPage: Bool {
        if let site = headers["Sec-Fetch-Site"] { return site == "same-origin" || site == "none" }
        guard let origin = headers["Origin"], origin != "null" else { return true }
        guard let host = headers["Host"], let scheme = origin.firstRange(of: "://") else { return false }
        return origin[scheme.upperBound...].lowercased() == host.lowercased()
    }
}
