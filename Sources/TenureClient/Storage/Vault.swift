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

    /// Which.
    package let code: Code
    /// What went wrong and what to do about it.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
