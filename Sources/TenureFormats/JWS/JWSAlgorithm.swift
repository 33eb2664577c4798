/// An algorithm that JSON Web Signatures are made with here, by its name in the header.
public enum JWSAlgorithm: String, Sendable, Hashable {
    /// RSA with PKCS#1 v1.5 and SHA-256.
    case rs256 = "RS256"
    /// P-256 with SHA-256.
    case es256 = "ES256"
    /// Ed25519.
    case edDSA = "EdDSA"
}
