package import TenureCore
package import TenureHTTP

/// The session cookie of the resolution page, a license's page or a learner's page.
///
/// Its attributes limit where it's sent:
/// - `Path`: only to one vendor's pages of one kind.
/// - `HttpOnly`: scripts can't read it.
/// - `SameSite=Strict`: not with requests from other sites.
/// - `Secure`: not over plain HTTP. A request to a loopback name without `X-Forwarded-Proto` comes from local testing
///   and gets a cookie without `Secure`.
///
/// The cookie with `Secure` has the name prefix `__Secure-`, which prevents others from setting it over plain HTTP. The
/// prefix `__Host-` isn't used: it requires the path `/`, so each vendor's pages would receive all vendors' cookies.
package struct SessionCookie: Sendable, Hashable {
    /// The tenant whose pages receive it.
    package let tenant: TenantID
    /// The kind of pages that receive it.
    package let site: PageSite
    /// Whether it has the `Secure` attribute.
    package let isSecure: Bool

    /// Describes the cookie that a request may contain and its response may set.
    package init(of tenant: TenantID, on site: PageSite, in request: Request) {
        self.tenant = tenant
        self.site = site
        isSecure = request.wantsSecureCookies
    }

    package var name: String { isSecure ? "__Secure-tenure_session" : "tenure_session" }

    /// The token in a request; `nil` if the cookie is absent or malformed.
    package func token(in request: Request) -> SessionToken? { request.token(inCookie: name) }

    /// The `Set-Cookie` value that sets the cookie for the lifetime of a session.
    package func set(_ token: SessionToken) -> String {
        field(token.text, seconds: SessionToken.lifetime)
    }

    /// The `Set-Cookie` value that deletes the cookie.
    package var removal: String { field("", seconds: 0) }

    private func field(_ value: String, seconds: Int64) -> String {
        "\(name)=\(value); Max-Age=\(seconds); Path=\(PagePath(site.place(of: tenant)).text); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }
}

extension Request {
    /// Whether cookies in the response need the `Secure` attribute.
    package var wantsSecureCookies: Bool { headers["X-Forwarded-Proto"] != nil || !namesLoopback }

    /// The token in a cookie; `nil` if the cookie is absent or malformed.
    package func token(inCookie name: String) -> SessionToken? {
        for field in headers.values("Cookie") {
            for pair in field.utf8.split(separator: UInt8(ascii: ";")) {
                let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                // A space within a name makes it another cookie, which browsers don't protect by `__Secure-`.
                guard sides.count == 2, sides[0].drop(while: { $0 == 0x20 }).elementsEqual(name.utf8) else { continue }
                if let token = SessionToken(String(Substring(sides[1]))) { return token }
            }
        }
        return nil
    }

    /// Whether the `Host` header is a loopback name or address.
    fileprivate var namesLoopback: Bool {
        guard let host = headers["Host"]?.lowercased() else { return false }
        if host == "[::1]" || host.hasPrefix("[::1]:") { return true }
        return ["127.0.0.1", "localhost"].contains(host.prefix { $0 != ":" })
    }
}

extension Request {
    /// Whether a form was submitted from a page of this server, according to the browser's headers.
    ///
    /// This is a second defense besides the form's code. It's the only one for signing in, where there's no session
    /// yet.
    ///
    /// - If there is a `Sec-Fetch-Site`, it must be `same-origin`, or `none`, which browsers send for a resubmitted
    ///   form.
    /// - Otherwise, the host of `Origin` must be the request's host. A missing `Origin` is accepted, and so is `null`,
    ///   which the pages' own `Referrer-Policy` causes.
    package var isFromOwnPage: Bool {
        if let site = headers["Sec-Fetch-Site"] { return site == "same-origin" || site == "none" }
        guard let origin = headers["Origin"], origin != "null" else { return true }
        guard let host = headers["Host"], let scheme = origin.firstRange(of: "://") else { return false }
        return origin[scheme.upperBound...].lowercased() == host.lowercased()
    }
}
