#if !canImport(CryptoKit)
    /// Signatures over the curve P-256 with SHA-256 (FIPS 186-5), as ES256 of JWS writes them (RFC 7518, section 3.4).
    public enum P256 {
        /// Bytes in the number that is a private key: 32.
        public static let privateKeyLength = 32

        /// Bytes in a signature: r and s with 32 each, big-endian.
        public static let signatureLength = 64
    }
#endif
