import Foundation
package import TenureVault

/// Stores the record in memory only, for tests and previews.
package final class MemoryVault: Vault, @unchecked Sendable {
    // Sendable: `lock` guards both variables.
    private let lock = NSLock()
    private var record: [UInt8]?
    private var failure: VaultError?

    package init(_ record: [UInt8]? = nil) { self.record = record }

    /// Makes every call fail from now on, like a full disk or a locked Keychain would; `nil` ends that.
    package func fail(with failure: VaultError?) {
        lock.withLock { self.failure = failure }
    }

    package func load() throws(VaultError) -> [UInt8]? {
        try locked { record }
    }

    package func replace(_ record: [UInt8]) throws(VaultError) {
        try locked { self.record = record }
    }

    @discardableResult
    package func update(_ decide: ([UInt8]?) -> [UInt8]?) throws(VaultError) -> [UInt8]? {
        try locked {
            if let decided = decide(record) { record = decided }
            return record
        }
    }

    private func locked<Value>(_ body: () -> Value) throws(VaultError) -> Value {
        lock.lock()
        defer { lock.unlock() }
        if let failure { throw failure }
        return body()
    }
}
