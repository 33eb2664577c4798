#if !canImport(CryptoKit)
    /// RSA (RFC 8017): encryption with OAEP and signatures with PKCS#1 v1.5, both over SHA-256.
    ///
    /// A private operation with 3072 bits takes about 2 ms: run it on a pool, never on an event thread.
    public enum RSA {
        /// The sizes of modulus that are read: smaller ones are broken, larger ones only burn time.
        public static let modulusBits = 1024...8192
    }
#endif
