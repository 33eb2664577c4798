import TenureStore
import TenureThreads

/// The single thread that changes the database.
final class Writer: Sendable {
    private let workers = WriterThread()
    private let connection: Monitor<Connection?>
    private let log: WALCheckpointer?

    /// Starts the thread.
    /// - Parameters:
    ///   - connection: The connection to write on; the writer holds its lock while it writes.
    ///   - log: Checkpoints the log; `nil` for a database without one.
    init(_ connection: Monitor<Connection?>, log: WALCheckpointer?) throws(StoreError) {
        self.connection = connection
        self.log = log
        try workers.start { [self] in work() }
    }

    /// Performs a change, in a transaction with others that are waiting.
    func perform<Answer: Sendable>(_ change: Transaction<Answer>) async throws(StoreError) -> Answer {
        try await workers.perform(change)
    }

    /// Writes a lossy update when no change is waiting.
    func write(_ note: LossyUpdate) async throws(StoreError) { try await workers.write(note) }

    /// Finishes the queued work, then ends the thread.
    func stop() async { await workers.stop() }

    private func work() {
        while let work = workers.next() {
            switch work {
            case .changes(let group): carryOut(group)
            case .note(var waiting):
                let portion = waiting.nextPortion()
                workers.wrote(
                    waiting,
                    Result { () throws(StoreError) in
                        try connection.lend { connection in try connection.write(portion, of: waiting.note) }
                    })
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
}
