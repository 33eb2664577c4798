/// Random bytes that a client puts into a request and finds again in the signed answer: 16 to 64 of them.
///
/// An answer with the request's nonce was made after the request, so a captured one cannot be played back
/// (`spec/keylight.md` §1.6, weak point 4).
public struct StatementNonce: Sendable, Hashable, CustomStringConvertible {
    /// How many bytes a nonce may have.
    public static let lengths = 16...64

    /// The bytes.
    public let bytes: [UInt8]

    /// Takes random bytes; refuses fewer than 16 and more than 64.
    public init?(bytes: [UInt8]) {
        guard Self.lengths.contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// Reads base64url without padding; refuses everything else.
    public init?(text: String) {
        guard text.utf8.count <= 86, let bytes = Base64.decodeURL(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// The bytes in base64url without padding.
    public var description: String { Base64.encodeURL(bytes) }
}
