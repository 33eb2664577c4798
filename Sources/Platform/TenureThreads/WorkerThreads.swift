/// A group of threads that take work from one queue until it is closed and empty.
///
/// Waiting for the threads to end is asynchronous and blocks no thread.
package final class WorkerThreads<Queue>: Sendable {
    private struct State {
        var queue: Queue
        var isClosed = false
        var running = 0
        var callers: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Monitor<State>

    package init(_ queue: sending Queue) {
        state = Monitor(State(queue: queue))
    }

    /// Starts threads that run the body, which calls ``next(_:)`` until it returns `nil`.
    ///
    /// Each thread retains the group until the thread ends. If a thread can't be started, the group is closed and the
    /// error is thrown.
    package func start(threads: Int = 1, _ body: @escaping @Sendable () -> Void) throws(ThreadError) {
        for _ in 0..<threads {
            state.withLock { state in state.running += 1 }
            do throws(ThreadError) {
                try startThread { [self] in
                    body()
                    threadEnded()
                }
            } catch {
                threadEnded()
                close()
                throw error
            }
        }
    }

    /// Changes the queue and wakes a thread; returns `nil` without calling the body if the group is closed.
    package func add<Result>(_ body: (inout Queue) -> Result) -> Result? {
        state.change { state in state.isClosed ? nil : body(&state.queue) }
    }

    /// Requeues work that a thread couldn't finish, even after the group has been closed.
    ///
    /// Accepted work has to be finished, so this never fails.
    package func putBack(_ body: (inout Queue) -> Void) {
        state.change { state in body(&state.queue) }
    }

    /// Blocks until the body finds work and returns it; returns `nil` once the group is closed and the body finds no
    /// more.
    package func next<Work>(_ body: (inout Queue) -> Work?) -> Work? {
        state.wait { state -> Work?? in
            if let work = body(&state.queue) { return .some(work) }
            return state.isClosed ? .some(nil) : nil
        }
    }

    /// Stops accepting work; queued work is still done.
    package func close() {
        state.change(wakingAll: true) { state in state.isClosed = true }
    }

    /// Stops accepting work and waits until the queue is empty and all threads have ended.
    package func stop() async {
        close()
        await withCheckedContinuation { caller in
            let hasEnded = state.withLock { state in
                if state.running > 0 { state.callers.append(caller) }
                return state.running == 0
            }
            if hasEnded { caller.resume() }
        }
    }

    private func threadEnded() {
        let callers = state.withLock { state in
            state.running -= 1
            if state.running > 0 { return [] as [CheckedContinuation<Void, Never>] }
            defer { state.callers = [] }
            return state.callers
        }
        for caller in callers { caller.resume() }
    }
}
