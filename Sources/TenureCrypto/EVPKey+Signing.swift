#if !canImport(CryptoKit)
    import CCrypto

    extension EVPKey {
        /// Signs the SHA-256 of a message in the way that is the library's usual one for this kind of key.
        func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
            let context = try unsafe LibCrypto.made(EVP_MD_CTX_new())
            defer { unsafe EVP_MD_CTX_free(context) }
            try LibCrypto.check(unsafe EVP_DigestSignInit(context, nil, SHA256.algorithm, nil, pointer))
            var count = Int(unsafe EVP_PKEY_get_size(pointer))
            var signature = [UInt8](repeating: 0, count: count)
            try LibCrypto.check(unsafe EVP_DigestSign(context, &signature, &count, message, message.count))
            return Array(signature.prefix(count))
        }

        /// Whether a signature is this key's, over the SHA-256 of exactly these bytes.
        func isValidSignature(_ signature: [UInt8], for message: [UInt8]) -> Bool {
            defer { ERR_clear_error() }
            guard let context = unsafe EVP_MD_CTX_new() else { return false }
            defer { unsafe EVP_MD_CTX_free(context) }
            return unsafe EVP_DigestVerifyInit(context, nil, SHA256.algorithm, nil, pointer) == 1
                && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        }
    }
#endif
