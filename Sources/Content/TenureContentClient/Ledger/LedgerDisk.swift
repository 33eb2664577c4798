import TenureThreads
package import TenureVault

/// The storage of a ledger file, opened by one program at a time.
package protocol LedgerDisk: AnyObject {
    /// The file's name or path, for error messages.
    var name: String { get }

    /// Reads the whole file; `nil` if there isn't one.
    func read() throws(VaultError) -> [UInt8]?

    /// Reads part of the file.
    ///
    /// The result is shorter if the file ends earlier, and empty if there is no file.
    func read(at offset: Int, count: Int) throws(VaultError) -> [UInt8]

    /// Writes at an offset, overwriting or extending the file.
    ///
    /// The bytes are durable only after ``synchronize()``.
    func write(_ bytes: [UInt8], at offset: Int) throws(VaultError)

    /// Makes all previous writes durable.
    func synchronize() throws(VaultError)

    /// Truncates the file to a length in bytes.
    func truncate(to length: Int) throws(VaultError)

    /// Replaces or creates the whole file atomically and durably.
    ///
    /// If it throws, either the old or the new file may be in place. Later calls use the file that is there.
    func replace(_ bytes: [UInt8]) throws(VaultError)

    /// Renames an unusable file so that a new one can be created, and keeps its contents.
    func setAside() throws(VaultError)
}

/// An in-memory ledger file for tests and previews, with failures on request.
package final class MemoryDisk: LedgerDisk, Sendable {
    private struct State {
        var bytes: [UInt8]?
        var stepsLeft: Int?
        var failsNaming = false
        var aside: [[UInt8]] = []
    }

    private let state: Monitor<State>
    package let name = "in memory"

    /// Creates a disk that holds a file with these bytes, or no file.
    package init(_ bytes: [UInt8]? = nil) { state = Monitor(State(bytes: bytes)) }

    /// The bytes of the file; `nil` if there isn't one.
    package var bytes: [UInt8]? {
        get { state.withLock { $0.bytes } }
        set { state.withLock { $0.bytes = newValue } }
    }

    /// Whether ``replace(_:)`` throws after it has replaced the file, like a failed sync of the folder.
    package var failsNaming: Bool {
        get { state.withLock { $0.failsNaming } }
        set { state.withLock { $0.failsNaming = newValue } }
    }

    /// The contents of the files that were set aside, oldest first.
    package var aside: [[UInt8]] { state.withLock { $0.aside } }

    /// How many more operations that change the file succeed; `nil` for no limit.
    package var stepsLeft: Int? {
        get { state.withLock { $0.stepsLeft } }
        set { state.withLock { $0.stepsLeft = newValue } }
    }

    package func read() throws(VaultError) -> [UInt8]? { bytes }

    package func read(at offset: Int, count: Int) throws(VaultError) -> [UInt8] {
        Array((bytes ?? []).dropFirst(offset).prefix(count))
    }

    package func write(_ new: [UInt8], at offset: Int) throws(VaultError) {
        try step { state in
            // On a full disk, half of the bytes are written before the write fails.
            let written = state.stepsLeft == 0 ? Array(new.prefix(new.count / 2)) : new
            let length = state.bytes?.count ?? 0
            state.bytes?.replaceSubrange(
                min(offset, length)..<min(offset + written.count, length), with: written)
        }
    }

    package func synchronize() throws(VaultError) { try step { _ in } }

    package func truncate(to length: Int) throws(VaultError) {
        try step { state in
            if state.stepsLeft != 0 { state.bytes = state.bytes.map { Array($0.prefix(length)) } }
        }
    }

    package func replace(_ new: [UInt8]) throws(VaultError) {
        try step { if $0.stepsLeft != 0 { $0.bytes = new } }
        if failsNaming { throw VaultError(.unwritable, "The folder isn't writable.") }
    }

    package func setAside() throws(VaultError) {
        try step { state in
            guard state.stepsLeft != 0, let bytes = state.bytes else { return }
            state.aside.append(bytes)
            state.bytes = nil
        }
    }

    private func step(_ body: (inout State) -> Void) throws(VaultError) {
        try state.withLock { state throws(VaultError) in
            body(&state)
            guard let left = state.stepsLeft else { return }
            guard left > 0 else { throw VaultError(.unwritable, "The disk is full. Free some space and try again.") }
            state.stepsLeft = left - 1
        }
    }
}
