import TenureStore
import TenureThreads

/// Threads that read, each over a connection of its own; a caller waits without holding a thread.
final class Readers: Sendable {
    private let crew = Crew(ReadQueue())

    /// Starts the threads; each connects when it first has something to read.
    init(_ address: Address, _ settings: SessionSettings, threads: Int) throws(StoreError) {
        do throws(ThreadError) {
            try crew.start(threads: threads) { [crew] in
                let session = Session(address, settings)
                while let work = crew.next({ queue in queue.next() }) { work.run(on: session) }
            }
        } catch {
            throw StoreError(error)
        }
    }

    /// Has a thread read; the closure may be called twice.
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        try await withCheckedContinuation { caller in
            let read = PendingRead(body: body, caller: caller)
            if crew.add({ queue in queue.add(read) }) == nil { caller.resume(returning: .failure(.closed)) }
        }.get()
    }

    /// Has a thread look, together with others that wait with the same form.
    func look(_ asked: Asked) async throws(StoreError) -> Seen {
        try await withCheckedContinuation { caller in
            let waiting = WaitingLook(asked: asked, caller: caller)
            if crew.add({ queue in queue.add(waiting) }) == nil { caller.resume(returning: .failure(.closed)) }
        }.get()
    }

    /// Does what is queued, then ends the threads.
    func stop() async { await crew.stop() }
}
