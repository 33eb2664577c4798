import TenureThreads

/// An engine's single writer thread and its queue; callers wait without blocking a thread.
package final class WriterThread: Sendable {
    private let workers = WorkerThreads(WriteQueue())

    /// Creates the queue without starting the thread.
    package init() {}

    /// Starts the thread; the body calls ``next()`` until it returns `nil`.
    package func start(_ body: @escaping @Sendable () -> Void) throws(StoreError) {
        do throws(ThreadError) { try workers.start(body) } catch { throw StoreError(error) }
    }

    /// Queues a change and waits for its answer.
    ///
    /// The change isn't started once the request's deadline has passed.
    package func perform<Answer: Sendable>(_ change: Transaction<Answer>) async throws(StoreError) -> Answer {
        let deadline = Deadline.current
        return try await withCheckedContinuation { caller in
            let pending = PendingChange(change, caller: caller) { deadline.hasCome }
            if workers.add({ queue in queue.add(pending) }) == nil { pending.resume(.closed) }
        }.get()
    }

    /// Queues a lossy update and waits until it has been written.
    package func write(_ note: LossyUpdate) async throws(StoreError) {
        if note.raises.isEmpty { return }
        try await withCheckedContinuation { caller in
            let waiting = WaitingNote(note, caller: caller)
            if workers.add({ queue in queue.add(waiting) }) == nil { caller.resume(returning: .failure(.closed)) }
        }.get()
    }

    /// Waits for work and returns it; returns `nil` once the queue has been stopped and is empty.
    ///
    /// Changes whose deadline has passed fail with ``StoreError/late`` and are left out.
    package func next() -> WriteQueue.Work? {
        while let work = workers.next({ queue in queue.next() }) {
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

    /// Returns changes to the front of the queue because they couldn't run in the same transaction as those before
    /// them.
    package func putBack(_ postponed: [any WaitingChange]) {
        if !postponed.isEmpty { workers.putBack { queue in queue.putBack(postponed) } }
    }

    /// Queues the rest of a lossy update after a portion was written, or reports the outcome to its caller.
    package func wrote(_ waiting: WaitingNote, _ outcome: Result<Void, StoreError>) {
        if case .success = outcome, !waiting.rest.isEmpty {
            workers.putBack { queue in queue.putBack(waiting) }
        } else {
            waiting.caller.resume(returning: outcome)
        }
    }

    /// Finishes the queued work, then ends the thread.
    package func stop() async { await workers.stop() }
}
