#if canImport(CryptoKit)
    import CryptoKit
#else
    import CCrypto
#endif

/// Authenticated encryption with AES-256 in Galois/Counter mode (NIST SP 800-38D).
///
/// Sealed bytes are a random 12-byte nonce, the ciphertext and a 16-byte tag, in this order. Random nonces allow 2^32
/// messages under one key.
public struct AES256GCM: Sendable, CustomStringConvertible {
    /// Bytes in a key: 32.
    public static let keyLength = 32

    /// Bytes that sealing adds: 12 of nonce and 16 of tag.
    public static let overhead = nonceLength + tagLength

    static let nonceLength = 12
    static let tagLength = 16
    /// libcrypto counts in 32-bit integers.
    static let longestMessage = Int(Int32.max) - overhead

    #if canImport(CryptoKit)
        private let key: SymmetricKey
    #else
        private let key: SecretBytes
    #endif

    /// Takes a key of 32 random bytes; its copy is wiped when the last holder lets go.
    ///
    /// Throws: `.wrongLength`.
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

    /// Encrypts a message under a fresh random nonce and binds it to associated data.
    ///
    /// The associated data is not stored: whoever opens must give the same. It says what the bytes are for (such as
    /// a table and a row), so that they open nowhere else.
    ///
    /// Throws: `.tooLong` over 2^31 bytes, `.libraryFailed`.
    public func seal(_ message: [UInt8], authenticating associated: [UInt8] = []) throws(CryptoError) -> [UInt8] {
        try seal(message, authenticating: associated, nonce: SecureRandom.bytes(Self.nonceLength))
    }

    /// Decrypts what `seal` made, given the same key and associated data.
    ///
    /// Throws: `.notOpened` for every failure alike; nothing of the message is given out.
    public func open(_ sealed: [UInt8], authenticating associated: [UInt8] = []) throws(CryptoError) -> [UInt8] {
        let messageLength = sealed.count - Self.overhead
        guard messageLength >= 0, messageLength <= Self.longestMessage, associated.count <= Self.longestMessage,
            let message = decrypted(sealed, associated)
        else {
            throw CryptoError(.notOpened, "sealed bytes did not open; they were changed, or sealed under another key")
        }
        return message
    }

    /// Names the kind of value and nothing of the secret.
    public var description: String { "AES256GCM" }

    /// Seals under a nonce that the caller vouches for: the same nonce twice under one key breaks both messages.
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
