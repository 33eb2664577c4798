import Synchronization
package import TenureStore

/// A store that rejects writes while the clock is untrusted, and that remembers when the disk is full.
///
/// Everything written has dates, and a wrong date stays wrong. Reads continue, and so do changes that save nothing,
/// such as a plan. The error says what is wrong and what to do.
package final class ClockGuardedStore: StoreDecorator {
    package let inner: any Store
    private let clock: any WallClock
    private let full = Atomic<Bool>(false)

    /// Wraps a store and checks a clock before each write.
    package init(_ inner: any Store, by clock: any WallClock) {
        self.inner = inner
        self.clock = clock
    }

    /// Runs a change.
    ///
    /// Throws `StoreError`; `clock_in_doubt` if it would write while the clock is untrusted.
    package func perform<Answer: Sendable>(_ change: Transaction<Answer>) async throws(StoreError) -> Answer {
        if let doubt = clock.doubt {
            let (answer, isSaving) = try await observe(change, isSaved: false)
            if isSaving { throw Self.refusal(doubt) }
            return answer
        }
        do throws(StoreError) {
            guard isFull else { return try await inner.perform(change) }
            // A change that saves nothing doesn't show whether there is space again.
            let (answer, isSaving) = try await observe(change, isSaved: true)
            if isSaving { full.store(false, ordering: .relaxed) }
            return answer
        } catch {
            if error.code == .full { full.store(true, ordering: .relaxed) }
            throw error
        }
    }

    /// Runs a change, without saving it if `isSaved` is false, and returns whether it would save something.
    private func observe<Answer: Sendable>(
        _ change: Transaction<Answer>, isSaved: Bool
    ) async throws(StoreError) -> (Answer, isSaving: Bool) {
        let isSaving = Atomic<Bool>(false)
        let answer = try await inner.perform(
            Transaction(change.bound, yielding: change.yields) { results in
                let saving = change.decide(results)
                isSaving.store(!saving.saves.isEmpty, ordering: .relaxed)
                return isSaved ? saving : TransactionResult(saving.answer)
            })
        return (answer, isSaving.load(ordering: .relaxed))
    }

    /// Whether the disk was full at the last write.
    package var isFull: Bool { full.load(ordering: .relaxed) }

    /// Raises a column of many rows.
    ///
    /// Throws `StoreError`; `clock_in_doubt` while the clock is untrusted.
    package func note(_ note: LossyUpdate) async throws(StoreError) {
        if let doubt = clock.doubt { throw Self.refusal(doubt) }
        try await inner.note(note)
    }

    private static func refusal(_ doubt: ClockDoubt) -> StoreError {
        StoreError(.clockInDoubt, "\(doubt.message) Nothing was changed. \(doubt.cure)")
    }
}
