#if !canImport(CryptoKit)
    import CCrypto

    /// Converts the results of libcrypto's functions to values and errors.
    enum LibCrypto {
        /// The longest key or certificate that is accepted, in bytes: 64 KiB.
        static let longestDocument = 64 << 10

        /// Whether the library could be initialized without its exit handler.
        ///
        /// The first access initializes the library, so access it before any other use of the library.
        static let outlivesExit = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

        /// Throws unless the result is 1, libcrypto's value for success.
        static func check(_ result: Int32) throws(CryptoError) {
            guard result == 1 else { throw failure() }
        }

        /// Returns an object that the library created; throws if it is `nil`.
        static func checked(_ object: OpaquePointer?) throws(CryptoError) -> OpaquePointer {
            guard let object = unsafe object else { throw failure() }
            return unsafe object
        }

        /// Clears the thread's error queue and returns `.libraryRefused`.
        static func failure() -> CryptoError {
            ERR_clear_error()
            return .libraryRefused
        }

        /// Calls an `i2d` function twice: for the length, then for the DER.
        static func der(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) throws(CryptoError)
            -> [UInt8]
        {
            let count = Int(write(nil))
            guard count > 0 else { throw failure() }
            var bytes = [UInt8](repeating: 0, count: count)
            let written = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
                var next = buffer.baseAddress
                return unsafe write(&next)
            }
            guard Int(written) == count else { throw failure() }
            return bytes
        }

        /// Calls a `d2i` function and returns its object if it consumed all the bytes.
        ///
        /// The closure `read` must not free anything; `free` is called if bytes are left over.
        static func parse(
            der: [UInt8], _ read: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?,
            free: (OpaquePointer?) -> Void
        ) -> OpaquePointer? {
            defer { ERR_clear_error() }
            return unsafe der.withUnsafeBufferPointer { buffer in
                var next = buffer.baseAddress
                guard let object = unsafe read(&next, buffer.count) else { return nil }
                guard unsafe next == buffer.baseAddress.map({ unsafe $0 + buffer.count }) else {
                    unsafe free(object)
                    return nil
                }
                return unsafe object
            }
        }

        /// Returns the object that a `PEM_read_bio` function creates from the bytes; `nil` if the function fails.
        static func parse(pem: [UInt8], _ read: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
            defer { ERR_clear_error() }
            return unsafe pem.withUnsafeBytes { buffer in
                guard let source = unsafe BIO_new_mem_buf(buffer.baseAddress, Int32(buffer.count)) else { return nil }
                defer { unsafe BIO_free(source) }
                return unsafe read(source)
            }
        }

        /// Returns the text that a `PEM_write_bio` function writes.
        static func pem(_ write: (OpaquePointer) -> Int32) throws(CryptoError) -> String {
            let sink = unsafe try checked(BIO_new(BIO_s_mem()))
            defer { unsafe BIO_free(sink) }
            try check(unsafe write(sink))
            var bytes = [UInt8](repeating: 0, count: unsafe BIO_ctrl_pending(sink))
            let count = unsafe BIO_read(sink, &bytes, Int32(bytes.count))
            return String(decoding: bytes.prefix(Int(max(count, 0))), as: UTF8.self)
        }

        /// Whether the bytes are text with at least one PEM block, rather than DER.
        static func isPEM(_ bytes: [UInt8]) -> Bool {
            bytes.first != 0x30 && String(decoding: bytes, as: UTF8.self).contains("-----BEGIN ")
        }
    }
#endif

/// Process-wide settings of the C library for signing and encryption.
public enum CryptoLibrary {
    /// Keeps the library initialized until the process has ended.
    ///
    /// Call this before anything else uses the library, including curl; later calls do nothing. Without it, the library
    /// frees its locks while the process exits, even if other threads still use them. An app that quits during a
    /// request would crash.
    public static func outliveExit() {
        #if !canImport(CryptoKit)
            _ = LibCrypto.outlivesExit
        #endif
    }
}
