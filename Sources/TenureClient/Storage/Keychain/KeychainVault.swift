import TenureCrypto
package import TenureVault

/// Keeps the record in the Keychain, for this device only.
///
/// A Keychain has no lock to hold from reading to writing. So each write carries a new random mark, and replaces only the
/// item whose mark was read: of two processes at once one decides again, on what the other wrote.
package struct KeychainVault: Vault {
    private let item: any KeychainItem

    /// Keeps the record in an item.
    package init(_ item: any KeychainItem) { self.item = item }

    package func load() throws(VaultError) -> [UInt8]? { try item.read()?.record }

    package func replace(_ record: [UInt8]) throws(VaultError) {
        let kept = try Self.marked(record)
        for _ in 0..<Self.attempts {
            if try item.replace(nil, with: kept) { return }
            if try item.add(kept) { return }
        }
        throw Self.busy
    }

    @discardableResult
    package func update(_ decide: ([UInt8]?) -> [UInt8]?) throws(VaultError) -> [UInt8]? {
        for _ in 0..<Self.attempts {
            let found = try item.read()
            guard let decided = decide(found?.record) else { return found?.record }
            let kept = try Self.marked(decided)
            let isKept = if let found { try item.replace(found.mark, with: kept) } else { try item.add(kept) }
            if isKept { return decided }
        }
        throw Self.busy
    }

    /// Far more often than two apps of one vendor can be in each other's way.
    private static let attempts = 100
    private static let busy = VaultError(
        .unwritable, "The record in the Keychain is changed by another program all the time; end it and try again.")

    private static func marked(_ record: [UInt8]) throws(VaultError) -> KeptItem {
        guard record.count <= longestRecord else { throw .tooLong(record.count) }
        return KeptItem(record: record, mark: SecureRandom.bytes(16))
    }
}

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
