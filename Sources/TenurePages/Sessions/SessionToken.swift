package import TenureCore
import TenureCrypto
import TenureFormats
import TenureServerKit

/// What a session's cookie holds: 256 random bits in base64url. The store knows its hash alone.
package struct SessionToken: Sendable, Hashable {
    /// The text of the cookie.
    package let text: String

    /// How long a session lasts, in seconds: half an hour, whatever is done in it.
    package static let lifetime: Int64 = 1800

    /// Makes a new one.
    package static func random() -> SessionToken {
        SessionToken(unchecked: Base64.encodeURL(SecureRandom.bytes(32)))
    }

    /// Takes what a cookie holds; nil for what is no such text.
    package init?(_ text: String) {
        guard text.utf8.count == 43, Base64.decodeURL(text)?.count == 32 else { return nil }
        self.text = text
    }

    /// SHA-256 of the text: the name that the session is stored under.
    package var hash: Digest { .sha256(of: text) }

    /// What the forms of this session carry, so that no other page can send them: an HMAC under the token itself, which
    /// another site neither reads nor guesses. No key of the server's is needed, and any server can check it.
    package func formCode(for tenant: TenantID) -> String {
        Base64.encodeURL(HMACSHA256.code(of: Self.label(tenant), under: Array(text.utf8)))
    }

    /// Whether a form carried the code; compared in constant time.
    package func accepts(_ code: String, for tenant: TenantID) -> Bool {
        constantTimeEquals(Array(code.utf8), Array(formCode(for: tenant).utf8))
    }

    private init(unchecked text: String) { self.text = text }

    private static func label(_ tenant: TenantID) -> [UInt8] { Array("tenure page form|\(tenant)".utf8) }
}
