public import TenureCrypto

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
