#if !canImport(CryptoKit)
    import CSodium

    /// Passwords as they are kept: Argon2id (RFC 9106) by libsodium, in its text form with salt and costs inside.
    ///
    /// Both functions take tens of milliseconds and ``memoryBytes`` of memory on purpose: run them on a bounded pool,
    /// never on an event thread (design §8).
    public enum PasswordHash {
        /// The longest password, in bytes.
        public static let longestPassword = 1024

        /// Memory that one call takes: 64 MiB, libsodium's value for passwords that people wait for.
        public static let memoryBytes = 64 << 20

        /// Hashes a password under a new random salt; the text holds no NUL and is at most 127 bytes.
        ///
        /// Throws `.tooLong` for a password longer than ``longestPassword``, `.libraryFailed` when memory ran out.
        public static func make(of password: [UInt8]) throws(CryptoError) -> String {
            try make(of: password, passes: UInt64(crypto_pwhash_OPSLIMIT_INTERACTIVE), memory: memoryBytes)
        }

        /// Whether the password is the one that the text was made of.
        ///
        /// False for another password, one that is too long, and a text that no such function made. The time does not
        /// tell how much of the password was right; a text that is not well-formed is noticed at once.
        public static func verify(_ password: [UInt8], against hash: String) -> Bool {
            guard password.count <= longestPassword, hash.utf8.count < textSize else { return false }
            Sodium.start()
            return unsafe password.withUnsafeBytes { secret in
                let bytes = unsafe secret.assumingMemoryBound(to: CChar.self)
                return unsafe crypto_pwhash_str_verify(hash, bytes.baseAddress ?? empty, UInt64(bytes.count)) == 0
            }
        }

        /// Whether a text has the shape that ``make(of:)`` gives; others are refused when an account is imported.
        public static func isWellFormed(_ hash: String) -> Bool {
            Sodium.start()
            let passes = UInt64(crypto_pwhash_OPSLIMIT_INTERACTIVE)
            guard hash.utf8.count < textSize, hash.hasPrefix("$argon2id$") else { return false }
            return unsafe crypto_pwhash_str_needs_rehash(hash, passes, memoryBytes) >= 0
        }

        /// The same with other costs, for tests of what uses it.
        package static func make(
            of password: [UInt8], passes: UInt64, memory: Int
        ) throws(CryptoError) -> String {
            guard password.count <= longestPassword else {
                throw CryptoError(.tooLong, "A password may have \(longestPassword) bytes; this one has more.")
            }
            Sodium.start()
            var text = [CChar](repeating: 0, count: textSize)
            let result = unsafe password.withUnsafeBytes { secret in
                let bytes = unsafe secret.assumingMemoryBound(to: CChar.self)
                return unsafe crypto_pwhash_str_alg(
                    &text, bytes.baseAddress ?? empty, UInt64(bytes.count), passes, memory,
                    crypto_pwhash_ALG_ARGON2ID13)
            }
            guard result == 0 else {
                throw CryptoError(
                    .libraryFailed, "A password could not be hashed: \(memory >> 20) MiB of memory were not to be had.")
            }
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }

        private static let textSize = Int(crypto_pwhash_STRBYTES)

        // Stands for the password of no bytes, whose array has no address; never written.
        private nonisolated(unsafe) static let empty: UnsafePointer<CChar> = {
            let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
            unsafe byte.initialize(to: 0)
            return unsafe UnsafePointer(byte)
        }()
    }
#endif
