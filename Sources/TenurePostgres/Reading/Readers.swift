import TenureCore
import TenureStore

/// Threads that read, each over a connection of its own; a caller waits without holding a thread.
final class Readers: Sendable {
    private let queue = Monitor(ReadQueue())
    private let ending: Ending

    /// Starts the threads; each connects when it first has something to read.
    init(_ address: Address, _ settings: SessionSettings, threads: Int) throws(StoreError) {
        ending = Ending(threads: threads)
        for _ in 0..<threads {
            try startThread { [queue, ending] in
                let session = Session(address, settings)
                while let work = queue.wait(for: { queue in queue.next() }).work { work.run(on: session) }
                session.close()
                ending.threadEnded()
            }
        }
    }

    /// Has a thread read; the closure may be called twice.
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        try await withCheckedContinuation { caller in
            let read = PendingRead(body: body, caller: caller)
            if !queue.change({ queue in queue.add(read) }) { caller.resume(returning: .failure(.closed)) }
        }.get()
    }

    /// Has a thread look up what a validation needs, together with others that wait.
    func validation(_ question: ValidationQuestion) async throws(StoreError) -> ValidationRecord {
        try await withCheckedContinuation { caller in
            let waiting = WaitingValidation(question: question, caller: caller)
            if !queue.change({ queue in queue.add(waiting) }) { caller.resume(returning: .failure(.closed)) }
        }.get()
    }

    /// Does what is queued, then ends the threads.
    func stop() async {
        queue.changeForAll { queue in queue.close() }
        await ending.wait()
    }
}
