import Synchronization
package import TenureCore
import TenureServerKit
package import TenureStore

/// A store that watches how it is used, for tests of what stands on it.
///
/// Every decision is made twice. One that comes to something else the second time has drawn, sealed, read a clock or
/// kept something back, and its change fails. So whatever runs on this store shows that its decisions are pure, and that
/// the events which they record are as they are declared.
package final class WatchedStore: PassingStore {
    package let inner: any Store
    private let fault: @Sendable (Event) -> String?
    private let step: @Sendable (Step) async -> Void
    private let state = Mutex(State())

    private struct State {
        var changes = 0
        var looks = 0
        var isHeld = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// Watches a store.
    /// - Parameters:
    ///   - fault: What is wrong with an event that is recorded, in words; nil when nothing is.
    ///   - step: Told of each change before and after it is carried out, which waits for that.
    package init(
        _ inner: any Store, fault: @escaping @Sendable (Event) -> String? = { _ in nil },
        step: @escaping @Sendable (Step) async -> Void = { _ in }
    ) {
        self.inner = inner
        self.fault = fault
        self.step = step
    }

    /// A moment of a change, by its number among all.
    package enum Step: Sendable, Hashable {
        /// It will be carried out now.
        case before(Int)
        /// It is on disk.
        case after(Int)
    }

    /// How many changes were carried out, or tried: what went through the writer.
    package var changes: Int { state.withLock { $0.changes } }

    /// How many looks were asked for that change nothing.
    package var looks: Int { state.withLock { $0.looks } }

    /// Lets no change through until ``letGo()``.
    package func hold() { state.withLock { $0.isHeld = true } }

    /// Lets all changes through that came in the meantime, at once.
    package func letGo() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isHeld = false
            return state.waiting
        }
        for change in waiting { change.resume() }
    }

    /// Carries out a change whose decision is made twice. Throws also when it came to two things.
    package func perform<Answer: Sendable>(_ change: Change<Answer>) async throws(StoreError) -> Answer {
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
            Change(change.asked, yielding: change.yields) { seen in
                let (first, second) = (change.decide(seen), change.decide(seen))
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
    /// A decision is not pure; nothing but a ``WatchedStore`` notices.
    package static let impureDecision = StoreError.Code("impure_decision")
    /// An event is not as its kind is declared; nothing but a ``WatchedStore`` notices.
    package static let undeclaredEvent = StoreError.Code("undeclared_event")
}

extension WatchedStore {
    package func look(_ asked: Asked) async throws(StoreError) -> Seen {
        state.withLock { $0.looks += 1 }
        return try await inner.look(asked)
    }
}
