#if canImport(CryptoKit)
    import CryptoKit
#else
    import CCrypto
#endif

/// Authenticated encryption with AES-256 in Galois/Counter mode (NIST SP 800-38D).
///
/// Sealed bytes consist of a random 12-byte nonce, the ciphertext and a 16-byte tag. Because nonces are random, seal at
/// most 2^32 messages under one key.
public struct AES256GCM: Sendable, CustomStringConvertible {
    /// The length of a key in bytes: 32.
    public static let keyLength = 32

    /// How many bytes sealing adds: a nonce of 12 and a tag of 16.
    public static let overhead = nonceLength + tagLength

    static let nonceLength = 12
    static let tagLength = 16
    /// The longest message in bytes; libcrypto's lengths are 32-bit integers.
    static let longestMessage = Int(Int32.max) - overhead

    #if canImport(CryptoKit)
        private let key: SymmetricKey
    #else
        private let key: SecretBytes
    #endif

    /// Creates a cipher from a key of 32 random bytes. The cipher wipes its copy of the key when its last reference is
    /// released.
    ///
    /// Throws: `.wrongLength` for a key of another length.
    public init(key: [UInt8]) throws(CryptoError) {
        guard key.count == Self.keyLength else {
            throw .wrongLength(of: "an AES-256 key", is: key.count, not: Self.keyLength)
        }
        #if canImport(CryptoKit)
            self.key = SymmetricKey(data: key)
        #else
            self.key = SecretBytes(copying: key)
        #endif
    }

    /// Encrypts a message under a new random nonce and authenticates associated data with it.
    ///
    /// The associated data isn't stored; ``open(_:authenticating:)`` needs the same data. Use it to bind the bytes to
    /// their purpose, such as a table and a row, so that they can't be opened elsewhere.
    ///
    /// Throws: `.tooLong` for a message or associated data of about 2 GiB or more, `.libraryFailed`.
    public func seal(_ message: [UInt8], authenticating associated: [UInt8] = []) throws(CryptoError) -> [UInt8] {
        try seal(message, authenticating: associated, nonce: SecureRandom.bytes(Self.nonceLength))
    }

    /// Decrypts sealed bytes, given the key and the associated data with which they were sealed.
    ///
    /// Throws: `.notOpened` for every failure alike; no part of the message is returned.
    public func open(_ sealed: [UInt8], authenticating associated: [UInt8] = []) throws(CryptoError) -> [UInt8] {
        let messageLength = sealed.count - Self.overhead
        guard messageLength >= 0, messageLength <= Self.longestMessage, associated.count <= Self.longestMessage,
            let message = decrypted(sealed, associated)
        else {
            throw CryptoError(.notOpened, "sealed bytes did not open; they were changed, or sealed under another key")
        }
        return message
    }

    /// The type's name, without anything secret.
    public var description: String { "AES256GCM" }

    /// Seals under the caller's nonce, which must be unique: reusing one under the same key breaks both messages.
    package func seal(
        _ message: [UInt8], authenticating associated: [UInt8], nonce: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        guard nonce.count == Self.nonceLength else {
            throw .wrongLength(of: "an AES-GCM nonce", is: nonce.count, not: Self.nonceLength)
        }
        guard message.count <= Self.longestMessage, associated.count <= Self.longestMessage else {
            throw CryptoError(.tooLong, "a message to seal is over 2 GiB; seal it in parts")
        }
        guard let sealed = encrypted(message, associated, nonce) else {
            throw CryptoError(
                .libraryFailed,
                "the system's library did not encrypt; memory ran out or its installation is broken")
        }
        return sealed
    }

    #if canImport(CryptoKit)
        private func encrypted(_ message: [UInt8], _ associated: [UInt8], _ nonce: [UInt8]) -> [UInt8]? {
            guard let nonce = try? AES.GCM.Nonce(data: nonce),
                let box = try? AES.GCM.seal(message, using: key, nonce: nonce, authenticating: associated)
            else { return nil }
            return box.combined.map { Array($0) }
        }

        private func decrypted(_ sealed: [UInt8], _ associated: [UInt8]) -> [UInt8]? {
            guard let box = try? AES.GCM.SealedBox(combined: sealed) else { return nil }
            return (try? AES.GCM.open(box, using: key, authenticating: associated)).map { Array($0) }
        }
    #else
        private func encrypted(_ message: [UInt8], _ associated: [UInt8], _ nonce: [UInt8]) -> [UInt8]? {
            guard let operation = GCMOperation(.seal, key: key, nonce: nonce), operation.authenticate(associated),
                let ciphertext = operation.process(message), let tag = operation.finishedTag()
            else { return nil }
            return nonce + ciphertext + tag
        }

        private func decrypted(_ sealed: [UInt8], _ associated: [UInt8]) -> [UInt8]? {
            guard let operation = GCMOperation(.open, key: key, nonce: Array(sealed.prefix(Self.nonceLength))),
                operation.authenticate(associated),
                let message = operation.process(Array(sealed[Self.nonceLength..<sealed.count - Self.tagLength])),
                operation.finish(expecting: Array(sealed.suffix(Self.tagLength)))
            else { return nil }
            return message
        }
    #endif
}

#if !canImport(CryptoKit)
    /// One AES-256-GCM operation on one message; converts libcrypto's result codes to `nil` or false.
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

        /// Encrypts or decrypts the message; decrypted bytes aren't authenticated until ``finish(expecting:)`` returns
        /// true.
        func process(_ input: [UInt8]) -> [UInt8]? {
            guard !input.isEmpty else { return [] }
            var output = [UInt8](repeating: 0, count: input.count)
            var count: Int32 = 0
            guard unsafe EVP_CipherUpdate(context, &output, &count, input, Int32(input.count)) == 1,
                Int(count) == input.count
            else { return nil }
            return output
        }

        /// Finishes an encryption and returns its tag.
        func finishedTag() -> [UInt8]? {
            var tag = [UInt8](repeating: 0, count: AES256GCM.tagLength)
            guard endOfMessage(),
                unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1
            else { return nil }
            return tag
        }

        /// Finishes a decryption; the message is authentic only if this returns true.
        ///
        /// Tags are compared in constant time.
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

        // Fetched once, because a fetch costs more than encrypting a short message. It is never written again, and
        // OpenSSL allows threads to share it.
        private nonisolated(unsafe) static let algorithm: OpaquePointer = {
            guard let fetched = unsafe EVP_CIPHER_fetch(nil, "AES-256-GCM", nil) else {
                preconditionFailure("libcrypto has no AES-256-GCM; is its default provider installed?")
            }
            return unsafe fetched
        }()
    }
#endif
