#if !canImport(CryptoKit)
    import CCrypto
    import Synchronization

    /// Contexts of libcrypto that are prepared for one operation with one key, and used again.
    ///
    /// To prepare one, libcrypto looks up the algorithms by their names, with some twenty allocations. Only one thread
    /// at a time may use a context, so there are as many as have been in use at once.
    @safe final class PreparedContexts: Sendable {
        private let idle = Mutex<[Context]>([])
        private let prepare: @Sendable (OpaquePointer) -> Bool

        /// - Parameter prepare: Initializes a new context for the operation; returns `false` if that fails.
        init(_ prepare: @escaping @Sendable (OpaquePointer) -> Bool) {
            unsafe self.prepare = unsafe prepare
        }

        /// Calls the body with a context for the key. Every call must pass the same key. Throws `.libraryRefused` if no
        /// context can be prepared.
        func withContext<Result>(
            of key: OpaquePointer, _ body: (OpaquePointer) throws(CryptoError) -> Result
        ) throws(CryptoError) -> Result {
            let context =
                if let context = idle.withLock({ $0.popLast() }) { context } else { try unsafe prepared(for: key) }
            defer { idle.withLock { $0.append(context) } }
            return try unsafe body(context.pointer)
        }

        private func prepared(for key: OpaquePointer) throws(CryptoError) -> Context {
            let context = unsafe Context(owning: try LibCrypto.checked(EVP_PKEY_CTX_new_from_pkey(nil, key, nil)))
            guard unsafe prepare(context.pointer) else { throw LibCrypto.failure() }
            return context
        }
    }

    /// A context, freed when it is released.
    @safe private final class Context: Sendable {
        // Set once and freed in deinit. Only the thread that took the context out of the list uses it.
        nonisolated(unsafe) let pointer: OpaquePointer

        init(owning pointer: OpaquePointer) {
            unsafe self.pointer = unsafe pointer
        }

        deinit { unsafe EVP_PKEY_CTX_free(pointer) }
    }
#endif
