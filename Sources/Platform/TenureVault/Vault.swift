/// Stores the client's state: one record of at most 1 MiB, bound to a device and a product.
package protocol Vault: Sendable {
    /// Reads the record; `nil` if none has been written.
    ///
    /// Throws ``VaultError``: `.corrupted`, `.foreign`, `.unreadable`.
    func load() throws(VaultError) -> [UInt8]?

    /// Replaces the whole record durably and atomically.
    ///
    /// After a crash, the vault holds either the old record or the new one.
    ///
    /// Throws ``VaultError``: `.unwritable`; `.busy`, which ``LockTimeout`` retries.
    func replace(_ record: [UInt8]) throws(VaultError)

    /// Reads the record, lets a closure decide, and writes its result, with no other process writing in between.
    ///
    /// The closure receives the error if the stored record can't be read, and may then return a record that overwrites
    /// it. If the closure returns `nil` or throws, the record is left unchanged. The closure must not use the vault. It
    /// may run again if another process wrote first, and then receives the record of that process.
    ///
    /// Throws ``VaultError``; `.busy` if another process is writing, which ``LockTimeout`` retries.
    ///
    /// - Returns: The record that is stored afterwards; `nil` if no record is stored, or if it can't be read.
    @discardableResult
    func rewrite(
        _ decide: (Result<[UInt8]?, VaultError>) throws(VaultError) -> [UInt8]?
    ) throws(VaultError) -> [UInt8]?
}

extension Vault {
    /// Reads the record, lets a closure decide, and writes its result, with no other process writing in between.
    ///
    /// Unlike ``rewrite(_:)``, this throws without calling the closure if the stored record can't be read. It returns
    /// the record that is stored afterwards; `nil` if none is stored.
    @discardableResult
    package func update(_ decide: ([UInt8]?) -> [UInt8]?) throws(VaultError) -> [UInt8]? {
        try rewrite { stored throws(VaultError) in decide(try stored.get()) }
    }

    /// The maximum size of a record, in bytes: 1 MiB.
    package static var longestRecord: Int { 1 << 20 }
}

/// Why a record, or a file in a ``PrivateFolder``, can't be read or written.
package struct VaultError: Error, Sendable, Hashable {
    package enum Code: String, Sendable, Hashable {
        /// The stored bytes were modified or truncated.
        case corrupted
        /// The record was written on another device or for another product.
        case foreign
        /// The record can't be read, for example because of permissions or a locked Keychain.
        case unreadable
        /// The record can't be written, for example because of permissions or a full disk.
        case unwritable
        /// Another process is changing the record; ``LockTimeout`` handles this inside the storage layer.
        case busy
    }

    /// The kind of error, for programs to branch on.
    package let code: Code
    /// The error message, which names the fault and the remedy, for people.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// How long to wait for a record that another process is changing.
///
/// The vaults themselves never wait. Waiting here blocks no thread and no actor, and ends when the task is cancelled.
package struct LockTimeout: Sendable {
    /// The pauses between two attempts, in milliseconds.
    let pauses: [Int]

    /// Waits about 10 seconds in total; a process normally holds the record for two disk writes.
    package static let standard = LockTimeout(pauses: (0..<6).map { 1 << $0 } + Array(repeating: 50, count: 200))

    /// Repeats an attempt until it stops failing with `.busy`.
    ///
    /// Each attempt is synchronous, so nothing else runs in the caller's isolation during one.
    ///
    /// Throws the error of the last attempt. Throws `.unwritable` if the record stays busy or the task is cancelled.
    package func wait<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ attempt: () throws(VaultError) -> Value
    ) async throws(VaultError) -> Value {
        for pause in pauses {
            do throws(VaultError) {
                return try attempt()
            } catch {
                guard error.code == .busy else { throw error }
            }
            do {
                try await Task.sleep(for: .milliseconds(pause))
            } catch {
                throw VaultError(.unwritable, "Another process is using the record. Try again.")
            }
        }
        throw VaultError(
            .unwritable, "Another process keeps the record locked. Quit it and try again.")
    }
}
