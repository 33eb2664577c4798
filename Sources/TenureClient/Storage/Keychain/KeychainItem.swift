/// One item of a Keychain as it is kept, which has no locks but replaces an item only if it is the one that is meant.
package protocol KeychainItem: Sendable {
    /// Reads the item; nil when there is none.
    ///
    /// Throws ``VaultError``: `.unreadable`, `.corrupted`.
    func read() throws(VaultError) -> KeptItem?

    /// Adds the item; false when there is one already, which stays as it is.
    ///
    /// Throws ``VaultError``: `.unwritable`.
    func add(_ item: KeptItem) throws(VaultError) -> Bool

    /// Replaces the item if its mark is the given one, else leaves it and answers false. Nil is whichever mark it has.
    ///
    /// Throws ``VaultError``: `.unwritable`.
    func replace(_ mark: [UInt8]?, with item: KeptItem) throws(VaultError) -> Bool
}

/// What a Keychain keeps: the record, and a mark that is new at each write.
package struct KeptItem: Sendable, Hashable {
    package let record: [UInt8]
    package let mark: [UInt8]

    package init(record: [UInt8], mark: [UInt8]) {
        self.record = record
        self.mark = mark
    }
}
