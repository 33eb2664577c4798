import TenureClient
import TenureVault

/// A keychain item that another process changes between reading and writing.
///
/// `@unchecked`: each test uses its item on one thread only.
final class FakeItem: KeychainItem, @unchecked Sendable {
    var stored: KeptItem?
    var failure: VaultError?
    /// Why the item can't be read until it's replaced.
    var damage: VaultError?
    /// Runs just before the next write, to change the item as another process would.
    var beforeWrite: ((FakeItem) -> Void)?
    /// Whether the item changes before each write, as if another process wrote it.
    var isRestless = false

    func read() throws(VaultError) -> KeptItem? {
        if let failure { throw failure }
        if let damage { throw damage }
        return stored
    }

    func add(_ item: KeptItem) throws(VaultError) -> Bool {
        try meddle()
        guard stored == nil else { return false }
        stored = item
        return true
    }

    func replace(_ mark: [UInt8]?, with item: KeptItem) throws(VaultError) -> Bool {
        try meddle()
        guard let stored, mark ?? stored.mark == stored.mark else { return false }
        self.stored = item
        damage = nil
        return true
    }

    private func meddle() throws(VaultError) {
        if let failure { throw failure }
        if isRestless { stored = KeptItem(record: [0], mark: Array((stored?.mark ?? []) + [1])) }
        beforeWrite?(self)
        beforeWrite = nil
    }
}
