import TenureStore
import TenureThreads

/// The one thread that changes the database, and the queue before it.
final class Writer: Sendable {
    private let crew = Crew(WriteQueue())
    private let connection: Monitor<Connection?>
    private let log: LogKeeper?

    /// Starts the thread.
    /// - Parameter connection: The connection to write on; the writer holds it while it writes.
    /// - Parameter log: What keeps the log short; nil for a database without one.
    init(_ connection: Monitor<Connection?>, log: LogKeeper?) throws(StoreError) {
        self.connection = connection
        self.log = log
        do throws(ThreadError) { try crew.start { [self] in work() } } catch { throw StoreError(error) }
    }

    func perform<Answer: Sendable>(_ change: Change<Answer>) async throws(StoreError) -> Answer {
        try await withCheckedContinuation { caller in
            let pending = PendingChange(change, caller: caller)
            if crew.add({ queue in queue.add(pending) }) == nil { pending.resume(.closed) }
        }.get()
    }

    func write(_ note: Note) async throws(StoreError) {
        if note.raises.isEmpty { return }
        try await withCheckedContinuation { caller in
            let waiting = WaitingNote(note, caller: caller)
            if crew.add({ queue in queue.add(waiting) }) == nil { caller.resume(returning: .failure(.closed)) }
        }.get()
    }

    /// Does what is queued, then ends the thread.
    func stop() async { await crew.stop() }

    private func work() {
        while let work = crew.next({ queue in queue.next() }) {
            switch work {
            case .changes(let group): carryOut(group)
            case .note(var waiting): write(waiting.nextPortion(), of: waiting)
            }
            log?.copyBackIfDue()
        }
    }

    private func carryOut(_ group: [any WaitingChange]) {
        let failures: [StoreError?]
        do {
            failures = try connection.lend { connection in GroupCommit(connection: connection).carryOut(group) }
        } catch {
            failures = Array(repeating: error, count: group.count)
        }
        for (change, failure) in zip(group, failures) { change.resume(failure) }
    }

    private func write(_ portion: ArraySlice<(key: StoredValue, value: StoredValue)>, of waiting: WaitingNote) {
        do {
            try connection.lend { connection throws(StoreError) in try connection.write(portion, of: waiting.note) }
        } catch {
            return waiting.caller.resume(returning: .failure(error))
        }
        if waiting.rest.isEmpty {
            waiting.caller.resume(returning: .success(()))
        } else {
            crew.putBack { queue in queue.putBack(waiting) }
        }
    }
}
