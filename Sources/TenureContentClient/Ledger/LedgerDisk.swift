import Foundation
package import TenureVault

/// The file of a ledger, held open by one program at a time.
package protocol LedgerDisk: AnyObject {
    /// What is said of the file in messages.
    var name: String { get }

    /// The whole file; nil when there is none.
    func read() throws(VaultError) -> [UInt8]?

    /// A part of it; fewer bytes when it ends before, none when there is none.
    func read(at offset: Int, count: Int) throws(VaultError) -> [UInt8]

    /// Writes at an offset, over what is there and beyond; durable only after ``synchronize()``.
    func write(_ bytes: [UInt8], at offset: Int) throws(VaultError)

    /// Makes durable what was written.
    func synchronize() throws(VaultError)

    /// Cuts the file off; what is behind is nothing anybody needs.
    func truncate(to length: Int) throws(VaultError)

    /// Replaces the file as a whole, or makes it: durably, the old bytes or the new ones at every moment. Where it throws,
    /// either may be there; what is read and written then is what has the name.
    func replace(_ bytes: [UInt8]) throws(VaultError)

    /// Gives a file that does not open another name, so that a new one can take its place.
    func setAside() throws(VaultError)
}

/// A ledger's file in memory, for tests and previews. It fails where it is told to.
package final class MemoryDisk: LedgerDisk, @unchecked Sendable {
    // Sendable by `lock`, which guards `state`.
    private let lock = NSLock()
    private struct State {
        var bytes: [UInt8]?
        var stepsLeft: Int?
        var failsNaming = false
        var aside: [[UInt8]] = []
    }

    private var state: State
    package let name = "in memory"

    /// Begins with a file, or none.
    package init(_ bytes: [UInt8]? = nil) { state = State(bytes: bytes) }

    /// The file's bytes; nil when there is none.
    package var bytes: [UInt8]? {
        get { lock.withLock { state.bytes } }
        set { lock.withLock { state.bytes = newValue } }
    }

    /// Whether replacing it fails when it is replaced already: it has the name, and not for certain.
    package var failsNaming: Bool {
        get { lock.withLock { state.failsNaming } }
        set { lock.withLock { state.failsNaming = newValue } }
    }

    /// What was set aside, in order.
    package var aside: [[UInt8]] { lock.withLock { state.aside } }

    /// How many steps still succeed; nil for all.
    package var stepsLeft: Int? {
        get { lock.withLock { state.stepsLeft } }
        set { lock.withLock { state.stepsLeft = newValue } }
    }

    package func read() throws(VaultError) -> [UInt8]? { bytes }

    package func read(at offset: Int, count: Int) throws(VaultError) -> [UInt8] {
        Array((bytes ?? []).dropFirst(offset).prefix(count))
    }

    package func write(_ new: [UInt8], at offset: Int) throws(VaultError) {
        try step { state in
            // Half of it is on the disk when the other half finds no space.
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
        if failsNaming { throw VaultError(.unwritable, "The folder cannot be written.") }
    }

    package func setAside() throws(VaultError) {
        try step { state in
            guard state.stepsLeft != 0, let bytes = state.bytes else { return }
            state.aside.append(bytes)
            state.bytes = nil
        }
    }

    private func step(_ body: (inout State) -> Void) throws(VaultError) {
        lock.lock()
        defer { lock.unlock() }
        body(&state)
        guard let left = state.stepsLeft else { return }
        guard left > 0 else { throw VaultError(.unwritable, "The disk is full. Free some space and try again.") }
        state.stepsLeft = left - 1
    }
}
