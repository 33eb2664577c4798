import Synchronization

/// Limits concurrent work, with one waiting queue per name.
///
/// The names take turns, so many callers with one name hardly delay callers with other names.
package final class FairQueue<Name: Hashable & Sendable>: Sendable {
    private struct Waiting {
        let number: UInt64
        let name: Name
        let resume: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var free: Int
        var queues: [Name: [Waiting]] = [:]
        /// The names with waiting callers, in the order of their next turns.
        var order: [Name] = []
        var count = 0
        var next: UInt64 = 0
        var cancelled: Set<UInt64> = []

        /// Removes and returns a caller; `nil` if its name has no queue. If the queue is then empty, removes the name
        /// from the order.
        mutating func remove(_ name: Name, at index: Int) -> Waiting? {
            guard let waiting = queues[name]?.remove(at: index) else { return nil }
            count -= 1
            if queues[name]?.isEmpty ?? true {
                queues[name] = nil
                order.removeAll { $0 == name }
            }
            return waiting
        }

        /// Removes and returns the next caller; `nil` if no caller waits. Its name moves to the end of the order.
        mutating func takeNext() -> Waiting? {
            guard let name = order.first else { return nil }
            order.append(order.removeFirst())
            return remove(name, at: 0)
        }
    }

    private let waiting: Int
    private let ofAll: Int
    private let state: Mutex<State>

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - atOnce: The number of callers that may run at once.
    ///   - waiting: The number of callers that may wait per name.
    ///   - ofAll: The number of callers that may wait in total.
    package init(atOnce: Int, waiting: Int, ofAll: Int) {
        self.waiting = waiting
        self.ofAll = ofAll
        state = Mutex(State(free: atOnce))
    }

    /// The number of waiting callers.
    package var count: Int { state.withLock { $0.count } }

    /// Waits for the caller's turn, then runs the work.
    ///
    /// Throws the transient error `turns_busy` without starting the work if too many callers are waiting, or if the
    /// task is cancelled while waiting.
    package func take<Value: Sendable>(
        _ name: Name, _ work: @Sendable () async -> Value
    ) async throws(ServerError) -> Value {
        guard await begins(name) else { throw .turnsBusy }
        let value = await work()
        ends()
        return value
    }

    private func begins(_ name: Name) async -> Bool {
        let number = state.withLock { state -> UInt64? in
            if state.free > 0 {
                state.free -= 1
                return nil
            }
            state.next += 1
            return state.next
        }
        guard let number else { return true }
        // If a task is cancelled after it stopped waiting, `onCancel` leaves its number in this set.
        defer { state.withLock { _ = $0.cancelled.remove(number) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    if state.cancelled.contains(number) { return false }
                    if state.free > 0 {
                        state.free -= 1
                        return true
                    }
                    let own = state.queues[name]?.count ?? 0
                    if own >= waiting || state.count >= ofAll { return false }
                    if own == 0 { state.order.append(name) }
                    state.queues[name, default: []].append(Waiting(number: number, name: name, resume: continuation))
                    state.count += 1
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiting: Waiting? = state.withLock { state in
                guard
                    let index = state.queues.lazy.compactMap({ name, queue in
                        queue.firstIndex { $0.number == number }.map { (name, $0) }
                    }).first
                else {
                    state.cancelled.insert(number)
                    return nil
                }
                return state.remove(index.0, at: index.1)
            }
            waiting?.resume.resume(returning: false)
        }
    }

    private func ends() {
        let next = state.withLock { state -> Waiting? in
            let next = state.takeNext()
            if next == nil { state.free += 1 }
            return next
        }
        next?.resume.resume(returning: true)
    }
}

extension ServerError {
    /// The transient error for a caller that finds the queue full, or that is cancelled while waiting.
    package static let turnsBusy = ServerError(
        .init("turns_busy"), "Too many requests at once. Try again in a moment.", isTransient: true)
}
