/// Threads that take work off one queue until it is closed and empty; a caller waits for them without holding a thread.
package final class Crew<Queue>: Sendable {
    private struct State {
        var queue: Queue
        var isClosed = false
        var running = 0
        var callers: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Monitor<State>

    /// Makes a crew without threads.
    package init(_ queue: sending Queue) {
        state = Monitor(State(queue: queue))
    }

    /// Starts threads, which hold the crew until they end; each runs the body, which asks ``next(_:)`` until it answers nil.
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

    /// Changes the queue and wakes a thread; nil, and nothing is changed, when the crew has been closed.
    package func add<Result>(_ body: (inout Queue) -> Result) -> Result? {
        state.change { state in state.isClosed ? nil : body(&state.queue) }
    }

    /// Puts back what a thread could not finish: it was promised, so it is done whether or not the crew has been closed.
    package func putBack(_ body: (inout Queue) -> Void) {
        state.change { state in body(&state.queue) }
    }

    /// Waits until the body finds work; nil when there is none left and no more will come.
    package func next<Work>(_ body: (inout Queue) -> Work?) -> Work? {
        state.wait { state -> Work?? in
            if let work = body(&state.queue) { return .some(work) }
            return state.isClosed ? .some(nil) : nil
        }
    }

    /// Takes no more; what waits is still done.
    package func close() {
        state.change(wakingAll: true) { state in state.isClosed = true }
    }

    /// Takes no more, and waits until what was queued is done and the threads have ended.
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
