#if !canImport(CryptoKit)
    import CCrypto

    /// Turns what libcrypto's functions return into values and errors.
    enum LibCrypto {
        /// Bytes in the longest key or certificate that is read: 64 KiB, many times what any needs.
        static let longestDocument = 64 << 10

        /// Whether the library was told, before it was used, to free nothing while the process exits.
        static let outlivesExit = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

        /// Takes the one result that means success; every other means that the library could not work.
        static func check(_ result: Int32) throws(CryptoError) {
            guard result == 1 else { throw failure() }
        }

        /// Takes an object that was made; none means that the library could not work.
        static func made(_ object: OpaquePointer?) throws(CryptoError) -> OpaquePointer {
            guard let object = unsafe object else { throw failure() }
            return unsafe object
        }

        /// The error for work that always succeeds, after emptying the thread's list of errors.
        static func failure() -> CryptoError {
            ERR_clear_error()
            return .libraryRefused
        }

        /// Calls one of the `i2d` functions twice: for the length, then for the DER.
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

        /// Calls one of the `d2i` functions and answers what it read, if that was all of the bytes.
        ///
        /// The function frees nothing; `free` does when bytes are left over.
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

        /// Lends the bytes to one of the `PEM_read_bio` functions.
        static func parse(pem: [UInt8], _ read: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
            defer { ERR_clear_error() }
            return unsafe pem.withUnsafeBytes { buffer in
                guard let source = unsafe BIO_new_mem_buf(buffer.baseAddress, Int32(buffer.count)) else { return nil }
                defer { unsafe BIO_free(source) }
                return unsafe read(source)
            }
        }

        /// Collects what one of the `PEM_write_bio` functions writes.
        static func pem(_ write: (OpaquePointer) -> Int32) throws(CryptoError) -> String {
            let sink = unsafe try made(BIO_new(BIO_s_mem()))
            defer { unsafe BIO_free(sink) }
            try check(unsafe write(sink))
            var bytes = [UInt8](repeating: 0, count: unsafe BIO_ctrl_pending(sink))
            let count = unsafe BIO_read(sink, &bytes, Int32(bytes.count))
            return String(decoding: bytes.prefix(Int(max(count, 0))), as: UTF8.self)
        }

        /// Whether bytes are text with at least one PEM block, and not DER.
        static func isPEM(_ bytes: [UInt8]) -> Bool {
            bytes.first != 0x30 && String(decoding: bytes, as: UTF8.self).contains("-----BEGIN ")
        }
    }
#endif

/// The C library that signs and seals, as a program with threads needs it.
public enum CryptoLibrary {
    /// Keeps the library whole until the process is gone. Called before anything else uses it, curl included; later calls
    /// do nothing.
    ///
    /// By itself it frees its locks while a program exits, under threads that still work with it: an app that quits while a
    /// question is under way would end with a crash.
    public static func outliveExit() {
        #if !canImport(CryptoKit)
            _ = LibCrypto.outlivesExit
        #endif
    }
}
