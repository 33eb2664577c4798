import TenureStore
import TenureThreads

/// The one thread of this server that changes the database, and the queue before it.
final class Writer: Sendable {
    private let crew = Crew(WriteQueue())

    /// Starts the thread.
    init(_ address: Address, _ settings: SessionSettings) throws(StoreError) {
        do throws(ThreadError) {
            try crew.start { [self] in work(on: Session(address, settings)) }
        } catch {
            throw StoreError(error)
        }
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

    private func work(on session: Session) {
        while let work = crew.next({ queue in queue.next() }) {
            switch work {
            case .changes(let group): carryOut(group, on: session)
            case .note(var waiting): write(waiting.nextPortion(), of: waiting, on: session)
            }
        }
    }

    private func carryOut(_ group: [any WaitingChange], on session: Session) {
        var outcomes: [GroupCommit.Outcome]
        do {
            outcomes = try session.use { connection throws(StoreError) in
                try GroupCommit(connection: connection).carryOut(group)
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
        if !postponed.isEmpty { crew.putBack { queue in queue.putBack(postponed) } }
    }

    private func write(
        _ portion: ArraySlice<(key: StoredValue, value: StoredValue)>, of waiting: WaitingNote, on session: Session
    ) {
        do {
            try session.use { connection throws(StoreError) in try connection.write(portion, of: waiting.note) }
        } catch {
            return waiting.caller.resume(returning: .failure(error.forCallers))
        }
        if waiting.rest.isEmpty {
            waiting.caller.resume(returning: .success(()))
        } else {
            crew.putBack { queue in queue.putBack(waiting) }
        }
    }
}
