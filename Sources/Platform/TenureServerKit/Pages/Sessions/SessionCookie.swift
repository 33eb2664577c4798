package import TenureCore
package import TenureHTTP

/// The session cookie of the resolution page, a license's page or a learner's page.
///
/// Its attributes limit its use:
/// - `Path`: Browsers send it only to one vendor's pages of one kind.
/// - `HttpOnly`: Scripts can't read it.
/// - `SameSite=Strict`: Browsers don't send it with requests from other sites.
/// - `Secure`: Browsers don't send it over plain HTTP. A request to a loopback name without `X-Forwarded-Proto` comes
///   from local testing, so its response sets a cookie without `Secure`.
///
/// The name of a cookie with `Secure` starts with `__Secure-`, which prevents others from setting the cookie over
/// plain HTTP. The prefix `__Host-` isn't used: it requires the path `/`, so each vendor's pages would receive the
/// cookies of all vendors.
package struct SessionCookie: Sendable, Hashable {
    /// The tenant whose pages receive the cookie.
    package let tenant: TenantID
    /// The kind of pages that receive the cookie.
    package let site: PageSite
    /// Whether the cookie has the `Secure` attribute, with which browsers send it only over HTTPS.
    package let isSecure: Bool

    /// Describes the cookie that a request may contain and its response may set.
    package init(of tenant: TenantID, on site: PageSite, in request: Request) {
        self.tenant = tenant
        self.site = site
        isSecure = request.wantsSecureCookies
    }

    package var name: String { isSecure ? "__Secure-tenure_session" : "tenure_session" }

    /// The tokens in a request, at most ``Request/mostTokens``; empty if the cookie is absent or malformed.
    ///
    /// A browser may send several cookies with the same name, for example one that was set for a parent path.
    package func tokens(in request: Request) -> [SessionToken] { request.tokens(inCookie: name) }

    /// The `Set-Cookie` value that sets the cookie for the lifetime of a session.
    package func set(_ token: SessionToken) -> String {
        field(token.text, seconds: SessionToken.lifetime)
    }

    /// The `Set-Cookie` value that deletes the cookie.
    package var removal: String { field("", seconds: 0) }

    private func field(_ value: String, seconds: Int64) -> String {
        "\(name)=\(value); Max-Age=\(seconds); Path=\(PagePath(site.segments(of: tenant)).text); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }
}

extension Request {
    /// Whether cookies in the response need the `Secure` attribute.
    package var wantsSecureCookies: Bool { headers["X-Forwarded-Proto"] != nil || !namesLoopback }

    /// The distinct well-formed tokens in the cookies with a name, at most ``mostTokens``.
    package func tokens(inCookie name: String) -> [SessionToken] {
        var tokens: [SessionToken] = []
        for value in HeaderText.cookies(name, in: headers.values("Cookie")) {
            guard tokens.count < Self.mostTokens, let token = SessionToken(String(value)), !tokens.contains(token)
            else { continue }
            tokens.append(token)
        }
        return tokens
    }

    /// The maximum number of tokens of a cookie that are used, because each token is looked up in the store.
    package static var mostTokens: Int { 4 }

    /// Whether the `Host` header is a loopback name or address.
    fileprivate var namesLoopback: Bool {
        guard let host = headers["Host"]?.asciiLowercased else { return false }
        if let rest = host.text(after: "[::1]") { return rest.isEmpty || rest.utf8.first == UInt8(ascii: ":") }
        return ["127.0.0.1", "localhost"].contains(host.before(anyByteOf: ":"))
    }
}

extension Request {
    /// Whether a form was submitted from a page of this server, according to the browser's headers.
    ///
    /// This is a second defense besides the form's code. Forms for signing in have only this defense, because there is
    /// no session yet.
    ///
    /// - A `Sec-Fetch-Site` header must be `same-origin`, or `none`, which browsers send for a resubmitted form.
    /// - Without `Sec-Fetch-Site`, the host in `Origin` must be the request's host. A missing `Origin` is accepted. So
    ///   is `null`, because browsers send it due to the pages' own `Referrer-Policy`.
    package var isFromOwnPage: Bool {
        if let site = headers["Sec-Fetch-Site"] { return site == "same-origin" || site == "none" }
        guard let origin = headers["Origin"], origin != "null" else { return true }
        guard let host = headers["Host"], let own = origin.cut(at: "://")?.after else { return false }
        return own.asciiLowercased == host.asciiLowercased
    }
}
