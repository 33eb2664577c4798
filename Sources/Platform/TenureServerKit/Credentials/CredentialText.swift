package import TenureCore
import TenureCrypto
import TenureFormats

/// The text of a new credential: a prefix and 256 random bits in base64url.
///
/// The text is shown only once, because the store contains only its hash.
package struct CredentialText: Sendable {
    package let text: String

    package static func random(prefix: String = "") -> CredentialText {
        CredentialText(text: prefix + Base64.encodeURL(SecureRandom.bytes(32)))
    }

    /// Whether a text has the format of a credential with this prefix. Any other text was never a credential.
    package static func isWellFormed(_ text: String, prefix: String = "") -> Bool {
        guard let digits = text.text(after: prefix), digits.utf8.count == 43 else { return false }
        return Base64.decodeURL(String(digits))?.count == 32
    }

    /// The hash that finds the credential in the store.
    package var hash: Digest { .sha256(of: text) }

    /// The default lifetime of a one-time link, in hours.
    package static let linkHours = 24
    /// The maximum lifetime of a one-time link, in hours.
    package static let mostLinkHours = 720
}
