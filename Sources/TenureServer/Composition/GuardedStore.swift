import Synchronization
package import TenureServerKit
package import TenureStore

/// A store as those use it who work by dates: it takes nothing while the clock is in doubt, for whatever is written has
/// dates, and stays wrong. It notes when the disk is full.
///
/// Reading goes on, and so does what looks like a change and saves nothing, such as a plan. What a change fails with says
/// what is wrong and what to do.
package final class GuardedStore: PassingStore {
    package let inner: any Store
    private let clock: any WallClock
    private let full = Atomic<Bool>(false)

    /// Guards a store by a clock.
    package init(_ inner: any Store, by clock: any WallClock) {
        self.inner = inner
        self.clock = clock
    }

    /// Carries out a change. Throws `StoreError`; `clock_in_doubt` while the clock is.
    package func perform<Answer: Sendable>(_ change: Change<Answer>) async throws(StoreError) -> Answer {
        if let doubt = clock.doubt { return try await decide(change, in: doubt) }
        do throws(StoreError) {
            return isFull ? try await retry(change) : try await inner.perform(change)
        } catch {
            if error.code == .full { full.store(true, ordering: .relaxed) }
            throw error
        }
    }

    /// Answers what a change comes to that saves nothing; refuses every other.
    private func decide<Answer: Sendable>(
        _ change: Change<Answer>, in doubt: ClockDoubt
    ) async throws(StoreError) -> Answer {
        let isSaving = Atomic<Bool>(false)
        let answer = try await inner.perform(
            Change(change.asked, yielding: change.yields) { seen in
                let saving = change.decide(seen)
                isSaving.store(!saving.saves.isEmpty, ordering: .relaxed)
                return Saving(saving.answer)
            })
        if isSaving.load(ordering: .relaxed) { throw Self.refusal(doubt) }
        return answer
    }

    /// Carries out a change on a disk that was full. One that saves nothing tells nothing of it.
    private func retry<Answer: Sendable>(_ change: Change<Answer>) async throws(StoreError) -> Answer {
        let isSaving = Atomic<Bool>(false)
        let answer = try await inner.perform(
            Change(change.asked, yielding: change.yields) { seen in
                let saving = change.decide(seen)
                isSaving.store(!saving.saves.isEmpty, ordering: .relaxed)
                return saving
            })
        if isSaving.load(ordering: .relaxed) { full.store(false, ordering: .relaxed) }
        return answer
    }

    /// Whether the disk was full when something was last written.
    package var isFull: Bool { full.load(ordering: .relaxed) }

    /// Raises a column of many rows. Throws `StoreError`; `clock_in_doubt` while the clock is.
    package func note(_ note: Note) async throws(StoreError) {
        if let doubt = clock.doubt { throw Self.refusal(doubt) }
        try await inner.note(note)
    }

    private static func refusal(_ doubt: ClockDoubt) -> StoreError {
        StoreError(.clockInDoubt, "\(doubt.message) Nothing was changed. \(doubt.cure)")
    }
}
