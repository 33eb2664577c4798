import Synchronization
import TenureHTTP
import TenureThreads

/// The completions whose connections wait for their handlers.
final class SuspendedTable: Sendable {
    private struct State {
        var waiting: [ObjectIdentifier: Completion] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Adds a completion; false once the table is closed, and then its connection must not be suspended.
    func add(_ completion: Completion) -> Bool {
        state.withLock { state in
            if state.isClosed { return false }
            state.waiting[ObjectIdentifier(completion)] = completion
            return true
        }
    }

    func remove(_ completion: Completion) {
        state.withLock { _ = $0.waiting.removeValue(forKey: ObjectIdentifier(completion)) }
    }

    /// Answers and forgets the completions that are past their deadline.
    func overdue(at now: SteadyTime) -> [Completion] {
        state.withLock { state in
            let overdue = state.waiting.filter { $0.value.deadline <= now }
            for key in overdue.keys { state.waiting[key] = nil }
            return Array(overdue.values)
        }
    }

    /// Lets no more in, and answers and forgets all who wait.
    func close() -> [Completion] {
        state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
    }
}
