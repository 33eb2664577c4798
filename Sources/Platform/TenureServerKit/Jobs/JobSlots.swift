import Synchronization

/// The running pieces of jobs on this server, each in its own task.
final class JobSlots: Sendable {
    private struct State {
        var tasks: [String: Task<Void, Never>] = [:]
        var ended = 0
        var error: ServerError?
        var isWoken = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// The ids of the jobs whose pieces run on this server.
    var jobs: Set<String> { state.withLock { Set($0.tasks.keys) } }

    /// Whether a piece has ended since the last ``wait(atMost:)`` returned.
    var haveEnded: Bool { state.withLock { $0.ended > 0 } }

    /// Starts a piece of a job in a new task.
    func start(_ job: String, _ work: @escaping @Sendable () async throws -> Void) {
        state.withLock { state in
            state.tasks[job] = Task {
                do {
                    try await work()
                    end(job, nil)
                } catch {
                    end(job, ServerError(thrown: error))
                }
            }
        }
    }

    /// Waits until a piece has ended, a duration has passed, or the current task is cancelled.
    ///
    /// Throws the first error that an ended piece threw.
    ///
    /// - Returns: The number of pieces that have ended since the last call.
    func wait(atMost time: Duration) async throws(ServerError) -> Int {
        let timer = Task {
            do { try await Task.sleep(for: time, clock: .suspending) } catch { return }
            wake()
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.isWoken || state.ended > 0 { return true }
                    state.waiting = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            wake()
        }
        timer.cancel()
        let (ended, error) = state.withLock { state in
            defer { (state.ended, state.error, state.isWoken) = (0, nil, false) }
            return (state.ended, state.error)
        }
        if let error { throw error }
        return ended
    }

    /// Cancels all pieces and waits for them to end.
    func stop() async {
        let tasks = state.withLock { Array($0.tasks.values) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    private func end(_ job: String, _ error: ServerError?) {
        let waiting = state.withLock { state in
            state.tasks[job] = nil
            state.ended += 1
            state.error = state.error ?? error
            return state.waiting.take()
        }
        waiting?.resume()
    }

    private func wake() {
        let waiting = state.withLock { state in
            state.isWoken = true
            return state.waiting.take()
        }
        waiting?.resume()
    }
}
