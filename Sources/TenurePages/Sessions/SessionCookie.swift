package import TenureCore
package import TenureHTTP

/// The cookie of a session on the resolution page, on a license's page, or on a learner's.
///
/// It goes to one vendor's pages of one kind alone (`Path`), never to code (`HttpOnly`), never with a request that another site
/// caused (`SameSite=Strict`), and never over plain HTTP (`Secure`), but for one case: a request to this very machine,
/// by a loopback name and without a proxy's `X-Forwarded-Proto`, is somebody trying things out, and gets a cookie
/// without `Secure`. The name says which of the two it is; `__Secure-` keeps others from planting one over plain HTTP
/// (`__Host-` would ask for the path `/`, and so show one vendor's cookie to another's pages).
package struct SessionCookie: Sendable, Hashable {
    /// Whose pages it goes to.
    package let tenant: TenantID
    /// Which of them.
    package let site: PageSite
    /// Whether it must not travel over plain HTTP.
    package let isSecure: Bool

    /// The cookie that a request may carry and its answer may set.
    package init(of tenant: TenantID, on site: PageSite = .resolution, in request: Request) {
        self.tenant = tenant
        self.site = site
        isSecure = request.wantsSecureCookies
    }

    /// What it is called.
    package var name: String { isSecure ? "__Secure-tenure_session" : "tenure_session" }

    /// The token in a request; nil when there is none, or nothing that could be one.
    package func token(in request: Request) -> SessionToken? { request.token(inCookie: name) }

    /// The field that sets it for as long as the session lasts.
    package func set(_ token: SessionToken) -> String {
        field(token.text, seconds: SessionToken.lifetime)
    }

    /// The field that takes it away.
    package var removal: String { field("", seconds: 0) }

    private func field(_ value: String, seconds: Int64) -> String {
        "\(name)=\(value); Max-Age=\(seconds); Path=\(PagePath(site.place(of: tenant)).text); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }
}

extension Request {
    /// Whether its answer's cookies must not travel over plain HTTP.
    var wantsSecureCookies: Bool { headers["X-Forwarded-Proto"] != nil || !namesLoopback }

    /// The token in a cookie; nil when there is none, or nothing that could be one.
    func token(inCookie name: String) -> SessionToken? {
        for field in headers.values("Cookie") {
            for pair in field.split(separator: ";") {
                let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard sides.count == 2, sides[0].filter({ $0 != " " }) == name else { continue }
                if let token = SessionToken(String(sides[1])) { return token }
            }
        }
        return nil
    }

    /// Whether `Host` is this machine by one of its own names.
    fileprivate var namesLoopback: Bool {
        guard let host = headers["Host"]?.lowercased() else { return false }
        if host == "[::1]" || host.hasPrefix("[::1]:") { return true }
        return ["127.0.0.1", "localhost"].contains(host.prefix { $0 != ":" })
    }
}

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
