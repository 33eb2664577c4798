#if canImport(CryptoKit)
    import CryptoKit
#else
    import CSodium
#endif

extension Ed25519 {
    /// A key that verifies signatures.
    public struct PublicKey: Sendable, Hashable {
        /// The 32 bytes of its encoding.
        public let bytes: [UInt8]

        /// Takes an encoded key. A point that no honest key has is taken too, and verifies nothing.
        ///
        /// Throws: `.wrongLength` when there are not 32 bytes.
        public init(bytes: [UInt8]) throws(CryptoError) {
            guard bytes.count == publicKeyLength else {
                throw .wrongLength(of: "an Ed25519 public key", is: bytes.count, not: publicKeyLength)
            }
            self.init(checkedBytes: bytes)
        }

        /// Answers whether the signature is this key's, over exactly these bytes.
        ///
        /// Second encodings of a signature (S not below the group order) and points of small order are refused, so a
        /// message has one valid signature per signing. A signature of another length is simply not valid.
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
}
