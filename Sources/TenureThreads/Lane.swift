/// A few threads for one kind of work that would hold up others, and a queue of limited length before them.
///
/// Beyond the limit work is refused at once, so that a flood of it is refused cheaply; work whose ``Deadline`` has come
/// is refused instead of begun. Each thread has a tool of its own, such as a connection. The threads end when the lane
/// is stopped, or when nobody holds it any more.
package final class Lane<Tool>: Sendable {
    /// Why work was not begun.
    package enum Refusal: Error, Hashable {
        /// Too much waits already.
        case full
        /// Its deadline came while it waited.
        case late
        /// The lane has been stopped.
        case closed
    }

    private typealias Job = @Sendable (Tool, Refusal?) -> Void

    private struct Queue {
        var jobs: [(deadline: SteadyTime, run: Job)] = []

        mutating func next() -> (deadline: SteadyTime, run: Job)? { jobs.isEmpty ? nil : jobs.removeFirst() }
    }

    private let crew: Crew<Queue>
    private let limit: Int

    /// Starts the threads.
    /// - Parameters:
    ///   - limit: How many works may wait at once.
    ///   - tool: Makes a thread's tool, on that thread.
    package init(threads: Int, limit: Int, tool: @escaping @Sendable () -> Tool) throws(ThreadError) {
        let crew = Crew(Queue())
        self.crew = crew
        self.limit = limit
        try crew.start(threads: threads) {
            let tool = tool()
            while let job = crew.next({ queue in queue.next() }) { job.run(tool, job.deadline.hasCome ? .late : nil) }
        }
    }

    deinit { crew.close() }

    /// Does the work on one of the lane's threads and answers what it came to.
    package func run<Value: Sendable>(
        _ work: @escaping @Sendable (Tool) -> Value
    ) async throws(Refusal) -> Value {
        let deadline = Deadline.current
        return try await withCheckedContinuation { (caller: CheckedContinuation<Result<Value, Refusal>, Never>) in
            let refusal: Refusal? =
                crew.add { queue in
                    guard queue.jobs.count < limit else { return .full }
                    queue.jobs.append(
                        (
                            deadline,
                            { tool, refusal in
                                caller.resume(returning: refusal.map { .failure($0) } ?? .success(work(tool)))
                            }
                        ))
                    return nil
                } ?? .closed
            if let refusal { caller.resume(returning: .failure(refusal)) }
        }.get()
    }

    /// Does what is queued, then ends the threads.
    package func stop() async { await crew.stop() }
}
