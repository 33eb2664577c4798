import Synchronization
package import TenureServerKit
package import TenureStore

/// A store as those use it who work by dates: it takes nothing while the clock is in doubt, for whatever is written has
/// dates, and stays wrong. It notes when the disk is full.
///
/// Reading goes on. What a change fails with says what is wrong and what to do.
package final class GuardedStore: Store {
    private let inner: any Store
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

// What is only passed on.
extension GuardedStore {
    package func look(_ asked: Asked) async throws(StoreError) -> Seen { try await inner.look(asked) }

    package func rows(_ listing: ListingShape) async throws(StoreError) -> [StoredRow] { try await inner.rows(listing) }

    package func answers(_ view: ViewShape, _ list: [StoredValue]) async throws(StoreError) -> [any Sendable] {
        try await inner.answers(view, list)
    }

    package func backup(to path: String, progress: @Sendable (Double) -> Void) async throws(StoreError) {
        try await inner.backup(to: path, progress: progress)
    }

    package func lead(_ role: Role) async -> LeaderTerm? { await inner.lead(role) }

    package func snapshot() async throws(StoreError) -> any StoreSnapshot { try await inner.snapshot() }

    package func adopt(_ rows: [StoredRow], of table: TableShape) async throws(StoreError) {
        try await inner.adopt(rows, of: table)
    }

    package func integrityFaults(of table: TableShape?) async throws(StoreError) -> [String] {
        try await inner.integrityFaults(of: table)
    }

    package func time() async throws(StoreError) -> Int64? { try await inner.time() }

    package func close() async { await inner.close() }
}
