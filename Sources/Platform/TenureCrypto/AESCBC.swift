#if !canImport(CryptoKit)
    import CCrypto

    /// AES-128 in cipher block chaining mode (NIST SP 800-38A) with PKCS#7 padding.
    ///
    /// It doesn't authenticate: anyone who can change the ciphertext can change the message. It exists because Apple's
    /// license requests use it; use ``AES256GCM`` for everything else.
    public struct AES128CBC: Sendable, CustomStringConvertible {
        /// The length of a key in bytes: 16.
        public static let keyLength = 16

        /// The length of an initialization vector and of a block in bytes: 16.
        public static let blockLength = 16

        /// The longest message in bytes; libcrypto's lengths are 32-bit integers.
        static let longestMessage = Int(Int32.max) - blockLength

        private let key: SecretBytes
        private let initializationVector: [UInt8]

        /// Creates a cipher from a key and an initialization vector; use the pair for only one message.
        ///
        /// Throws: `.wrongLength` unless each has 16 bytes.
        public init(
            key: some Collection<UInt8>, initializationVector: some Collection<UInt8>
        ) throws(CryptoError) {
            guard key.count == Self.keyLength else {
                throw .wrongLength(of: "an AES-128 key", is: key.count, not: Self.keyLength)
            }
            guard initializationVector.count == Self.blockLength else {
                throw .wrongLength(
                    of: "an AES initialization vector", is: initializationVector.count, not: Self.blockLength)
            }
            self.key = SecretBytes(copying: key)
            self.initializationVector = Array(initializationVector)
        }

        /// Encrypts a message; the ciphertext is 1 to 16 bytes longer, and its length is a multiple of 16.
        ///
        /// Throws: `.tooLong` for a message of about 2 GiB or more, `.libraryFailed`.
        public func encrypt(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
            guard message.count <= Self.longestMessage else {
                throw CryptoError(.tooLong, "a message to encrypt is over 2 GiB; encrypt it in parts")
            }
            return try process(PKCS7Padding.added(to: message), isEncrypting: true)
        }

        /// Decrypts a message.
        ///
        /// Throws: `.notOpened` for wrong padding and for a ciphertext that is empty or whose length isn't a multiple
        /// of 16.
        public func decrypt(_ ciphertext: [UInt8]) throws(CryptoError) -> [UInt8] {
            let notOpened = CryptoError(
                .notOpened, "the bytes do not decrypt; they were changed, or another key is meant")
            guard let (message, isPadded) = try? decryptUnjudged(ciphertext), isPadded else { throw notOpened }
            return message
        }

        /// Decrypts, and returns whether the padding was valid, in a time that doesn't depend on it.
        ///
        /// If the padding was invalid, the message is everything that was decrypted. Use this for protocols that must
        /// not reveal the difference.
        ///
        /// Throws: `.wrongLength` for a ciphertext that is empty or about 2 GiB long, or whose length isn't a multiple
        /// of 16; `.libraryFailed`.
        package func decryptUnjudged(_ ciphertext: [UInt8]) throws(CryptoError) -> (message: [UInt8], isPadded: Bool) {
            guard !ciphertext.isEmpty, ciphertext.count.isMultiple(of: Self.blockLength),
                ciphertext.count <= Self.longestMessage
            else {
                throw CryptoError(
                    .wrongLength, "a ciphertext of AES-CBC has whole blocks of 16 bytes, and at least one")
            }
            return PKCS7Padding.removed(from: try process(ciphertext, isEncrypting: false))
        }

        /// The type's name, without anything secret.
        public var description: String { "AES128CBC" }

        private func process(_ input: [UInt8], isEncrypting: Bool) throws(CryptoError) -> [UInt8] {
            try unsafe CBCBlocks.process(input, key, initializationVector, Self.algorithm, isEncrypting: isEncrypting)
        }

        // Fetched once, because a fetch costs more than encrypting a short message. It is never written again, and
        // OpenSSL allows threads to share it.
        private nonisolated(unsafe) static let algorithm = unsafe CBCBlocks.algorithm("AES-128-CBC")
    }

    /// AES-256 in cipher block chaining mode (NIST SP 800-38A) with PKCS#7 padding; see ``AES128CBC``.
    ///
    /// It doesn't authenticate. It exists because DoveRunner's license server requires it for policies.
    /// It can only encrypt.
    public struct AES256CBC: Sendable, CustomStringConvertible {
        /// The length of a key in bytes: 32.
        public static let keyLength = 32

        private let key: SecretBytes
        private let initializationVector: [UInt8]

        /// Creates a cipher from a key of 32 bytes and an initialization vector of 16 bytes.
        ///
        /// Throws: `.wrongLength` for other lengths.
        public init(key: [UInt8], initializationVector: [UInt8]) throws(CryptoError) {
            guard key.count == Self.keyLength else {
                throw .wrongLength(of: "an AES-256 key", is: key.count, not: Self.keyLength)
            }
            guard initializationVector.count == AES128CBC.blockLength else {
                throw .wrongLength(
                    of: "an AES initialization vector", is: initializationVector.count, not: AES128CBC.blockLength)
            }
            self.key = SecretBytes(copying: key)
            self.initializationVector = initializationVector
        }

        /// Encrypts a message; the ciphertext is 1 to 16 bytes longer, and its length is a multiple of 16.
        ///
        /// Throws: `.tooLong` for a message of about 2 GiB or more, `.libraryFailed`.
        public func encrypt(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
            guard message.count <= AES128CBC.longestMessage else {
                throw CryptoError(.tooLong, "a message to encrypt is over 2 GiB; encrypt it in parts")
            }
            return try unsafe CBCBlocks.process(
                PKCS7Padding.added(to: message), key, initializationVector, Self.algorithm, isEncrypting: true)
        }

        /// The type's name, without anything secret.
        public var description: String { "AES256CBC" }

        private nonisolated(unsafe) static let algorithm = unsafe CBCBlocks.algorithm("AES-256-CBC")
    }

    /// libcrypto's AES in cipher block chaining mode, for either key length.
    enum CBCBlocks {
        /// Encrypts or decrypts whole blocks, with the library's own padding disabled.
        static func process(
            _ input: [UInt8], _ key: SecretBytes, _ initializationVector: [UInt8], _ algorithm: OpaquePointer,
            isEncrypting: Bool
        ) throws(CryptoError) -> [UInt8] {
            let context = try unsafe LibCrypto.checked(EVP_CIPHER_CTX_new())
            defer { unsafe EVP_CIPHER_CTX_free(context) }
            let started = unsafe key.withBytes { key in
                unsafe EVP_CipherInit_ex2(context, algorithm, key, initializationVector, isEncrypting ? 1 : 0, nil)
            }
            try LibCrypto.check(started)
            try LibCrypto.check(unsafe EVP_CIPHER_CTX_set_padding(context, 0))
            var output = [UInt8](repeating: 0, count: input.count)
            var count: Int32 = 0
            try LibCrypto.check(unsafe EVP_CipherUpdate(context, &output, &count, input, Int32(input.count)))
            guard Int(count) == input.count else { throw LibCrypto.failure() }
            return output
        }

        static func algorithm(_ name: String) -> OpaquePointer {
            guard let fetched = unsafe EVP_CIPHER_fetch(nil, name, nil) else {
                preconditionFailure("libcrypto has no \(name); is its default provider installed?")
            }
            return unsafe fetched
        }
    }

    /// PKCS#7 padding (RFC 5652 §6.3), removed in a time that doesn't depend on whether it is right.
    enum PKCS7Padding {
        /// The message with 1 to 16 bytes of padding, so that its length is a multiple of 16.
        static func added(to message: [UInt8]) -> [UInt8] {
            let padding = AES128CBC.blockLength - message.count % AES128CBC.blockLength
            return message + [UInt8](repeating: UInt8(padding), count: padding)
        }

        /// Removes the padding from at least one decrypted block; if it is wrong, returns all bytes.
        ///
        /// The whole last block is always read.
        static func removed(from blocks: [UInt8]) -> (message: [UInt8], isPadded: Bool) {
            let last = UInt(blocks[blocks.count - 1])
            var wrong: UInt = 0
            for index in 0..<AES128CBC.blockLength {
                let isPadding = ConstantTimeBits.isLess(UInt(index), last)
                wrong |= isPadding & (UInt(blocks[blocks.count - 1 - index]) ^ last)
            }
            let isCount =
                ConstantTimeBits.isLess(0, last) & ConstantTimeBits.isLess(last, UInt(AES128CBC.blockLength) + 1)
            let isPadded = isCount & ConstantTimeBits.isLess(wrong, 1)
            let messageLength = blocks.count - Int(last & isPadded)
            // The copy is unconditional: a slice of all bytes would be returned without a copy, which would take less
            // time.
            let message = unsafe [UInt8](unsafeUninitializedCapacity: blocks.count) { target, count in
                _ = unsafe target.initialize(fromContentsOf: blocks)
                count = messageLength
            }
            return (message, isPadded != 0)
        }
    }
#endif
