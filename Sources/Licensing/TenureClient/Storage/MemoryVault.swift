import TenureThreads
package import TenureVault

/// Stores the record in memory only, for tests and previews.
package final class MemoryVault: Vault {
    private struct State {
        var record: [UInt8]?
        var failure: VaultError?
    }

    private let state: Monitor<State>

    package init(_ record: [UInt8]? = nil) { state = Monitor(State(record: record)) }

    /// Makes every call fail from now on, like a full disk or a locked Keychain would; `nil` ends that.
    package func fail(with failure: VaultError?) {
        state.withLock { $0.failure = failure }
    }

    package func load() throws(VaultError) -> [UInt8]? {
        try locked { $0 }
    }

    package func replace(_ record: [UInt8]) throws(VaultError) {
        try locked { $0 = record }
    }

    @discardableResult
    package func rewrite(
        _ decide: (Result<[UInt8]?, VaultError>) throws(VaultError) -> [UInt8]?
    ) throws(VaultError) -> [UInt8]? {
        try locked { record throws(VaultError) in
            if let decided = try decide(.success(record)) { record = decided }
            return record
        }
    }

    private func locked<Value>(
        _ body: (inout [UInt8]?) throws(VaultError) -> Value
    ) throws(VaultError) -> Value {
        try state.withLock { state throws(VaultError) in
            if let failure = state.failure { throw failure }
            return try body(&state.record)
        }
    }
}
