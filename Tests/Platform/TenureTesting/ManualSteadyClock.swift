import Synchronization
import TenureServerKit
package import TenureThreads

/// A steady clock that moves only when a test moves it.
package final class ManualSteadyClock: SteadyClock {
    private struct Sleeper {
        let until: SteadyTime
        let caller: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = SteadyTime(nanoseconds: 0)
        var nextName = 0
        var cancelled: Set<Int> = []
        var sleepers: [Int: Sleeper] = [:]
        var watchers: [(count: Int, caller: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    package init() {}

    package func now() -> SteadyTime { state.withLock { $0.now } }

    package func sleep(until time: SteadyTime) async {
        let name = state.withLock { state in
            state.nextName += 1
            return state.nextName
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                let (mayGo, watchers) = state.withLock { state in
                    if state.now >= time || state.cancelled.remove(name) != nil {
                        return (true, [] as [CheckedContinuation<Void, Never>])
                    }
                    state.sleepers[name] = Sleeper(until: time, caller: caller)
                    let ready = state.watchers.filter { watcher in watcher.count <= state.sleepers.count }
                    state.watchers.removeAll { watcher in watcher.count <= state.sleepers.count }
                    return (false, ready.map(\.caller))
                }
                if mayGo { caller.resume() }
                for watcher in watchers { watcher.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: name)
                if sleeper == nil { state.cancelled.insert(name) }
                return sleeper
            }
            sleeper?.caller.resume()
        }
    }

    /// Moves the clock ahead, and wakes the tasks whose sleep ends.
    package func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { sleeper in sleeper.value.until <= state.now }
            for name in due.keys { state.sleepers[name] = nil }
            return due.values.map(\.caller)
        }
        for caller in woken { caller.resume() }
    }

    /// Waits until at least `count` tasks sleep, and returns their remaining times, the shortest first.
    package func sleepers(_ count: Int) async -> [Duration] {
        await withCheckedContinuation { caller in
            let areThere = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, caller))
                return false
            }
            if areThere { caller.resume() }
        }
        return state.withLock { state in
            state.sleepers.values.map { sleeper in state.now.duration(to: sleeper.until) }.sorted()
        }
    }
}
