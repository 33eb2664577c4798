/// A header and a payload, ready to be signed: what a compact JSON Web Signature is but for its end (RFC 7515 §7.1).
///
/// The signature may be made elsewhere, over ``bytes``.
public struct JWSSigningInput: Sendable, Hashable {
    /// The bytes to sign: header, a period, payload, both in base64url.
    public let bytes: [UInt8]

    /// Puts a header and a payload together; further members of the header stand behind `alg` and `typ`.
    public init(
        algorithm: JWSAlgorithm, type: String, payload: [UInt8], header: (inout JSONObjectWriter) -> Void = { _ in }
    ) {
        let header = JSONWriter.object { object in
            object.member("alg", algorithm.rawValue)
            object.member("typ", type)
            header(&object)
        }
        self.init(header: header, payload: payload)
    }

    /// Puts a header that was written elsewhere and a payload together.
    init(header: [UInt8], payload: [UInt8]) {
        bytes = Array(Base64.encodeURL(header).utf8) + [UInt8(ascii: ".")] + Array(Base64.encodeURL(payload).utf8)
    }

    /// Takes bytes to sign that were written before.
    ///
    /// Throws: `.malformed` when they are not two parts in base64url.
    public init(bytes: [UInt8]) throws(FormatError) {
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ Base64.decodeURL(String($0)) != nil }) else {
            throw FormatError(.malformed, "what is signed is a header and a payload in base64url; begin again")
        }
        self.bytes = bytes
    }

    /// The compact form, once the signature is there.
    public func compact(signature: [UInt8]) -> [UInt8] {
        bytes + [UInt8(ascii: ".")] + Array(Base64.encodeURL(signature).utf8)
    }
}

/// An algorithm that JSON Web Signatures are made with here, by its name in the header.
public enum JWSAlgorithm: String, Sendable, Hashable {
    /// RSA with PKCS#1 v1.5 and SHA-256.
    case rs256 = "RS256"
    /// P-256 with SHA-256.
    case es256 = "ES256"
    /// HMAC with SHA-256: whoever can verify can sign.
    case hs256 = "HS256"
    /// Ed25519.
    case edDSA = "EdDSA"
}
