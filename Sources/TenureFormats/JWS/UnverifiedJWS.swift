public import TenureCrypto

/// A compact JSON Web Signature as it arrived (RFC 7515): well-formed, and nothing more.
///
/// Only ``payload(ofType:signedBy:)`` gives out what it says.
public struct UnverifiedJWS: Sendable {
    /// Bytes in the longest one that is read: 1 MiB.
    public static let longest = 1 << 20

    /// The header: a claim like all the rest, to find a key by.
    public let header: FlatObject

    private let payload: [UInt8]
    private let signature: [UInt8]
    private let signingInput: [UInt8]

    /// Reads three parts in base64url (strictly: without padding, without white space) with periods between them.
    ///
    /// Throws: `.malformed` when there are not three such parts, the header is no JSON object, or it is over 1 MiB.
    public init(compact bytes: [UInt8]) throws(FormatError) {
        let malformed = FormatError(.malformed, "a JWS has three parts in base64url with periods between them")
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

    /// The payload, when the key signed it and the header says the key's algorithm and this type.
    ///
    /// A header with `crit` asks for what nothing here understands, and is refused (RFC 7515 §4.1.11).
    ///
    /// Throws: `.badSignature`.
    public func payload(ofType type: String, signedBy key: JWSVerificationKey) throws(FormatError) -> [UInt8] {
        guard header.string("alg").value == key.algorithm.rawValue else {
            throw FormatError(
                .badSignature, "the document is not signed by \(key.algorithm.rawValue), as the key is for")
        }
        guard header.string("typ").value == type else {
            throw FormatError(.badSignature, "the document's type is not \(type); it was signed for something else")
        }
        guard header.kind("crit") == nil else {
            throw FormatError(
                .badSignature, "the document's header has critical members; a newer program may know them")
        }
        guard key.isValidSignature(signature, for: signingInput) else {
            throw FormatError(
                .badSignature, "the signature is not the trusted key's; the document was changed or forged")
        }
        return payload
    }
}

/// A public key that verifies JSON Web Signatures by the one algorithm that belongs to it (RFC 7518, RFC 8037).
public enum JWSVerificationKey: Sendable, Hashable {
    #if !canImport(CryptoKit)
        /// `RS256`: RSA with PKCS#1 v1.5 and SHA-256. Not on Apple systems.
        case rs256(RSA.PublicKey)
        /// `ES256`: P-256 with SHA-256, the signature as r and s. Not on Apple systems.
        case es256(P256.PublicKey)
    #endif
    /// `EdDSA`: Ed25519.
    case edDSA(Ed25519.PublicKey)

    /// What a header must say in `alg`.
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
