#if !canImport(CryptoKit)
    import CSodium

    /// The start of libsodium, which must come before any other call to it.
    enum Sodium {
        /// Makes sure that libsodium has started. Swift runs a global's initializer once, whatever the number of
        /// threads.
        @inline(__always)
        static func start() {
            precondition(started, "libsodium could not start: no source of random bytes (is /dev/urandom there?)")
        }

        private static let started = sodium_init() >= 0
    }
#endif
