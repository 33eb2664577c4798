/// Where the client keeps what it must remember: one record of at most 1 MiB, encrypted, bound to device and product.
package protocol Vault: Sendable {
    /// Reads the record; nil when there never was one.
    ///
    /// Throws ``VaultError``: `.corrupted`, `.foreign`, `.unreadable`.
    func load() throws(VaultError) -> [UInt8]?

    /// Replaces the record, durably and as a whole: after it returns, a crash finds the new record, before, the old one.
    ///
    /// Throws ``VaultError``: `.unwritable`; `.busy`, which a ``Patience`` waits for.
    func replace(_ record: [UInt8]) throws(VaultError)

    /// Reads, decides and replaces while no other process on this record can; the decision answers nil to leave it.
    ///
    /// Answers the record as it is then. The decision must not use the vault. A record that does not open is an error,
    /// and the decision is not asked; ``replace(_:)`` writes over it. Where another process was faster the decision is asked
    /// again, about what that one wrote.
    ///
    /// Throws ``VaultError``; `.busy`, when another process is at it, which a ``Patience`` waits for.
    @discardableResult
    func update(_ decide: ([UInt8]?) -> [UInt8]?) throws(VaultError) -> [UInt8]?
}

extension Vault {
    /// The longest record, in bytes: 1 MiB.
    package static var longestRecord: Int { 1 << 20 }
}

/// Why the record could not be read or written.
package struct VaultError: Error, Sendable, Hashable {
    package enum Code: String, Sendable, Hashable {
        /// The bytes were changed, or cut.
        case corrupted
        /// It was written on another device, or for another product.
        case foreign
        /// It cannot be read: permissions, a locked Keychain.
        case unreadable
        /// It cannot be written: permissions, a full disk.
        case unwritable
        /// Another process is changing it; nobody outside of the storage hears of this one.
        case busy
    }

    /// The kind; programs branch on this.
    package let code: Code
    /// What went wrong and what to do about it.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// How long one waits for a record that another process is changing.
///
/// The waiting is done here and not where the record is kept, so that it holds no thread and no actor, and ends when its
/// task is cancelled.
package struct Patience: Sendable {
    /// The pauses between two attempts, in milliseconds.
    let pauses: [Int]

    /// 10 s in all. Holding a record takes two writes to the disk.
    package static let standard = Patience(pauses: (0..<6).map { 1 << $0 } + Array(repeating: 50, count: 200))

    /// Makes attempts until one does not fail with `.busy`. Nothing else runs in the caller's isolation from the
    /// beginning of an attempt to its end.
    ///
    /// Throws what the last attempt throws, but `.unwritable` in place of `.busy`; also when the task is cancelled.
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
                throw VaultError(.unwritable, "Another process holds the record, and nobody waits for it; try again.")
            }
        }
        throw VaultError(
            .unwritable, "Another process holds the record and does not let go of it; end it and try again.")
    }
}
