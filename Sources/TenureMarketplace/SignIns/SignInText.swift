package import TenureCore
import TenureCrypto
import TenureFormats
import TenureServerKit

/// What an app or a browser shows of a sign-in: a prefix that says what it is, and in base64url the 32 bytes that all texts
/// of the sign-in begin with, a number, and 32 random bytes of its own.
///
/// Of refresh tokens the number says which it is; in others it is 0. Which text works is told by its digest. That one was used
/// long ago is told by its number alone, so half of a refresh token's own bytes vouch for that: who has merely read a code
/// in an address cannot make up a token that ends the sign-in.
package struct SignInText: Sendable, Hashable {
    /// What a text is.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Leads the browser back from the shop.
        case link = "tenure_ol_"
        /// Is changed for tokens.
        case code = "tenure_oc_"
        /// Is changed for tokens at the installation.
        case handoff = "tenure_oh_"
        /// The bearer of requests.
        case access = "tenure_oa_"
        /// Is changed for new tokens.
        case refresh = "tenure_or_"
    }

    /// What all texts of one sign-in begin with.
    package struct Origin: Sendable, Hashable {
        /// 32 random bytes.
        package let bytes: [UInt8]

        /// Draws one.
        package static func random() -> Origin { Origin(checked: SecureRandom.bytes(32)) }

        /// Takes 32 bytes; nil for another number of them.
        package init?(_ bytes: [UInt8]) {
            guard bytes.count == 32 else { return nil }
            self.bytes = bytes
        }

        private init(checked bytes: [UInt8]) { self.bytes = bytes }

        /// What the sign-in is found by.
        package var hash: Digest { .sha256(of: bytes) }

        /// What is kept of an app's name: nobody can tell which it is without a text of this sign-in.
        package func digest(ofClient client: String) -> Digest { .sha256(of: bytes + Array(client.utf8)) }
    }

    /// What it is.
    package let kind: Kind
    /// Whose it is.
    package let origin: Origin
    /// Which it is among the sign-in's refresh tokens.
    package let number: Int64
    /// The text.
    package let text: String

    /// Draws a new text of a sign-in.
    package static func random(_ kind: Kind, of origin: Origin) -> SignInText {
        let number = [UInt8](repeating: 0, count: 8)
        return SignInText(kind: kind, origin: origin, bytes: origin.bytes + number + Secret().bytes)
    }

    /// Makes a refresh token of what was drawn for it, its number vouched for.
    package init(refresh number: Int64, of origin: Origin, _ secret: Secret, under key: [UInt8]) {
        let number = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        let head = origin.bytes + number + secret.bytes.prefix(Self.proofLength)
        self.init(kind: .refresh, origin: origin, bytes: head + Self.proof(of: head, under: key))
    }

    /// Whether the number of a refresh token was given by who has the key; compared in constant time.
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

        /// Draws one.
        package init() { bytes = SecureRandom.bytes(32) }
    }

    /// Reads a text; nil for what is none.
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

    /// What is kept of it.
    package var digest: Digest { .sha256(of: text) }

    /// Whether a digest is its own; compared in constant time.
    package func fits(_ digest: Digest?) -> Bool {
        guard let digest else { return false }
        return constantTimeEquals(digest.bytes, self.digest.bytes)
    }
}

extension SignIn {
    /// Which access token a text is; nil for one that is none of this sign-in's.
    package func shown(asAccess text: SignInText) -> ShownAccess? {
        guard text.kind == .access else { return nil }
        if text.fits(access?.digest) { return .latest }
        return text.fits(formerAccess?.digest) ? .former : nil
    }

    /// Which refresh token a text is; nil for what is none.
    package func shown(asRefresh text: SignInText, under key: [UInt8]) -> RefreshFamily.Shown? {
        guard text.kind == .refresh else { return nil }
        if text.fits(secret) { return .newest }
        if text.fits(former) { return .used }
        return text.provesNumber(under: key) ? .other(text.number) : nil
    }
}
