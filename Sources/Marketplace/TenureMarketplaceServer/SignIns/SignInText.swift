package import TenureCore
import TenureCrypto
import TenureFormats
package import TenureMarketplace
import TenureServerKit

/// A text that an app or a browser presents for a sign-in.
///
/// It has a prefix for its kind, followed by base64url. That encodes 32 bytes that all texts of the sign-in share, a
/// number, and 32 random bytes.
///
/// Refresh tokens are numbered; the number is 0 in other texts. The digest shows whether a text works. A refresh token
/// that was replaced long ago is recognized by its number only. So half of its own bytes authenticate the number.
/// Otherwise a person who has read a code in a URL could forge a token that ends the sign-in.
package struct SignInText: Sendable, Hashable {
    /// The kind of a text, by its prefix.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Returns the browser from the shop.
        case link = "tenure_ol_"
        /// An authorization code, exchanged for tokens.
        case code = "tenure_oc_"
        /// Given to an app at installation and exchanged for tokens.
        case handoff = "tenure_oh_"
        /// An access token, the bearer of requests.
        case access = "tenure_oa_"
        /// A refresh token, exchanged for new tokens.
        case refresh = "tenure_or_"
    }

    /// The part that all texts of one sign-in share.
    package struct Origin: Sendable, Hashable {
        /// 32 random bytes.
        package let bytes: [UInt8]

        /// Creates a random value.
        package static func random() -> Origin { Origin(checked: SecureRandom.bytes(32)) }

        /// Returns `nil` unless there are 32 bytes.
        package init?(_ bytes: [UInt8]) {
            guard bytes.count == 32 else { return nil }
            self.bytes = bytes
        }

        private init(checked bytes: [UInt8]) { self.bytes = bytes }

        /// The sign-in's key in the store.
        package var hash: Digest { .sha256(of: bytes) }

        /// The stored digest of an app's client id.
        ///
        /// Without a text of this sign-in, it doesn't reveal the app.
        package func digest(ofClient client: String) -> Digest { .sha256(of: bytes + Array(client.utf8)) }
    }

    package let kind: Kind
    /// The sign-in that it belongs to.
    package let origin: Origin
    /// The number of a refresh token within its sign-in; 0 for other kinds.
    package let number: Int64
    package let text: String

    /// Creates a random text for a sign-in.
    package static func random(_ kind: Kind, of origin: Origin) -> SignInText {
        let number = [UInt8](repeating: 0, count: 8)
        return SignInText(kind: kind, origin: origin, bytes: origin.bytes + number + Secret().bytes)
    }

    /// Creates a refresh token with an authenticated number.
    package init(refresh number: Int64, of origin: Origin, _ secret: Secret, under key: [UInt8]) {
        let number = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        let head = origin.bytes + number + secret.bytes.prefix(Self.proofLength)
        self.init(kind: .refresh, origin: origin, bytes: head + Self.proof(of: head, under: key))
    }

    /// Whether the number of a refresh token was authenticated with this key.
    ///
    /// The codes are compared in constant time.
    package func provesNumber(under key: [UInt8]) -> Bool {
        guard let bytes = Base64.decodeURL(String(text.dropFirst(kind.rawValue.count))) else { return false }
        let head = Array(bytes.dropLast(Self.proofLength))
        return constantTimeEquals(Array(bytes.suffix(Self.proofLength)), Self.proof(of: head, under: key))
    }

    private static func proof(of head: [UInt8], under key: [UInt8]) -> [UInt8] {
        Array(HMACSHA256.code(of: head, under: key).prefix(proofLength))
    }

    private static let proofLength = 16

    /// The part of a text that is its own: 32 random bytes.
    package struct Secret: Sendable {
        fileprivate let bytes: [UInt8]

        /// Creates a random value.
        package init() { bytes = SecureRandom.bytes(32) }
    }

    /// Parses a text; `nil` if it's malformed.
    package init?(_ text: String) {
        guard let kind = Kind.allCases.first(where: { text.hasPrefix($0.rawValue) }) else { return nil }
        let rest = text.dropFirst(kind.rawValue.count)
        guard rest.utf8.count == 96, let bytes = Base64.decodeURL(String(rest)), bytes.count == 72,
            let origin = Origin(Array(bytes.prefix(32)))
        else { return nil }
        self.init(kind: kind, origin: origin, bytes: bytes)
    }

    private init(kind: Kind, origin: Origin, bytes: [UInt8]) {
        self.kind = kind
        self.origin = origin
        number = bytes[32..<40].reduce(0) { $0 << 8 | Int64($1) }
        text = kind.rawValue + Base64.encodeURL(bytes)
    }

    /// The stored digest of the text.
    package var digest: Digest { .sha256(of: text) }

    /// Whether the digest is this text's.
    ///
    /// The digests are compared in constant time.
    package func fits(_ digest: Digest?) -> Bool {
        guard let digest else { return false }
        return constantTimeEquals(digest.bytes, self.digest.bytes)
    }
}

extension SignIn {
    /// Which access token of this sign-in a text is; `nil` if it's no such token.
    package func shown(asAccess text: SignInText) -> ShownAccess? {
        guard text.kind == .access else { return nil }
        if text.fits(access?.digest) { return .latest }
        return text.fits(formerAccess?.digest) ? .former : nil
    }

    /// Which refresh token of this sign-in a text is; `nil` if it's no such token.
    package func shown(asRefresh text: SignInText, under key: [UInt8]) -> RefreshFamily.Shown? {
        guard text.kind == .refresh else { return nil }
        if text.fits(secret) { return .newest }
        if text.fits(former) { return .used }
        return text.provesNumber(under: key) ? .other(text.number) : nil
    }
}
