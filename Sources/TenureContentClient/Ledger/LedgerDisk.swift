package import TenureClient

/// The file of a ledger, held open by one program at a time.
package protocol LedgerDisk: AnyObject {
    /// What is said of the file in messages.
    var name: String { get }

    /// The whole file; nil when there is none.
    func read() throws(VaultError) -> [UInt8]?

    /// A part of it; fewer bytes when it ends before.
    func read(at offset: Int, count: Int) throws(VaultError) -> [UInt8]

    /// Writes at an offset, over what is there and beyond; durable only after ``synchronize()``.
    func write(_ bytes: [UInt8], at offset: Int) throws(VaultError)

    /// Makes durable what was written.
    func synchronize() throws(VaultError)

    /// Cuts the file off; what is behind is nothing anybody needs.
    func truncate(to length: Int) throws(VaultError)

    /// Replaces the file as a whole, or makes it: durably, the old bytes or the new ones at every moment.
    func replace(_ bytes: [UInt8]) throws(VaultError)

    /// Gives a file that does not open another name, so that a new one can take its place.
    func setAside() throws(VaultError)
}

/// A ledger's file in memory, for tests and previews. It fails, or falls, where it is told to.
package final class MemoryDisk: LedgerDisk {
    package let name = "in memory"
    /// The file's bytes; nil when there is none.
    package var bytes: [UInt8]?
    /// How many steps still succeed; nil for all.
    package var stepsLeft: Int?
    /// How many steps were taken.
    package private(set) var steps = 0

    /// Begins with a file, or none.
    package init(_ bytes: [UInt8]? = nil) { self.bytes = bytes }

    private func step() throws(VaultError) {
        steps += 1
        guard let left = stepsLeft else { return }
        guard left > 0 else { throw VaultError(.unwritable, "The disk is full.") }
        stepsLeft = left - 1
    }

    package func read() throws(VaultError) -> [UInt8]? { bytes }

    package func read(at offset: Int, count: Int) throws(VaultError) -> [UInt8] {
        Array((bytes ?? []).dropFirst(offset).prefix(count))
    }

    package func write(_ new: [UInt8], at offset: Int) throws(VaultError) {
        // Half of it is on the disk when the other half finds no space.
        let isWhole = stepsLeft != 0
        let written = isWhole ? new : Array(new.prefix(new.count / 2))
        let length = bytes?.count ?? 0
        bytes?.replaceSubrange(min(offset, length)..<min(offset + written.count, length), with: written)
        try step()
    }

    package func synchronize() throws(VaultError) { try step() }

    package func truncate(to length: Int) throws(VaultError) {
        try step()
        bytes = bytes.map { Array($0.prefix(length)) }
    }

    package func replace(_ new: [UInt8]) throws(VaultError) {
        try step()
        bytes = new
    }

    package func setAside() throws(VaultError) {
        try step()
        bytes = nil
    }
}
