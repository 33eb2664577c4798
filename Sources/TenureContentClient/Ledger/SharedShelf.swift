import Foundation

/// What a ledger comes to, for its one writer and for readers on any thread.
///
/// The shelf is read inside a closure, so that no second copy of it is alive while it changes: that would make each
/// change copy its tables.
package final class SharedShelf: @unchecked Sendable {
    // Sendable by `lock`, which guards `shelf`.
    private let lock = NSLock()
    private var shelf: Shelf

    init(_ shelf: Shelf) { self.shelf = shelf }

    /// Reads what is kept. Take out what is needed and do the work outside: changes wait meanwhile.
    func read<Value>(_ body: (Shelf) -> Value) -> Value { lock.withLock { body(shelf) } }

    /// Changes what is kept.
    func change(_ body: (inout Shelf) -> Void) { lock.withLock { body(&shelf) } }
}
