import Synchronization
package import TenureStore

/// A change of a random scene, which records the rows that it read and its outcome.
package final class RandomChange: WaitingChange {
    /// Random changes don't let other changes go first.
    package var yields: Bool { false }

    /// A random change never times out.
    package var isLate: Bool { false }

    package enum Outcome: Sendable, Equatable {
        /// The change was saved, and read these rows, query by query.
        case saved([[[StoredValue]]])
        /// The change failed; `key` names the violated key, if there is one.
        case failed(String, key: String?)
    }

    package let bound: BoundQuery
    private let decision: @Sendable (QueryResult) -> (answer: [[[StoredValue]]], saves: [RowWrite])
    private let state = Mutex<(answer: [[[StoredValue]]]?, outcome: Outcome?)>((nil, nil))

    init(
        _ bound: BoundQuery, decide: @escaping @Sendable (QueryResult) -> (answer: [[[StoredValue]]], saves: [RowWrite])
    ) {
        self.bound = bound
        decision = decide
    }

    package func decide(_ results: QueryResult) -> [RowWrite] {
        let (answer, saves) = decision(results)
        state.withLock { $0.answer = answer }
        return saves
    }

    package func resume(_ failure: StoreError?) {
        state.withLock { state in
            state.outcome =
                failure.map { .failed($0.code.text, key: $0.taken) } ?? .saved(state.answer ?? [[[.text("undecided")]]])
        }
    }

    /// The result; `nil` while the change waits.
    package var outcome: Outcome? { state.withLock { $0.outcome } }
}

extension Stored {
    /// All values of the row, in the order of the columns.
    var allValues: [StoredValue] {
        let (table, row) = (Self.table.shape, stored)
        return table.columns.map { table.value(of: $0, in: row) }
    }

    /// The values by which a set or key finds the row.
    func values(for set: SetShape) -> [StoredValue] {
        let (table, row) = (Self.table.shape, stored)
        return set.columns.map { table.value(of: table.columns[$0], in: row) }
    }
}
