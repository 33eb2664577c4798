import TenureCore
import TenureHTTP
import TenureServerKit

/// The cookie that binds a sign-in to the browser that began it, so that no other browser can complete it.
///
/// The cookie proves nothing about the person, so a page may set it before the sign-in. It has `SameSite=Lax`. Unlike a
/// session cookie, it is therefore also sent when another site links to these pages, as a shop does when it redirects
/// back. It's never sent with another site's form.
struct SignInCookie: Sendable, Hashable {
    /// The tenant whose pages receive the cookie.
    let tenant: TenantID
    /// Whether the cookie has the `Secure` attribute.
    let isSecure: Bool

    /// How long a started sign-in may be completed, in seconds.
    static let lifetime: Int64 = 1800

    /// Creates the cookie that a request may contain and its response may set.
    init(of tenant: TenantID, in request: Request) {
        self.tenant = tenant
        isSecure = request.wantsSecureCookies
    }

    var name: String { isSecure ? "__Secure-tenure_sign_in" : "tenure_sign_in" }

    /// The tokens in a request; empty if the cookie is absent or malformed.
    func tokens(in request: Request) -> [SessionToken] { request.tokens(inCookie: name) }

    /// The value of the `Set-Cookie` header.
    func set(_ token: SessionToken) -> String {
        // The cookie outlives the sign-in by ten minutes. So a person who is late sees that the sign-in has expired,
        // not that it began in another browser.
        "\(name)=\(token.text); Max-Age=\(Self.lifetime + 600); Path=\(PagePath(PageSite.signIn.segments(of: tenant)).text); "
            + "HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    }
}
