package import TenureCore
import TenureCrypto
import TenureFormats

/// The text of a new credential: a prefix and 256 random bits in base64url.
///
/// It's shown only once, because the store contains only its hash.
package struct CredentialText: Sendable {
    package let text: String

    package static func random(prefix: String = "") -> CredentialText {
        CredentialText(text: prefix + Base64.encodeURL(SecureRandom.bytes(32)))
    }

    /// Whether a text has the form of a credential with this prefix, so that it may have been created once.
    package static func isWellFormed(_ text: String, prefix: String = "") -> Bool {
        guard let digits = text.text(after: prefix), digits.utf8.count == 43 else { return false }
        return Base64.decodeURL(String(digits))?.count == 32
    }

    /// The hash by which the store finds the credential.
    package var hash: Digest { .sha256(of: text) }

    /// The default lifetime of a one-time link, in hours.
    package static let linkHours = 24
    /// The maximum lifetime of a one-time link, in hours.
    package static let mostLinkHours = 720
}
