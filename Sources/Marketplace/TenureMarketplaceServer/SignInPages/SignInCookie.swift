import TenureCore
import TenureHTTP
import TenureServerKit

/// Ties a sign-in to the browser in which it was started, so that no other browser can complete it.
///
/// It proves nothing about the person, so a page may set it before the sign-in. Unlike a session cookie, it is sent
/// when a link on another site leads here (`SameSite=Lax`), as on the way back from a shop's own sign-in. It's never
/// sent with another site's form.
struct SignInCookie: Sendable, Hashable {
/// The tenant whose pages receive it.
let tenant: TenantID
/// Whether it has the `Secure` attribute.
let isSecure: Bool

/// How long a started sign-in may be completed, in seconds.
static let lifetime: Int64 = 1800

/// Creates the cookie that a request may contain and its response may set.
init(of tenant: TenantID, in request: Request) {
self.tenant = tenant
isSecure = request.wantsSecureCookies
}

var name: String { isSecure ? "__Secure-tenure_sign_in" : "tenure_sign_in" }

/// The token in a request; `nil` if the cookie is absent or malformed.
func token(in request: Request) -> SessionToken? { request.token(inCookie: name) }

/// The `Set-Cookie` value that sets it.
func set(_ token: SessionToken) -> String {
// It outlives the sign-in, so that a late person sees the page about the expiry instead of losing the cookie.
"\(name)=\(token.text); Max-Age=\(Self.lifetime + 600); Path=\(PagePath(PageSite.signIn.place(of: tenant)).text); "
+ "HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
}
}
