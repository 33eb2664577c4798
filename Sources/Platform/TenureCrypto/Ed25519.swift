#if canImport(CryptoKit)
    import CryptoKit
#else
    import CSodium
#endif

/// Ed25519 signatures (RFC 8032, the pure variant).
public enum Ed25519 {
    /// The length of a private key's seed in bytes: 32.
    public static let seedLength = 32

    /// The length of a public key in bytes: 32.
    public static let publicKeyLength = 32

    /// The length of a signature in bytes: 64.
    public static let signatureLength = 64
}

extension Ed25519 {
    /// A key that verifies signatures.
    public struct PublicKey: Sendable, Hashable {
        /// The encoded key, 32 bytes.
        public let bytes: [UInt8]

        /// Creates a key from its encoding.
        ///
        /// An invalid point is accepted, but verifies no signature.
        ///
        /// Throws: `.wrongLength` if there aren't 32 bytes.
        public init(bytes: [UInt8]) throws(CryptoError) {
            guard bytes.count == publicKeyLength else {
                throw .wrongLength(of: "an Ed25519 public key", is: bytes.count, not: publicKeyLength)
            }
            self.init(checkedBytes: bytes)
        }

        /// Whether the matching private key made the signature over exactly these bytes.
        ///
        /// Non-canonical encodings of a signature (S not below the group order) and points of small order are rejected.
        /// A signature therefore can't be altered into another valid one. A signature of another length is invalid.
        public func isValidSignature(_ signature: [UInt8], for message: [UInt8]) -> Bool {
            guard signature.count == signatureLength else { return false }
            #if canImport(CryptoKit)
                guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else { return false }
                return key.isValidSignature(signature, for: message)
            #else
                Sodium.start()
                return unsafe crypto_sign_verify_detached(signature, message, UInt64(message.count), bytes) == 0
            #endif
        }

        init(checkedBytes bytes: [UInt8]) {
            self.bytes = bytes
        }
    }

    /// A key that signs; its memory is wiped when the last copy is released.
    public struct PrivateKey: Sendable, CustomStringConvertible {
        /// The key that verifies this key's signatures.
        public let publicKey: PublicKey

        #if canImport(CryptoKit)
            private let key: Curve25519.Signing.PrivateKey
        #else
            /// libsodium's expanded form: the seed followed by the public key.
            private let expanded: SecretBytes
        #endif

        /// Derives the key from a seed; the same seed always gives the same key.
        ///
        /// Throws: `.wrongLength` if the seed isn't 32 bytes long.
        public init(seed: [UInt8]) throws(CryptoError) {
            guard seed.count == seedLength else {
                throw .wrongLength(of: "the seed of an Ed25519 key", is: seed.count, not: seedLength)
            }
            self.init(checkedSeed: seed)
        }

        /// Generates a key from the system's random source.
        public static func generate() -> PrivateKey {
            PrivateKey(checkedSeed: SecureRandom.bytes(seedLength))
        }

        /// The 32-byte seed, to be sealed and stored.
        ///
        /// It is a copy that isn't wiped.
        public var seed: [UInt8] {
            #if canImport(CryptoKit)
                Array(key.rawRepresentation)
            #else
                unsafe expanded.withBytes { unsafe Array(UnsafeBufferPointer(start: $0, count: seedLength)) }
            #endif
        }

        /// Signs a message; the signature has 64 bytes.
        ///
        /// On Linux, the signature of a message is the same every time; CryptoKit adds randomness.
        public func sign(_ message: [UInt8]) -> [UInt8] {
            #if canImport(CryptoKit)
                guard let signature = try? key.signature(for: message) else {
                    preconditionFailure("CryptoKit did not sign")
                }
                return Array(signature)
            #else
                unsafe [UInt8](unsafeUninitializedCapacity: signatureLength) { signature, count in
                    let result = unsafe expanded.withBytes { key in
                        unsafe crypto_sign_detached(signature.baseAddress!, nil, message, UInt64(message.count), key)
                    }
                    precondition(result == 0, "libsodium did not sign; its installation is broken")
                    count = signatureLength
                }
            #endif
        }

        /// The type's name, without anything secret.
        public var description: String { "Ed25519.PrivateKey" }

        private init(checkedSeed seed: [UInt8]) {
            #if canImport(CryptoKit)
                guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else {
                    preconditionFailure("CryptoKit made no key of 32 bytes")
                }
                self.key = key
                publicKey = PublicKey(checkedBytes: Array(key.publicKey.rawRepresentation))
            #else
                Sodium.start()
                var publicBytes = [UInt8](repeating: 0, count: publicKeyLength)
                expanded = unsafe SecretBytes(count: Int(crypto_sign_ed25519_SECRETKEYBYTES)) { secret in
                    let result = unsafe crypto_sign_seed_keypair(&publicBytes, secret, seed)
                    precondition(result == 0, "libsodium did not make a key; its installation is broken")
                }
                publicKey = PublicKey(checkedBytes: publicBytes)
            #endif
        }
    }
}
