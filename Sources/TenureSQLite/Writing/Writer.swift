import TenureCore
import TenureStore

/// The one thread that changes the database, and the queue before it.
final class Writer: Sendable {
    private let queue = Monitor(WriteQueue())
    private let ending = Monitor(Ending())
    private let connection: Monitor<Connection?>
    private let log: LogKeeper?

    /// Whether the thread has ended, and who waits for that.
    private struct Ending {
        var hasEnded = false
        var callers: [CheckedContinuation<Void, Never>] = []
    }

    /// Starts the thread.
    /// - Parameter connection: The connection to write on; the writer holds it while it writes.
    /// - Parameter log: What keeps the log short; nil for a database without one.
    init(_ connection: Monitor<Connection?>, log: LogKeeper?) throws(StoreError) {
        self.connection = connection
        self.log = log
        try startThread { [self] in
            work()
            let callers = ending.withLock { ending in
                ending.hasEnded = true
                return ending.callers
            }
            for caller in callers { caller.resume() }
        }
    }

    func perform<Answer: Sendable>(_ change: Change<Answer>) async throws(StoreError) -> Answer {
        try await withCheckedContinuation { caller in
            let pending = PendingChange(change, caller: caller)
            let taken = queue.change { queue in queue.add(pending) }
            if !taken { pending.resume(.closed) }
        }.get()
    }

    func record(_ sightings: [ActivationID: Timestamp]) async throws(StoreError) {
        if sightings.isEmpty { return }
        try await withCheckedContinuation { caller in
            let waiting = WaitingSightings(sightings, caller: caller)
            let taken = queue.change { queue in queue.add(waiting) }
            if !taken { caller.resume(returning: .failure(.closed)) }
        }.get()
    }

    /// Does what is queued, then ends the thread.
    func stop() async {
        queue.change { queue in queue.close() }
        await withCheckedContinuation { caller in
            let hasEnded = ending.withLock { ending in
                if !ending.hasEnded { ending.callers.append(caller) }
                return ending.hasEnded
            }
            if hasEnded { caller.resume() }
        }
    }

    private func work() {
        while true {
            switch queue.wait(for: { queue in queue.next() }) {
            case .changes(let group):
                carryOut(group)
                log?.copyBackIfDue()
            case .sightings(var waiting):
                record(waiting.nextPortion(), of: waiting)
                log?.copyBackIfDue()
            case .stop:
                return
            }
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

    private func record(_ portion: ArraySlice<(key: ActivationID, value: Timestamp)>, of waiting: WaitingSightings) {
        do {
            try connection.lend { connection throws(StoreError) in try connection.record(portion) }
        } catch {
            return waiting.caller.resume(returning: .failure(error))
        }
        if waiting.rest.isEmpty {
            waiting.caller.resume(returning: .success(()))
        } else {
            queue.withLock { queue in queue.putBack(waiting) }
        }
    }
}
