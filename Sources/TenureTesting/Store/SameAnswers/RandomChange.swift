import Synchronization
package import TenureStore

/// A change that answers with all that it saw.
package final class RandomChange: WaitingChange {
    /// It stands in line with all others.
    package var yields: Bool { false }

    /// Nobody's patience ends.
    package var isLate: Bool { false }

    /// What came of it.
    package enum Outcome: Sendable, Equatable {
        /// It was saved, and saw these rows, look by look.
        case saved([[[StoredValue]]])
        /// It failed, because of this key if any.
        case failed(String, key: String?)
    }

    package let asked: Asked
    private let decision: @Sendable (Seen) -> (answer: [[[StoredValue]]], saves: [Save])
    private let state = Mutex<(answer: [[[StoredValue]]]?, outcome: Outcome?)>((nil, nil))

    /// States it.
    init(_ asked: Asked, decide: @escaping @Sendable (Seen) -> (answer: [[[StoredValue]]], saves: [Save])) {
        self.asked = asked
        decision = decide
    }

    package func decide(_ seen: Seen) -> [Save] {
        let (answer, saves) = decision(seen)
        state.withLock { $0.answer = answer }
        return saves
    }

    package func resume(_ failure: StoreError?) {
        state.withLock { state in
            state.outcome =
                failure.map { .failed($0.code.text, key: $0.taken) } ?? .saved(state.answer ?? [[[.text("undecided")]]])
        }
    }

    /// What came of it; nil while it waits.
    package var outcome: Outcome? { state.withLock { $0.outcome } }
}

extension Stored {
    /// All that the row holds, in the order of the columns.
    var allValues: [StoredValue] {
        let (table, row) = (Self.table.shape, stored)
        return table.columns.map { table.value(of: $0, in: row) }
    }

    /// The values that a set or key finds the row by.
    func values(for set: SetShape) -> [StoredValue] {
        let (table, row) = (Self.table.shape, stored)
        return set.columns.map { table.value(of: table.columns[$0], in: row) }
    }
}
