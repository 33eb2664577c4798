#if !canImport(CryptoKit)
    public import TenureCrypto

    /// What a device sends a request for app licenses in: AES-128-CBC under a key that is encrypted to the server
    /// (`spec/apple.md` §1, `POST <dynamicLicenseURL>`).
    ///
    /// Nothing in it proves who made it or that it was not changed; what is in it is a claim.
    public struct RequestEnvelope: Sendable, Hashable {
        /// Bytes in a request key once its base64 is off: as many as an RSA-3072 modulus has.
        public static let requestKeyLength = 384

        /// Bytes in the longest request, as text: 1 MiB.
        public static let longestRequest = 1 << 20

        /// The encrypted request in base64, Apple's `licenseRequest` and `renewalRequest`.
        public let request: String

        /// The encrypted AES key and initialization vector in base64, Apple's `licenseKey`.
        public let requestKey: String

        /// Takes the two texts as they were sent; nothing is checked.
        public init(request: String, requestKey: String) {
            self.request = request
            self.requestKey = requestKey
        }

        /// Encrypts a request to a server, under a new random key.
        ///
        /// Throws: `.notMade` when the key is not RSA-3072, or the library fails.
        public static func sealing(_ plaintext: [UInt8], to key: RSA.PublicKey) throws(FormatError) -> RequestEnvelope {
            let secret = SecureRandom.bytes(secretLength)
            guard key.modulusBits == requestKeyLength * 8, let cipher = cipher(secret),
                let request = try? cipher.encrypt(plaintext), let requestKey = try? key.encryptOAEP(secret)
            else {
                throw FormatError(
                    .notMade, "a request is encrypted to an RSA-3072 key; ask the server for its certificate")
            }
            return RequestEnvelope(request: Base64.encode(request), requestKey: Base64.encode(requestKey))
        }

        /// Opens a request with whichever of the server's keys it is encrypted to, and reads it.
        ///
        /// Whoever sends envelopes must not learn how far one of them came, or the answers would decrypt captured ones
        /// bit by bit. So every envelope costs the same: one private operation with each key whatever is found, a
        /// decryption with a random key when nothing was unwrapped, the padding taken off in constant time, and one
        /// reading even of garbage.
        ///
        /// `reading` is called once, always, and may be given garbage; what it throws is not passed on.
        ///
        /// Throws: `.unreadable`, always the same, for base64 that is not strict, a request key without 384 bytes, a
        /// secret without 32 bytes, a request that is empty, over 1 MiB or no whole blocks, wrong padding, and a failed
        /// reading.
        public func open<Request>(
            with keys: [RSA.PrivateKey], reading: ([UInt8]) throws -> Request
        ) throws(FormatError) -> Request {
            let wrapped = Base64.decode(requestKey.utf8.count <= 2 * Self.requestKeyLength ? requestKey : "") ?? []
            var secret = SecureRandom.bytes(Self.secretLength)
            var isUnwrapped = false
            for key in keys {
                let (message, isOpened) = key.decryptOAEP(wrapped, orElse: secret)
                secret = message
                isUnwrapped = isOpened || isUnwrapped
            }
            let (ciphertext, isWhole) = blocks()
            // Neither fails: the secret has 32 bytes and the ciphertext whole blocks.
            guard let cipher = Self.cipher(secret), let opened = try? cipher.decryptUnjudged(ciphertext) else {
                throw Self.unreadable
            }
            let read = Result { try reading(opened.message) }
            guard isWhole, wrapped.count == Self.requestKeyLength, isUnwrapped, opened.isPadded,
                case .success(let request) = read
            else { throw Self.unreadable }
            return request
        }

        static let secretLength = AES128CBC.keyLength + AES128CBC.blockLength

        private static let unreadable = FormatError(
            .unreadable,
            "the request does not open; read the server's encryption certificate again and send a new request")

        private static func cipher(_ secret: [UInt8]) -> AES128CBC? {
            try? AES128CBC(
                key: Array(secret.prefix(AES128CBC.keyLength)),
                initializationVector: Array(secret.suffix(AES128CBC.blockLength)))
        }

        /// The encrypted request, or whole blocks that stand in for one that cannot be.
        private func blocks() -> (ciphertext: [UInt8], isWhole: Bool) {
            let length = AES128CBC.blockLength
            let sent = request.utf8.count <= Self.longestRequest ? Base64.decode(request) ?? [] : []
            if !sent.isEmpty, sent.count.isMultiple(of: length) { return (sent, true) }
            return (sent + [UInt8](repeating: 0, count: length - sent.count % length), false)
        }
    }
#endif
