#if !canImport(CryptoKit)
    public import TenureCrypto
    public import TenureFormats

    /// An encrypted request for app licenses, as a device sends it (Apple's documentation).
    ///
    /// The request is encrypted with AES-128-CBC; its key is encrypted to the server's RSA key. The envelope isn't
    /// authenticated: treat everything in it as an unproven claim.
    public struct RequestEnvelope: Sendable, Hashable {
        /// The length of a decoded request key, in bytes: that of an RSA-3072 modulus.
        public static let requestKeyLength = 384

        /// The longest ``request`` that is accepted, in bytes of base64: 1 MiB.
        public static let longestRequest = 1 << 20

        /// The encrypted request in base64; Apple's `licenseRequest` and `renewalRequest`.
        public let request: String

        /// The encrypted AES key and initialization vector in base64, Apple's `licenseKey`.
        public let requestKey: String

        /// Creates an envelope from the two texts as they were sent, without checking them.
        public init(request: String, requestKey: String) {
            self.request = request
            self.requestKey = requestKey
        }

        /// Encrypts a request to a server under a new random key.
        ///
        /// Throws: `.notMade` if the key isn't RSA-3072 or the cryptographic library fails.
        public static func sealing(_ plaintext: [UInt8], to key: RSA.PublicKey) throws(FormatError) -> RequestEnvelope {
            let secret = SecureRandom.bytes(secretLength)
            guard key.modulusBits == requestKeyLength * 8, let cipher = cipher(secret),
                let request = try? cipher.encrypt(plaintext), let requestKey = try? key.encryptOAEP(secret)
            else {
                throw FormatError(
                    .notMade, "a request must be encrypted with an RSA-3072 key; fetch the server's certificate")
            }
            return RequestEnvelope(request: Base64.encode(request), requestKey: Base64.encode(requestKey))
        }

        /// Finds the server's key that the request is encrypted to, then decrypts and parses the request.
        ///
        /// A sender must not learn at which step an envelope fails: the responses would be a padding oracle for
        /// captured requests. Every envelope therefore costs the same:
        ///
        /// - one private-key operation per key, whatever is found;
        /// - one decryption, with a random key if nothing was unwrapped;
        /// - padding removed in constant time;
        /// - one call of `reading`, even on garbage.
        ///
        /// `reading` is always called exactly once and may be given garbage. Its errors aren't passed on.
        ///
        /// Throws: `.unreadable`, always with the same message, in each of these cases:
        ///
        /// - the base64 isn't strict;
        /// - the request key doesn't have 384 bytes, or the secret doesn't have 32;
        /// - the request is empty, over 1 MiB or not a whole number of blocks;
        /// - the padding is wrong, or `reading` fails.
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
            // Neither call can fail, because the secret has 32 bytes and the ciphertext is a whole number of blocks.
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
            "the request can't be decrypted; fetch the server's encryption certificate again and send a new request")

        private static func cipher(_ secret: [UInt8]) -> AES128CBC? {
            try? AES128CBC(
                key: secret.prefix(AES128CBC.keyLength),
                initializationVector: secret.suffix(AES128CBC.blockLength))
        }

        /// Returns the decoded ciphertext; if the request is invalid, it is padded with zeros to whole blocks.
        private func blocks() -> (ciphertext: [UInt8], isWhole: Bool) {
            let length = AES128CBC.blockLength
            let sent = request.utf8.count <= Self.longestRequest ? Base64.decode(request) ?? [] : []
            if !sent.isEmpty, sent.count.isMultiple(of: length) { return (sent, true) }
            return (sent + [UInt8](repeating: 0, count: length - sent.count % length), false)
        }
    }
#endif
