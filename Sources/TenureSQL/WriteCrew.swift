package import TenureStore
import TenureThreads

/// The one thread of an engine that writes, and the queue before it; callers wait without holding a thread.
package final class WriteCrew: Sendable {
    private let crew = Crew(WriteQueue())

    /// Makes a crew whose thread has not been started.
    package init() {}

    /// Starts the thread; the body asks ``next()`` until it answers nil.
    package func start(_ body: @escaping @Sendable () -> Void) throws(StoreError) {
        do throws(ThreadError) { try crew.start(body) } catch { throw StoreError(error) }
    }

    /// Queues a change and waits for its answer. It is not begun once the request's deadline has come.
    package func perform<Answer: Sendable>(_ change: Change<Answer>) async throws(StoreError) -> Answer {
        let deadline = Deadline.current
        return try await withCheckedContinuation { caller in
            let pending = PendingChange(change, caller: caller) { deadline.hasCome }
            if crew.add({ queue in queue.add(pending) }) == nil { pending.resume(.closed) }
        }.get()
    }

    /// Queues a note and waits until it is written.
    package func write(_ note: Note) async throws(StoreError) {
        if note.raises.isEmpty { return }
        try await withCheckedContinuation { caller in
            let waiting = WaitingNote(note, caller: caller)
            if crew.add({ queue in queue.add(waiting) }) == nil { caller.resume(returning: .failure(.closed)) }
        }.get()
    }

    /// Waits for work; nil when there is none left and no more will come. Changes whose callers wait no longer are told
    /// so and left out.
    package func next() -> WriteQueue.Work? {
        while let work = crew.next({ queue in queue.next() }) {
            guard case .changes(let group) = work else { return work }
            let due = group.filter { change in
                let isLate = change.isLate
                if isLate { change.resume(.late) }
                return !isLate
            }
            if !due.isEmpty { return .changes(due) }
        }
        return nil
    }

    /// Puts back changes that could not be carried out together with those before them: they go first.
    package func putBack(_ postponed: [any WaitingChange]) {
        if !postponed.isEmpty { crew.putBack { queue in queue.putBack(postponed) } }
    }

    /// Tells what came of a note's portion, and puts back what is left of it.
    package func wrote(_ waiting: WaitingNote, _ outcome: Result<Void, StoreError>) {
        if case .success = outcome, !waiting.rest.isEmpty {
            crew.putBack { queue in queue.putBack(waiting) }
        } else {
            waiting.caller.resume(returning: outcome)
        }
    }

    /// Does what is queued, then ends the thread.
    package func stop() async { await crew.stop() }
}
