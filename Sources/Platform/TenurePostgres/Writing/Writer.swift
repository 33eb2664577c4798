import TenureStore

/// The single thread of this server that changes the database.
final class Writer: Sendable {
    private let workers = WriterThread()
    private let observer: ConnectionObserver?

    /// Starts the thread.
    init(_ database: Database, _ settings: SessionSettings) throws(StoreError) {
        observer = database.observer
        try workers.start { [self] in work(on: Session(database, settings, for: .changes)) }
    }

    /// Performs a change, in a transaction with others that are waiting.
    func perform<Answer: Sendable>(_ change: Transaction<Answer>) async throws(StoreError) -> Answer {
        try await workers.perform(change)
    }

    /// Writes a lossy update when no change is waiting.
    func write(_ note: LossyUpdate) async throws(StoreError) { try await workers.write(note) }

    /// Finishes the queued work, then ends the thread.
    func stop() async { await workers.stop() }

    private func work(on session: Session) {
        while let work = workers.next() {
            switch work {
            case .changes(let group): carryOut(group, on: session)
            case .note(var waiting):
                let portion = waiting.nextPortion()
                workers.wrote(
                    waiting,
                    Result { () throws(StoreError) in
                        do throws(StoreError) {
                            try session.use { connection in try connection.write(portion, of: waiting.note) }
                        } catch {
                            throw error.forCallers
                        }
                    })
            }
        }
    }

    private func carryOut(_ group: [any WaitingChange], on session: Session) {
        var outcomes: [GroupCommit.Outcome]
        do {
            outcomes = try session.use { connection in
                try GroupCommit(connection: connection, observer: observer).carryOut(group)
            }
        } catch {
            outcomes = group.map { _ in .failed(error.forCallers) }
        }
        var postponed: [any WaitingChange] = []
        for (change, outcome) in zip(group, outcomes) {
            switch outcome {
            case .saved: change.resume(nil)
            case .failed(let error): change.resume(error)
            case .postponed: postponed.append(change)
            }
        }
        workers.putBack(postponed)
    }
}
