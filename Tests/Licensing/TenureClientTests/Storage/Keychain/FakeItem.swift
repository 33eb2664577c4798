import TenureClient
import TenureVault

/// A keychain item that another process changes between reading and writing.
///
/// `@unchecked`: each test uses it on one thread.
final class FakeItem: KeychainItem, @unchecked Sendable {
    var kept: KeptItem?
    var failure: VaultError?
    /// Why the item can't be read until it's replaced.
    var damage: VaultError?
    /// What another process does just before the next write.
    var beforeWrite: ((FakeItem) -> Void)?
    /// Whether another process writes before each write.
    var isRestless = false

    func read() throws(VaultError) -> KeptItem? {
        if let failure { throw failure }
        if let damage { throw damage }
        return kept
    }

    func add(_ item: KeptItem) throws(VaultError) -> Bool {
        try meddle()
        guard kept == nil else { return false }
        kept = item
        return true
    }

    func replace(_ mark: [UInt8]?, with item: KeptItem) throws(VaultError) -> Bool {
        try meddle()
        guard let kept, mark ?? kept.mark == kept.mark else { return false }
        self.kept = item
        damage = nil
        return true
    }

    private func meddle() throws(VaultError) {
        if let failure { throw failure }
        if isRestless { kept = KeptItem(record: [0], mark: Array((kept?.mark ?? []) + [1])) }
        beforeWrite?(self)
        beforeWrite = nil
    }
}
