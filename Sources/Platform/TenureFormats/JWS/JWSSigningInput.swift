import TenureCore

/// The part of a compact JSON Web Signature that is signed: header and payload (RFC 7515 §7.1).
///
/// The signature of ``bytes`` may be made outside this process.
public struct JWSSigningInput: Sendable, Hashable {
    /// The bytes to sign: header, a period and payload, both parts in base64url.
    public private(set) var bytes: [UInt8]

    /// Creates the signing input; the closure adds header members after `alg` and `typ`.
    public init(
        algorithm: JWSAlgorithm, type: String, payload: [UInt8], header: (inout JSONObjectWriter) -> Void = { _ in }
    ) {
        let header = JSONWriter.object(room: 128) { object in
            object.member("alg", algorithm.rawValue)
            object.member("typ", type)
            header(&object)
        }
        self.init(header: header, payload: payload)
    }

    /// Creates the signing input from an encoded header and payload.
    package init(header: [UInt8], payload: [UInt8]) {
        var bytes: [UInt8] = []
        // Room for the signature, too: most have at most 64 bytes.
        bytes.reserveCapacity(
            Base64.lengthURL(header.count) + Base64.lengthURL(payload.count) + Base64.lengthURL(64) + 2)
        Base64.appendURL(header, to: &bytes)
        bytes.append(UInt8(ascii: "."))
        Base64.appendURL(payload, to: &bytes)
        self.bytes = bytes
    }

    /// Creates the signing input from bytes that were written earlier.
    ///
    /// Throws: `.malformed` if they aren't two parts in base64url.
    public init(bytes: [UInt8]) throws(FormatError) {
        let parts = String(decoding: bytes, as: UTF8.self).split(atByte: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ Base64.decodeURL(String($0)) != nil }) else {
            throw FormatError(
                .malformed, "the signing input must be a header and a payload in base64url; create it again")
        }
        self.bytes = bytes
    }

    /// The compact JWS with this signature.
    public func compact(signature: [UInt8]) -> [UInt8] {
        var compact: [UInt8] = []
        compact.reserveCapacity(bytes.count + 1 + Base64.lengthURL(signature.count))
        compact += bytes
        compact.append(UInt8(ascii: "."))
        Base64.appendURL(signature, to: &compact)
        return compact
    }

    /// The compact JWS; the closure receives the bytes to sign and returns their signature.
    public consuming func signed(_ sign: ([UInt8]) -> [UInt8]) -> [UInt8] {
        let signature = sign(bytes)
        var compact: [UInt8] = []
        // Swapped, not copied, so that the signature is appended to the existing memory.
        swap(&compact, &bytes)
        compact.append(UInt8(ascii: "."))
        Base64.appendURL(signature, to: &compact)
        return compact
    }
}

/// A signature algorithm, by its name in the JWS header.
public enum JWSAlgorithm: String, Sendable, Hashable {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// ECDSA on P-256 with SHA-256.
    case es256 = "ES256"
    /// HMAC with SHA-256; the key that verifies can also sign.
    case hs256 = "HS256"
    /// Ed25519.
    case edDSA = "EdDSA"
}
