package import TenureCore
import TenureCrypto
import TenureFormats

/// The value of a session cookie: 256 random bits in base64url.
///
/// The store contains only its hash.
package struct SessionToken: Sendable, Hashable {
    /// The cookie's value.
    package let text: String

    /// The lifetime of a session in seconds: half an hour, regardless of activity.
    package static let lifetime: Int64 = 1800

    /// Generates a new token.
    package static func random() -> SessionToken {
        SessionToken(unchecked: CredentialText.random().text)
    }

    /// Parses a cookie's value; `nil` if it's malformed.
    package init?(_ text: String) {
        guard CredentialText.isWellFormed(text) else { return nil }
        self.text = text
    }

    /// The SHA-256 hash of the text, under which the session is stored.
    package var hash: Digest { .sha256(of: text) }

    /// The code in this session's forms, which protects them against cross-site request forgery.
    ///
    /// It's an HMAC with the token as its key, so other sites can neither read nor guess it. It doesn't depend on a
    /// key of the server, so every server can check it.
    package func formCode(for tenant: TenantID) -> String {
        Base64.encodeURL(HMACSHA256.code(of: Self.label(tenant), under: Array(text.utf8)))
    }

    /// Checks a form's code, in constant time.
    package func accepts(_ code: String, for tenant: TenantID) -> Bool {
        constantTimeEquals(Array(code.utf8), Array(formCode(for: tenant).utf8))
    }

    private init(unchecked text: String) { self.text = text }

    private static func label(_ tenant: TenantID) -> [UInt8] { Array("tenure page form|\(tenant)".utf8) }
}
