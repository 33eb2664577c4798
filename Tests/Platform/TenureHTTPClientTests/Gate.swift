import Synchronization

/// Suspends callers of `pass` until a test opens the gate. Tests can wait for the callers' arrival.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrived = 0
        var inside: [CheckedContinuation<Void, Never>] = []
        var watchers: [(count: Int, CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    func pass() async {
        await withCheckedContinuation { continuation in
            let (isOpen, ready) = state.withLock { state in
                state.arrived += 1
                let arrived = state.arrived
                let ready = state.watchers.filter { $0.count <= arrived }.map(\.1)
                state.watchers.removeAll { $0.count <= arrived }
                if !state.isOpen { state.inside.append(continuation) }
                return (state.isOpen, ready)
            }
            for watcher in ready { watcher.resume() }
            if isOpen { continuation.resume() }
        }
    }

    /// Lets all current and later callers through.
    func open() {
        let inside = state.withLock { state in
            state.isOpen = true
            defer { state.inside = [] }
            return state.inside
        }
        for continuation in inside { continuation.resume() }
    }

    /// Waits until `count` callers have arrived.
    func arrivals(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.arrived >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}
