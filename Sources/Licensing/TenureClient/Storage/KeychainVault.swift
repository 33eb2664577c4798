import TenureCrypto
package import TenureVault

/// Stores the record in the Keychain, for this device only.
///
/// The Keychain has no locks. So each write stores a new random mark, and replaces the item only if the mark is still
/// the one that was read. If two processes write at the same time, one of them decides again, based on the other's
/// record. Only an item that can't be read is replaced without this comparison.
package struct KeychainVault: Vault {
    private let item: any KeychainItem

    package init(_ item: any KeychainItem) { self.item = item }

    package func load() throws(VaultError) -> [UInt8]? { try item.read()?.record }

    package func replace(_ record: [UInt8]) throws(VaultError) {
        let stored = try Self.marked(record)
        for _ in 0..<Self.attempts {
            if try item.replace(nil, with: stored) { return }
            if try item.add(stored) { return }
        }
        throw Self.busy
    }

    @discardableResult
    package func rewrite(
        _ decide: (Result<[UInt8]?, VaultError>) throws(VaultError) -> [UInt8]?
    ) throws(VaultError) -> [UInt8]? {
        for _ in 0..<Self.attempts {
            let found: KeptItem?
            do throws(VaultError) {
                found = try item.read()
            } catch {
                guard let decided = try decide(.failure(error)) else { return nil }
                // An item that can't be read has no mark to compare. Reading it again detects another process's write,
                // except in the instant before the replacement.
                guard isStillUnreadable() else { continue }
                try replace(decided)
                return decided
            }
            guard let decided = try decide(.success(found?.record)) else { return found?.record }
            let stored = try Self.marked(decided)
            let isKept = if let found { try item.replace(found.mark, with: stored) } else { try item.add(stored) }
            if isKept { return decided }
        }
        throw Self.busy
    }

    private func isStillUnreadable() -> Bool {
        do throws(VaultError) {
            _ = try item.read()
            return false
        } catch {
            return true
        }
    }

    /// The maximum number of attempts at one write; far more than concurrent apps of one vendor could need.
    private static let attempts = 100
    private static let busy = VaultError(
        .unwritable, "Another program keeps changing the record in the Keychain. Quit it and try again.")

    private static func marked(_ record: [UInt8]) throws(VaultError) -> KeptItem {
        guard record.count <= longestRecord else { throw .tooLong(record.count) }
        return KeptItem(record: record, mark: SecureRandom.bytes(16))
    }
}

/// A Keychain item with an atomic compare-and-replace.
package protocol KeychainItem: Sendable {
    /// Reads the item; `nil` if it doesn't exist.
    ///
    /// Throws ``VaultError``: `.unreadable`, `.corrupted`.
    func read() throws(VaultError) -> KeptItem?

    /// Adds the item; returns `false` without changing anything if it already exists.
    ///
    /// - Throws: ``VaultError``: `.unwritable`.
    func add(_ item: KeptItem) throws(VaultError) -> Bool

    /// Replaces the item if it exists and has the given mark; otherwise returns `false`.
    ///
    /// If `mark` is `nil`, any mark matches.
    ///
    /// - Throws: ``VaultError``: `.unwritable`.
    func replace(_ mark: [UInt8]?, with item: KeptItem) throws(VaultError) -> Bool
}

/// What the Keychain stores: the record, and a mark that changes with each write.
package struct KeptItem: Sendable, Hashable {
    package let record: [UInt8]
    package let mark: [UInt8]

    package init(record: [UInt8], mark: [UInt8]) {
        self.record = record
        self.mark = mark
    }
}
