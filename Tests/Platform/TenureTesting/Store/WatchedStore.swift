import Synchronization
package import TenureCore
import TenureServerKit
package import TenureStore

/// A store for tests that checks how its callers use it.
///
/// Every decision runs twice. If the results differ, the decision isn't pure: it drew random numbers, encrypted
/// something, read a clock or kept state. Its change then fails. A change also fails if an event that it records
/// doesn't match its declaration.
package final class WatchedStore: StoreDecorator {
    package let inner: any Store
    private let fault: @Sendable (Event) -> String?
    private let step: @Sendable (Step) async -> Void
    private let state = Mutex(State())

    private struct State {
        var changes = 0
        var queries = 0
        var rows = 0
        var isHeld = false
        var inPlaceReads = Int.max
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// Wraps a store.
    ///
    /// - Parameters:
    ///   - fault: Returns the fault of a recorded event, or `nil`.
    ///   - step: Called before and after each change. The change waits until the call returns.
    package init(
        _ inner: any Store, fault: @escaping @Sendable (Event) -> String? = { _ in nil },
        step: @escaping @Sendable (Step) async -> Void = { _ in }
    ) {
        self.inner = inner
        self.fault = fault
        self.step = step
    }

    /// A step of a change, with the change's number.
    package enum Step: Sendable, Hashable {
        /// The change is about to run.
        case before(Int)
        /// The change has been saved.
        case after(Int)
    }

    /// The number of changes that were run or tried.
    package var changes: Int { state.withLock { $0.changes } }

    /// The number of reads outside of changes.
    package var queries: Int { state.withLock { $0.queries } }

    /// The number of rows that reads outside of changes returned.
    package var rows: Int { state.withLock { $0.rows } }

    /// The number of further reads that are answered in place.
    ///
    /// The value 0 simulates an engine on another host, and 1 simulates a disk that becomes slow.
    package var inPlaceReads: Int {
        get { state.withLock { $0.inPlaceReads } }
        set { state.withLock { $0.inPlaceReads = newValue } }
    }

    /// Holds all changes back until ``letGo()``.
    package func hold() { state.withLock { $0.isHeld = true } }

    /// Runs the changes that were held back, all at once.
    package func letGo() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isHeld = false
            return state.waiting
        }
        for change in waiting { change.resume() }
    }

    /// Runs a change, and its decision twice. Also throws if the results differ or an event is undeclared.
    package func perform<Answer: Sendable>(_ change: Transaction<Answer>) async throws(StoreError) -> Answer {
        let number = state.withLock { state in
            state.changes += 1
            return state.changes
        }
        await withCheckedContinuation { caller in
            let isLetThrough = state.withLock { state in
                if state.isHeld { state.waiting.append(caller) }
                return !state.isHeld
            }
            if isLetThrough { caller.resume() }
        }
        await step(.before(number))
        let difference = Mutex<String?>(nil)
        let undeclared = Mutex<String?>(nil)
        let answer = try await inner.perform(
            Transaction(change.bound, yielding: change.yields, lossy: change.isLossy) { results in
                let (first, second) = (change.decide(results), change.decide(results))
                let isSame =
                    first.saves.count == second.saves.count
                    && zip(first.saves, second.saves).allSatisfy { $0.isSame(as: $1) }
                if !isSame {
                    difference.withLock { $0 = "\(first.saves) and \(second.saves)" }
                } else if "\(first.answer)" != "\(second.answer)" {
                    difference.withLock { $0 = "\(first.answer) and \(second.answer)" }
                }
                let faults = first.saves.compactMap(\.event).compactMap(self.fault)
                undeclared.withLock { $0 = faults.first }
                return first
            })
        if let undeclared = undeclared.withLock({ $0 }) {
            throw StoreError(.undeclaredEvent, "What was recorded is not as declared: \(undeclared).")
        }
        if let difference = difference.withLock({ $0 }) {
            throw StoreError(.impureDecision, "A decision made twice came to \(difference).")
        }
        await step(.after(number))
        return answer
    }
}

extension StoreError.Code {
    /// A decision isn't pure; only ``WatchedStore`` reports this.
    package static let impureDecision = StoreError.Code("impure_decision")
    /// An event doesn't match its kind's declaration; only ``WatchedStore`` reports this.
    package static let undeclaredEvent = StoreError.Code("undeclared_event")
}

extension WatchedStore {
    package func fetch(_ bound: BoundQuery) async throws(StoreError) -> QueryResult {
        state.withLock { $0.queries += 1 }
        let result = try await inner.fetch(bound)
        state.withLock { $0.rows += result.rowCount }
        return result
    }

    package func fetchInPlace(_ bound: BoundQuery) throws(StoreError) -> QueryResult? {
        let isInPlace = state.withLock { state in
            guard state.inPlaceReads > 0 else { return false }
            state.inPlaceReads -= 1
            state.queries += 1
            return true
        }
        guard isInPlace else { return nil }
        let result = try inner.fetchInPlace(bound)
        state.withLock { $0.rows += result?.rowCount ?? 0 }
        return result
    }
}
