public import TenureCrypto

/// A compact JSON Web Signature as received (RFC 7515): well-formed, but not verified.
///
/// Only ``payload(ofType:signedBy:)`` reveals its payload.
public struct UnverifiedJWS: Sendable {
    /// The longest JWS that is accepted, in bytes: 1 MiB.
    public static let longest = 1 << 20

    /// The header, not verified; use it only to find the key.
    public let header: FlatObject

    private let payload: [UInt8]
    private let signature: [UInt8]
    private let signingInput: [UInt8]

    /// Reads three base64url parts separated by periods; padding and white space aren't allowed.
    ///
    /// Throws: `.malformed` if there aren't three such parts, the header isn't a JSON object, or the text is over 1
    /// MiB.
    public init(compact bytes: [UInt8]) throws(FormatError) {
        let malformed = FormatError(.malformed, "a JWS must have three base64url parts separated by periods")
        guard bytes.count <= Self.longest else { throw malformed }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3,
            let header = Base64.decodeURL(String(decoding: parts[0], as: UTF8.self)),
            let payload = Base64.decodeURL(String(decoding: parts[1], as: UTF8.self)),
            let signature = Base64.decodeURL(String(decoding: parts[2], as: UTF8.self))
        else { throw malformed }
        self.header = try FlatObject(document: header, named: "JWS header")
        self.payload = payload
        self.signature = signature
        signingInput = Array(bytes[..<(parts[2].startIndex - 1)])
    }

    /// The payload, if the key signed it and the header has the key's algorithm and this type.
    ///
    /// A header with `crit` is rejected, because no extension is supported (RFC 7515 §4.1.11).
    ///
    /// Throws: `.badSignature` in each of these cases.
    public func payload(ofType type: String, signedBy key: JWSVerificationKey) throws(FormatError) -> [UInt8] {
        guard header.string("alg").value == key.algorithm.rawValue else {
            throw FormatError(
                .badSignature, "the document is not signed with \(key.algorithm.rawValue), the algorithm of the key")
        }
        guard header.string("typ").value == type else {
            throw FormatError(.badSignature, "the document's type is not \(type); it was signed for something else")
        }
        guard header.kind("crit") == nil else {
            throw FormatError(
                .badSignature,
                "the document's header has critical fields that this version doesn't support; update the app")
        }
        guard key.isValidSignature(signature, for: signingInput) else {
            throw FormatError(
                .badSignature, "the signature doesn't match the trusted key; the document was changed or forged")
        }
        return payload
    }
}

/// A public key with the one algorithm it may verify (RFC 7518, RFC 8037).
public enum JWSVerificationKey: Sendable, Hashable {
    #if !canImport(CryptoKit)
        /// `RS256`: RSASSA-PKCS1-v1_5 with SHA-256; unavailable on Apple platforms.
        case rs256(RSA.PublicKey)
        /// `ES256`: ECDSA on P-256 with SHA-256, the signature as r and s; unavailable on Apple platforms.
        case es256(P256.PublicKey)
    #endif
    /// `EdDSA`: Ed25519.
    case edDSA(Ed25519.PublicKey)

    /// The `alg` that the header must have.
    public var algorithm: JWSAlgorithm {
        switch self {
        #if !canImport(CryptoKit)
            case .rs256: .rs256
            case .es256: .es256
        #endif
        case .edDSA: .edDSA
        }
    }

    func isValidSignature(_ signature: [UInt8], for input: [UInt8]) -> Bool {
        switch self {
        #if !canImport(CryptoKit)
            case .rs256(let key): key.isValidSignature(signature, for: input)
            case .es256(let key): key.isValidSignature(signature, for: input)
        #endif
        case .edDSA(let key): key.isValidSignature(signature, for: input)
        }
    }
}
