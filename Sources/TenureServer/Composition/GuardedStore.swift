import Synchronization
package import TenureServerKit
package import TenureStore

/// A store as those use it who work by dates: it takes nothing while the clock is in doubt, for whatever is written has
/// dates, and stays wrong. It notes when the disk is full.
///
/// Reading goes on. What a change fails with says what is wrong and what to do.
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
        try check()
        do throws(StoreError) {
            return isFull ? try await retry(change) : try await inner.perform(change)
        } catch {
            if error.code == .full { full.store(true, ordering: .relaxed) }
            throw error
        }
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
        try check()
        try await inner.note(note)
    }

    private func check() throws(StoreError) {
        guard let doubt = clock.doubt else { return }
        throw StoreError(.clockInDoubt, "\(doubt.message) Nothing was changed. \(doubt.cure)")
    }
}
