#if !canImport(CryptoKit)
    import CSodium

    /// Password hashes with libsodium's Argon2id (RFC 9106), as text that includes the salt and the costs.
    ///
    /// Hashing and verifying deliberately take tens of milliseconds and ``memoryBytes`` of memory. Run them on a
    /// bounded pool, never on an event thread.
    public enum PasswordHash {
        /// The longest password in bytes.
        public static let longestPassword = 1024

        /// The memory that one call uses: 64 MiB, libsodium's value for interactive logins.
        public static let memoryBytes = 64 << 20

        /// Hashes a password with a new random salt; the text contains no NUL and has at most 127 bytes.
        ///
        /// Throws `.tooLong` for a password longer than ``longestPassword``; `.libraryFailed` if memory runs out.
        public static func make(of password: [UInt8]) throws(CryptoError) -> String {
            try make(of: password, passes: UInt64(crypto_pwhash_OPSLIMIT_INTERACTIVE), memory: memoryBytes)
        }

        /// Returns a hash that matches no known password, and that takes as long to verify as any other.
        ///
        /// It is created quickly: a random password is hashed with the lowest costs, and the text then states the usual
        /// costs.
        ///
        /// Throws `.libraryFailed` if memory runs out.
        public static func decoy() throws(CryptoError) -> String {
            let cheap = try make(
                of: SecureRandom.bytes(32), passes: UInt64(crypto_pwhash_OPSLIMIT_MIN),
                memory: Int(crypto_pwhash_MEMLIMIT_MIN))
            let costs = "m=\(memoryBytes >> 10),t=\(crypto_pwhash_OPSLIMIT_INTERACTIVE),p=1"
            var parts = cheap.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false).map {
                String($0) ?? ""
            }
            parts[3] = costs
            return parts.joined(separator: "$")
        }

        /// Whether the hash was made from this password.
        ///
        /// False for another password, a password that is too long, and a malformed hash. The time doesn't reveal how
        /// much of the password was right; a malformed hash is rejected immediately.
        public static func verify(_ password: [UInt8], against hash: String) -> Bool {
            guard password.count <= longestPassword, hash.utf8.count < textSize else { return false }
            Sodium.start()
            return unsafe password.withUnsafeBytes { secret in
                let bytes = unsafe secret.assumingMemoryBound(to: CChar.self)
                return unsafe crypto_pwhash_str_verify(hash, bytes.baseAddress ?? empty, UInt64(bytes.count)) == 0
            }
        }

        /// Whether the text has the format that ``make(of:)`` returns; imported accounts with other hashes are
        /// rejected.
        public static func isWellFormed(_ hash: String) -> Bool {
            Sodium.start()
            let passes = UInt64(crypto_pwhash_OPSLIMIT_INTERACTIVE)
            // libsodium reads a C string: it would ignore anything after a NUL.
            guard hash.utf8.count < textSize, hash.hasPrefix("$argon2id$"), !hash.utf8.contains(0) else { return false }
            return unsafe crypto_pwhash_str_needs_rehash(hash, passes, memoryBytes) >= 0
        }

        /// Hashes a password with the given costs, for tests.
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

        // The address of an empty password, because an empty array has none; never written after initialization.
        private nonisolated(unsafe) static let empty: UnsafePointer<CChar> = {
            let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
            unsafe byte.initialize(to: 0)
            return unsafe UnsafePointer(byte)
        }()
    }
#endif
