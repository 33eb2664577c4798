#if !canImport(CryptoKit)
    import CCrypto

    /// One pass of AES-256-GCM over one message; answers of libcrypto become nil or false here and nowhere else.
    @safe final class GCMOperation {
        enum Direction: Int32 {
            case open = 0
            case seal = 1
        }

        private let context: OpaquePointer

        init?(_ direction: Direction, key: SecretBytes, nonce: [UInt8]) {
            guard let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
            unsafe self.context = unsafe context
            let started = unsafe key.withBytes { key in
                unsafe EVP_CipherInit_ex2(context, Self.algorithm, key, nonce, direction.rawValue, nil)
            }
            guard started == 1 else { return nil }
        }

        deinit {
            unsafe EVP_CIPHER_CTX_free(context)
        }

        func authenticate(_ associated: [UInt8]) -> Bool {
            guard !associated.isEmpty else { return true }
            var count: Int32 = 0
            return unsafe EVP_CipherUpdate(context, nil, &count, associated, Int32(associated.count)) == 1
        }

        /// Encrypts or decrypts the message; what is decrypted is not yet known to be genuine.
        func process(_ input: [UInt8]) -> [UInt8]? {
            guard !input.isEmpty else { return [] }
            var output = [UInt8](repeating: 0, count: input.count)
            var count: Int32 = 0
            guard unsafe EVP_CipherUpdate(context, &output, &count, input, Int32(input.count)) == 1,
                Int(count) == input.count
            else { return nil }
            return output
        }

        /// Ends an encryption and answers its tag.
        func finishedTag() -> [UInt8]? {
            var tag = [UInt8](repeating: 0, count: AES256GCM.tagLength)
            guard endOfMessage(),
                unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1
            else { return nil }
            return tag
        }

        /// Ends a decryption: only after true is the message genuine. The tags are compared in constant time.
        func finish(expecting tag: [UInt8]) -> Bool {
            var tag = tag
            return unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1
                && endOfMessage()
        }

        private func endOfMessage() -> Bool {
            var nothing: [UInt8] = Array(repeating: 0, count: AES256GCM.tagLength)
            var count: Int32 = 0
            return unsafe EVP_CipherFinal_ex(context, &nothing, &count) == 1
        }

        // Fetched once, since a fetch costs more than a short message; never written again, and OpenSSL shares it
        // freely.
        private nonisolated(unsafe) static let algorithm: OpaquePointer = {
            guard let fetched = unsafe EVP_CIPHER_fetch(nil, "AES-256-GCM", nil) else {
                preconditionFailure("libcrypto has no AES-256-GCM; is its default provider installed?")
            }
            return unsafe fetched
        }()
    }
#endif
