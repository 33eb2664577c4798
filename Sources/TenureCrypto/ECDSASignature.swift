#if !canImport(CryptoKit)
    import CCrypto

    /// The two forms of a signature over P-256: two numbers side by side, and the DER that libcrypto speaks.
    enum ECDSASignature {
        private static let numberLength = Int32(P256.signatureLength / 2)

        /// The numbers r and s with 32 bytes each, from DER that libcrypto wrote.
        static func raw(der: [UInt8]) throws(CryptoError) -> [UInt8] {
            let parsed = unsafe LibCrypto.parse(
                der: der, { unsafe d2i_ECDSA_SIG(nil, $0, $1) }, free: { unsafe ECDSA_SIG_free($0) })
            let signature = try unsafe LibCrypto.made(parsed)
            defer { unsafe ECDSA_SIG_free(signature) }
            return try unsafe bytes(unsafe ECDSA_SIG_get0_r(signature)) + bytes(unsafe ECDSA_SIG_get0_s(signature))
        }

        /// DER, from the numbers r and s with 32 bytes each.
        ///
        /// Throws: `.wrongLength`, `.libraryFailed`.
        static func der(raw: [UInt8]) throws(CryptoError) -> [UInt8] {
            guard raw.count == P256.signatureLength else {
                throw .wrongLength(of: "a P-256 signature", is: raw.count, not: P256.signatureLength)
            }
            let signature = try unsafe LibCrypto.made(ECDSA_SIG_new())
            defer { unsafe ECDSA_SIG_free(signature) }
            let r = try unsafe LibCrypto.made(BN_bin2bn(Array(raw.prefix(Int(numberLength))), numberLength, nil))
            guard let s = unsafe BN_bin2bn(Array(raw.suffix(Int(numberLength))), numberLength, nil) else {
                unsafe BN_free(r)
                throw LibCrypto.failure()
            }
            // From here on the signature frees its numbers; the call fails only for absent ones.
            try LibCrypto.check(unsafe ECDSA_SIG_set0(signature, r, s))
            return try unsafe LibCrypto.der { unsafe i2d_ECDSA_SIG(signature, $0) }
        }

        private static func bytes(_ number: OpaquePointer?) throws(CryptoError) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: Int(numberLength))
            guard unsafe BN_bn2binpad(number, &bytes, numberLength) == numberLength else { throw LibCrypto.failure() }
            return bytes
        }
    }
#endif
