#if !canImport(CryptoKit)
    import CSodium

    /// Bytes that are wiped when the last holder lets go of them.
    @safe final class SecretBytes: Sendable {
        let count: Int

        // Written only inside the initializer and wiped only in deinit, when nobody else can hold it.
        private nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer

        /// Makes room for bytes and lets the caller fill it, once.
        init(count: Int, fill: (UnsafeMutablePointer<UInt8>) -> Void) {
            Sodium.start()
            self.count = count
            unsafe memory = .allocate(byteCount: count, alignment: 16)
            unsafe memory.withMemoryRebound(to: UInt8.self) { bytes in
                if let base = bytes.baseAddress { unsafe fill(base) }
            }
        }

        /// Keeps a wiped-later copy; the array itself stays with its owner.
        convenience init(copying bytes: [UInt8]) {
            unsafe self.init(count: bytes.count) { target in
                unsafe target.update(from: bytes, count: bytes.count)
            }
        }

        /// Lends the bytes; the pointer must not leave the closure.
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
