package import TenureCore
package import TenureHTTP

/// The session cookie of the resolution page, a license's page or a learner's page.
///
/// Its attributes limit it:
/// - `Path`: it's sent to one vendor's pages of one kind only.
/// - `HttpOnly`: scripts can't read it.
/// - `SameSite=Strict`: it isn't sent with requests from other sites.
/// - `Secure`: it isn't sent over plain HTTP. A request to a loopback name without a proxy's `X-Forwarded-Proto` comes
///   from local testing, and gets a cookie without `Secure`.
///
/// The name tells the two variants apart. The prefix `__Secure-` prevents others from setting the cookie over plain
/// HTTP. `__Host-` would require the path `/`, and so send one vendor's cookie to another vendor's pages.
package struct SessionCookie: Sendable, Hashable {
    /// The tenant whose pages receive it.
    package let tenant: TenantID
    /// The kind of pages that receive it.
    package let site: PageSite
    /// Whether it has the `Secure` attribute.
    package let isSecure: Bool

    /// Creates the cookie that a request may contain and its response may set.
    package init(of tenant: TenantID, on site: PageSite, in request: Request) {
        self.tenant = tenant
        self.site = site
        isSecure = request.wantsSecureCookies
    }

    package var name: String { isSecure ? "__Secure-tenure_session" : "tenure_session" }

    /// The token in a request; `nil` if the cookie is absent or malformed.
    package func token(in request: Request) -> SessionToken? { request.token(inCookie: name) }

    /// The `Set-Cookie` value that sets it for the life of the session.
    package func set(_ token: SessionToken) -> String {
        field(token.text, seconds: SessionToken.lifetime)
    }

    /// The `Set-Cookie` value that deletes it.
    package var removal: String { field("", seconds: 0) }

    private func field(_ value: String, seconds: Int64) -> String {
        "\(name)=\(value); Max-Age=\(seconds); Path=\(PagePath(site.place(of: tenant)).text); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }
}

extension Request {
    /// Whether the cookies of its response need the `Secure` attribute.
    package var wantsSecureCookies: Bool { headers["X-Forwarded-Proto"] != nil || !namesLoopback }

    /// The token in a cookie; `nil` if the cookie is absent or malformed.
    package func token(inCookie name: String) -> SessionToken? {
        for field in headers.values("Cookie") {
            for pair in field.split(separator: ";") {
                let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard sides.count == 2, sides[0].filter({ $0 != " " }) == name else { continue }
                if let token = SessionToken(String(sides[1])) { return token }
            }
        }
        return nil
    }

    /// Whether `Host` is a loopback name or address.
    fileprivate var namesLoopback: Bool {
        guard let host = headers["Host"]?.lowercased() else { return false }
        if host == "[::1]" || host.hasPrefix("[::1]:") { return true }
        return ["127.0.0.1", "localhost"].contains(host.prefix { $0 != ":" })
    }
}

extension Request {
    /// Whether a form came from a page of this server, according to the browser.
    ///
    /// This is a second defense besides the form's code, and the only one for signing in, where there's no session yet.
    /// `Sec-Fetch-Site` must be `same-origin`, or `none` if a person resubmits the form. For browsers without it, the
    /// host of `Origin` must be the request's. `null` is accepted there, because the pages' own `Referrer-Policy`
    /// causes it.
    package var isFromOwnPage: Bool {
        if let site = headers["Sec-Fetch-Site"] { return site == "same-origin" || site == "none" }
        guard let origin = headers["Origin"], origin != "null" else { return true }
        guard let host = headers["Host"], let scheme = origin.firstRange(of: "://") else { return false }
        return origin[scheme.upperBound...].lowercased() == host.lowercased()
    }
}
