import Synchronization
package import TenureStore

/// A store that rejects writes while the clock is untrusted, and that remembers whether the disk is full.
///
/// Rows contain dates, and a wrong date would stay wrong. Reads still work, and so do transactions that write nothing,
/// such as a dry run. The error describes the problem with the clock and the remedy.
package final class ClockGuardedStore: StoreDecorator {
    package let inner: any Store
    private let clock: any WallClock
    private let full = Atomic<Bool>(false)
    /// Whether the store accepts writes, according to the regular writes of the clock mark.
    package let writing = WriteProbe()

    /// Wraps a store and checks a clock before each write.
    package init(_ inner: any Store, by clock: any WallClock) {
        self.inner = inner
        self.clock = clock
    }

    /// Runs a transaction.
    ///
    /// Throws `StoreError`. Its code is `clock_in_doubt` if the transaction would write while the clock is untrusted.
    package func perform<Answer: Sendable>(_ change: Transaction<Answer>) async throws(StoreError) -> Answer {
        if let doubt = clock.doubt {
            let (answer, isSaving) = try await observe(change, isSaved: false)
            if isSaving { throw Self.refusal(doubt) }
            return answer
        }
        do throws(StoreError) {
            guard isFull else { return try await inner.perform(change) }
            // Only a transaction that writes shows whether there is space again.
            let (answer, isSaving) = try await observe(change, isSaved: true)
            if isSaving { full.store(false, ordering: .relaxed) }
            return answer
        } catch {
            if error.code == .full { full.store(true, ordering: .relaxed) }
            throw error
        }
    }

    /// Runs a transaction and returns whether it has rows to write. Writes them only if `isSaved` is `true`.
    private func observe<Answer: Sendable>(
        _ change: Transaction<Answer>, isSaved: Bool
    ) async throws(StoreError) -> (Answer, isSaving: Bool) {
        let isSaving = Atomic<Bool>(false)
        let answer = try await inner.perform(
            Transaction(change.bound, yielding: change.yields, lossy: change.isLossy) { results in
                let saving = change.decide(results)
                isSaving.store(!saving.saves.isEmpty, ordering: .relaxed)
                return isSaved ? saving : TransactionResult(saving.answer)
            })
        return (answer, isSaving.load(ordering: .relaxed))
    }

    /// Whether the disk was full at the last attempt to write.
    package var isFull: Bool { full.load(ordering: .relaxed) }

    /// Raises the values of many rows, each to its new value.
    ///
    /// Throws `StoreError`. Its code is `clock_in_doubt` while the clock is untrusted.
    package func note(_ note: LossyUpdate) async throws(StoreError) {
        if let doubt = clock.doubt { throw Self.refusal(doubt) }
        try await inner.note(note)
    }

    private static func refusal(_ doubt: ClockDoubt) -> StoreError {
        StoreError(.clockInDoubt, "\(doubt.message) Nothing was changed. \(doubt.cure)")
    }
}
