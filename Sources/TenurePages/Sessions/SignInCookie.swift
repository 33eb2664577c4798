package import TenureCore
package import TenureHTTP

/// The cookie of the browser in which a sign-in began: what was begun elsewhere is not ended in it, and the other way round.
///
/// It proves nothing about anybody, so a page may set it before anything is known. Unlike a session's it comes along when
/// another site's link leads here (`SameSite=Lax`), for the way back from a shop's own sign-in does; never with another
/// site's form.
package struct SignInCookie: Sendable, Hashable {
    /// Whose pages it goes to.
    package let tenant: TenantID
    /// Whether it must not travel over plain HTTP.
    package let isSecure: Bool

    /// For how long a sign-in that has begun can be ended, in seconds.
    package static let lifetime: Int64 = 1800

    /// The cookie that a request may carry and its answer may set.
    package init(of tenant: TenantID, in request: Request) {
        self.tenant = tenant
        isSecure = request.wantsSecureCookies
    }

    /// What it is called.
    package var name: String { isSecure ? "__Secure-tenure_sign_in" : "tenure_sign_in" }

    /// The token in a request; nil when there is none, or nothing that could be one.
    package func token(in request: Request) -> SessionToken? { request.token(inCookie: name) }

    /// The field that sets it.
    package func set(_ token: SessionToken) -> String {
        // A little longer than the sign-in, so that its end is told by the page and not by a cookie that is gone.
        "\(name)=\(token.text); Max-Age=\(Self.lifetime + 600); Path=\(PagePath(PageSite.signIn.place(of: tenant)).text); "
            + "HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    }
}
