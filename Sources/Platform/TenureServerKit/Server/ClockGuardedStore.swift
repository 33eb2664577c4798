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
        if let doubt = clock.doubt { return try await decide(change, in: doubt) }
        do throws(StoreError) {
            return isFull ? try await retry(change) : try await inner.perform(change)
        } catch {
            if error.code == .full { full.store(true, ordering: .relaxed) }
            throw error
        }
    }

    /// Runs a change without saving it; throws if it would save something.
    private func decide<Answer: Sendable>(
        _ change: Transaction<Answer>, in doubt: ClockDoubt
    ) async throws(StoreError) -> Answer {
        let isSaving = Atomic<Bool>(false)
        let answer = try await inner.perform(
            Transaction(change.asked, yielding: change.yields) { seen in
                let saving = change.decide(seen)
                isSaving.store(!saving.saves.isEmpty, ordering: .relaxed)
                return TransactionResult(saving.answer)
            })
        if isSaving.load(ordering: .relaxed) { throw Self.refusal(doubt) }
        return answer
    }

    /// Runs a change after the disk was full.
    ///
    /// A change that saves nothing doesn't show whether there is space again.
    private func retry<Answer: Sendable>(_ change: Transaction<Answer>) async throws(StoreError) -> Answer {
        let isSaving = Atomic<Bool>(false)
        let answer = try await inner.perform(
            Transaction(change.asked, yielding: change.yields) { seen in
                let saving = change.decide(seen)
                isSaving.store(!saving.saves.isEmpty, ordering: .relaxed)
                return saving
            })
        if isSaving.load(ordering: .relaxed) { full.store(false, ordering: .relaxed) }
        return answer
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
