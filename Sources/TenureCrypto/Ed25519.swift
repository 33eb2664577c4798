/// Signatures over Curve25519 (RFC 8032, the pure variant): small, fast, the same every time.
public enum Ed25519 {
    /// Bytes in the seed that a private key is made from: 32.
    public static let seedLength = 32

    /// Bytes in a public key: 32.
    public static let publicKeyLength = 32

    /// Bytes in a signature: 64.
    public static let signatureLength = 64
}
