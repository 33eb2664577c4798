/// Why a lane did not begin work.
package enum LaneRefusal: Error, Hashable {
    /// Too much waits already.
    case full
    /// Its deadline came while it waited.
    case late
    /// The lane has been stopped.
    case closed
}

/// A few threads for one kind of work that would hold up others, and a queue of limited length before them.
///
/// Beyond the limit work is refused at once, so that a flood of it is refused cheaply; work whose ``Deadline`` has come
/// is refused instead of begun. Each thread has a tool of its own, such as a connection. The threads end when the lane
/// is stopped, or when nobody holds it any more.
package final class Lane<Tool>: Sendable {
    private typealias Job = @Sendable (Tool, LaneRefusal?) -> Void

    private struct Queue {
        var jobs: [(deadline: SteadyTime, run: Job)] = []

        mutating func next() -> (deadline: SteadyTime, run: Job)? { jobs.isEmpty ? nil : jobs.removeFirst() }
    }

    private let crew = Crew(Queue())
    private let limit: Int

    /// Starts the threads.
    /// - Parameters:
    ///   - limit: How many works may wait at once.
    ///   - tool: Makes a thread's tool, on that thread.
    package init(threads: Int, limit: Int, tool: @escaping @Sendable () -> Tool) throws(ThreadError) {
        self.limit = limit
        try crew.start(threads: threads) { [crew] in
            let tool = tool()
            while let job = crew.next({ queue in queue.next() }) { job.run(tool, job.deadline.hasCome ? .late : nil) }
        }
    }

    deinit { crew.close() }

    /// Does the work on one of the lane's threads and answers, or throws, what it came to.
    /// - Parameter refused: What to throw when the work is not begun.
    package func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable (Tool) throws(Failure) -> Value,
        refused: @escaping @Sendable (LaneRefusal) -> Failure
    ) async throws(Failure) -> Value {
        let deadline = Deadline.current
        return try await withCheckedContinuation { (caller: CheckedContinuation<Result<Value, Failure>, Never>) in
            let job: Job = { tool, refusal in
                caller.resume(
                    returning: Result { () throws(Failure) in
                        if let refusal { throw refused(refusal) }
                        return try work(tool)
                    })
            }
            let refusal = crew.add { queue -> LaneRefusal? in
                if queue.jobs.count >= limit { return .full }
                queue.jobs.append((deadline, job))
                return nil
            }
            if let refusal = refusal ?? .closed { caller.resume(returning: .failure(refused(refusal))) }
        }.get()
    }

    /// Does what is queued, then ends the threads.
    package func stop() async { await crew.stop() }
}
