package import TenureCore
import TenureCrypto
import TenureFormats
package import TenureMarketplace
import TenureServerKit

/// A code, link or token that an app or a browser presents for a sign-in.
///
/// Its text is a prefix for its kind and the base64url of 72 bytes:
/// - 32 bytes that all texts of the sign-in share,
/// - an 8-byte number,
/// - 32 random bytes.
///
/// Refresh tokens are numbered; in other texts, the number is 0. A text is valid if its digest matches the stored one.
/// But a refresh token that was replaced long ago is recognized only by its number. So the last 16 bytes of a refresh
/// token authenticate its number instead of being random. Otherwise, a person who saw a code in a URL could forge a
/// token that ends the sign-in.
package struct SignInText: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A link that returns the browser from the shop.
        case link = "tenure_ol_"
        /// An authorization code, exchanged for tokens.
        case code = "tenure_oc_"
        /// A handoff token, which an app receives at its installation and exchanges for tokens.
        case handoff = "tenure_oh_"
        /// An access token, which authenticates requests as a bearer token.
        case access = "tenure_oa_"
        /// A refresh token, exchanged for new tokens.
        case refresh = "tenure_or_"
    }

    /// The part that all texts of one sign-in share.
    package struct Origin: Sendable, Hashable {
        /// 32 random bytes.
        package let bytes: [UInt8]

        package static func random() -> Origin { Origin(checked: SecureRandom.bytes(32)) }

        /// Creates an origin; returns `nil` unless there are 32 bytes.
        package init?(_ bytes: [UInt8]) {
            guard bytes.count == 32 else { return nil }
            self.bytes = bytes
        }

        private init(checked bytes: [UInt8]) { self.bytes = bytes }

        /// The sign-in's key in the store.
        package var hash: Digest { .sha256(of: bytes) }

        /// The stored digest of an app's client id.
        ///
        /// Without a text of this sign-in, the digest doesn't reveal the app.
        package func digest(ofClient client: String) -> Digest { .sha256(of: bytes + Array(client.utf8)) }
    }

    package let kind: Kind
    /// The part that identifies the sign-in.
    package let origin: Origin
    /// The number of a refresh token within its sign-in; 0 for other kinds.
    package let number: Int64
    package let text: String

    /// Creates a random text for a sign-in.
    package static func random(_ kind: Kind, of origin: Origin) -> SignInText {
        let number = [UInt8](repeating: 0, count: 8)
        return SignInText(kind: kind, origin: origin, bytes: origin.bytes + number + Secret().bytes)
    }

    /// Creates a refresh token whose number is authenticated with the key.
    package init(refresh number: Int64, of origin: Origin, _ secret: Secret, under key: [UInt8]) {
        let number = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        let head = origin.bytes + number + secret.bytes.prefix(Self.proofLength)
        self.init(kind: .refresh, origin: origin, bytes: head + Self.proof(of: head, under: key))
    }

    /// Whether the number of a refresh token was authenticated with this key.
    ///
    /// The codes are compared in constant time.
    package func provesNumber(under key: [UInt8]) -> Bool {
        guard kind == .refresh, let bytes = Base64.decodeURL(String(text.dropFirst(kind.rawValue.count))) else {
            return false
        }
        let head = Array(bytes.dropLast(Self.proofLength))
        return constantTimeEquals(Array(bytes.suffix(Self.proofLength)), Self.proof(of: head, under: key))
    }

    private static func proof(of head: [UInt8], under key: [UInt8]) -> [UInt8] {
        Array(HMACSHA256.code(of: head, under: key).prefix(proofLength))
    }

    private static let proofLength = 16

    /// The random part of a text, 32 bytes; a refresh token uses only the first 16.
    package struct Secret: Sendable {
        fileprivate let bytes: [UInt8]

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

    /// Whether a stored digest is the digest of this text; `false` for `nil`.
    ///
    /// The digests are compared in constant time.
    package func fits(_ digest: Digest?) -> Bool {
        guard let digest else { return false }
        return constantTimeEquals(digest.bytes, self.digest.bytes)
    }
}

extension SignIn {
    /// Which of the sign-in's access tokens a text is; `nil` if it isn't one of them.
    package func shown(asAccess text: SignInText) -> ShownAccess? {
        guard text.kind == .access else { return nil }
        if text.fits(access?.digest) { return .latest }
        return text.fits(formerAccess?.digest) ? .former : nil
    }

    /// Which of the sign-in's refresh tokens a text is; `nil` if it isn't one of them.
    package func shown(asRefresh text: SignInText, under key: [UInt8]) -> RefreshFamily.Shown? {
        guard text.kind == .refresh else { return nil }
        if text.fits(secret) { return .newest }
        if text.fits(former) { return .used }
        return text.provesNumber(under: key) ? .other(text.number) : nil
    }
}
