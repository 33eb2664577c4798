/// Counts threads that are still running, and lets callers wait until none is.
final class Ending: Sendable {
    private struct State {
        var running: Int
        var callers: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Monitor<State>

    init(threads: Int) { state = Monitor(State(running: threads)) }

    func threadEnded() {
        let callers = state.withLock { state in
            state.running -= 1
            if state.running > 0 { return [] as [CheckedContinuation<Void, Never>] }
            defer { state.callers = [] }
            return state.callers
        }
        for caller in callers { caller.resume() }
    }

    func wait() async {
        await withCheckedContinuation { caller in
            let hasEnded = state.withLock { state in
                if state.running > 0 { state.callers.append(caller) }
                return state.running <= 0
            }
            if hasEnded { caller.resume() }
        }
    }
}
