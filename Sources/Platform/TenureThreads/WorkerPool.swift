/// Why a worker pool didn't start a piece of work.
package enum WorkerPoolRefusal: Error, Hashable {
    /// The queue has reached its limit.
    case full
    /// The work's deadline passed while it was queued.
    case late
    case closed
}

/// A small pool of threads for one kind of blocking work, with a bounded queue.
///
/// When the queue is full, new work is refused at once, so overload stays cheap. Work whose ``Deadline`` has passed is
/// refused instead of started. Each thread has its own tool, such as a database connection. The threads end when the
/// pool is stopped or deinitialized.
package final class WorkerPool<Tool>: Sendable {
    /// A queued piece of work. A struct, because a closure in a tuple is wrapped again each time the tuple is copied.
    private struct Job {
        let deadline: SteadyTime
        let run: @Sendable (Tool, WorkerPoolRefusal?) -> Void
    }

    private struct Queue {
        var jobs: [Job] = []

        mutating func next() -> Job? { jobs.isEmpty ? nil : jobs.remove(at: 0) }
    }

    private let workers = WorkerThreads(Queue())
    private let limit: Int

    /// Starts the threads.
    /// - Parameters:
    ///   - limit: The maximum number of queued pieces of work.
    ///   - tool: Makes a thread's tool; called on that thread.
    package init(threads: Int, limit: Int, tool: @escaping @Sendable () -> Tool) throws(ThreadError) {
        self.limit = limit
        try workers.start(threads: threads) { [workers] in
            let tool = tool()
            while let job = workers.next({ queue in queue.next() }) {
                job.run(tool, job.deadline.hasCome ? .late : nil)
            }
        }
    }

    deinit { workers.close() }

    /// Runs a closure on one of the pool's threads and returns its result or throws its error.
    /// - Parameter refused: Makes the error to throw if the work isn't started.
    package func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable (Tool) throws(Failure) -> Value,
        refused: @escaping @Sendable (WorkerPoolRefusal) -> Failure
    ) async throws(Failure) -> Value {
        let deadline = Deadline.current
        return try await withCheckedContinuation { (caller: CheckedContinuation<Result<Value, Failure>, Never>) in
            let job = Job(deadline: deadline) { tool, refusal in
                caller.resume(
                    returning: Result { () throws(Failure) in
                        if let refusal { throw refused(refusal) }
                        return try work(tool)
                    })
            }
            let refusal = workers.add { queue -> WorkerPoolRefusal? in
                if queue.jobs.count >= limit { return .full }
                queue.jobs.append(job)
                return nil
            }
            if let refusal = refusal ?? .closed { caller.resume(returning: .failure(refused(refusal))) }
        }.get()
    }

    /// Finishes the queued work, then ends the threads.
    package func stop() async { await workers.stop() }
}
