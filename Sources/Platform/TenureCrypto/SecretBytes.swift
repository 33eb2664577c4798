#if !canImport(CryptoKit)
    import CSodium

    /// Bytes that are wiped when the last reference is released.
    @safe final class SecretBytes: Sendable {
        let count: Int

        // Written only in the initializer and wiped only in deinit, when no other reference exists.
        private nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer

        /// Allocates memory and lets the closure fill it once.
        init(count: Int, fill: (UnsafeMutablePointer<UInt8>) -> Void) {
            Sodium.start()
            self.count = count
            unsafe memory = .allocate(byteCount: count, alignment: 16)
            unsafe memory.withMemoryRebound(to: UInt8.self) { bytes in
                if let base = bytes.baseAddress { unsafe fill(base) }
            }
        }

        /// Copies the bytes and wipes the copy later; the caller's array isn't wiped.
        convenience init(copying bytes: some Collection<UInt8>) {
            unsafe self.init(count: bytes.count) { target in
                let memory = unsafe UnsafeMutableBufferPointer(start: target, count: bytes.count)
                _ = unsafe memory.initialize(fromContentsOf: bytes)
            }
        }

        /// Passes the bytes to a closure; the pointer must not escape it.
        func withBytes<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
            unsafe memory.withMemoryRebound(to: UInt8.self) { bytes in
                unsafe body(UnsafePointer(bytes.baseAddress!))
            }
        }

        deinit {
            unsafe sodium_memzero(memory.baseAddress!, count)
            unsafe memory.deallocate()
        }
    }

    /// Initializes libsodium, which is required before any other call to it.
    enum Sodium {
        /// Ensures that libsodium is initialized; threads may call this concurrently.
        @inline(__always)
        static func start() {
            precondition(started, "libsodium could not start: no source of random bytes (is /dev/urandom there?)")
        }

        private static let started = sodium_init() >= 0
    }
#endif
