import TenureThreads

/// A thread that runs all services of a server, and wakes them after their pauses.
///
/// On Linux, each pause with `Task.sleep` wakes threads of Dispatch about five times. With this thread, the pauses of
/// an idle server's services end together, and only one thread wakes up.
///
/// The turns of services are short, so the services can share a thread.
final class ServiceThread: TaskExecutor, SteadyClock {
    private struct Sleeper {
        let until: SteadyTime
        let caller: CheckedContinuation<Void, Never>
    }

    private struct State {
        var jobs: [UnownedJob] = []
        var sleepers: [Int: Sleeper] = [:]
        var sleeperCount = 0
        var isClosed = false

        var wakeAt: SteadyTime { sleepers.values.map(\.until).min() ?? .never }
    }

    private enum Event {
        case job(UnownedJob)
        case sleepersChanged
        case end
    }

    private let state = Monitor(State())

    /// Starts the thread, which retains this object until ``close()`` is called.
    func start() throws(ThreadError) { try startThread { [self] in run() } }

    /// Ends the thread after it has run the jobs in its queue.
    func close() { state.change { $0.isClosed = true } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.change { $0.jobs.append(job) }
    }

    func now() -> SteadyTime { .now() }

    func sleep(until time: SteadyTime) async {
        let until = Self.sharedTime(for: time, from: now())
        let name = state.withLock { state in
            state.sleeperCount += 1
            return state.sleeperCount
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                state.change { $0.sleepers[name] = Sleeper(until: until, caller: caller) }
                // The cancellation handler may have run before the sleeper was added.
                if Task.isCancelled { wake(name) }
            }
        } onCancel: {
            wake(name)
        }
    }

    /// Returns the end of a pause until `time`, rounded so that the pauses of several services end together.
    ///
    /// The pause is never longer than requested, and always longer than zero. A pause of an even number of seconds ends
    /// at an even second, and one of an odd number at a whole second. Pauses of less than half a second aren't rounded.
    static func sharedTime(for time: SteadyTime, from now: SteadyTime) -> SteadyTime {
        let second: UInt64 = 1_000_000_000
        guard time > now, time != .never else { return time }
        let length = (time.nanoseconds - now.nanoseconds + second / 2) / second
        let step = (length.isMultiple(of: 2) ? 2 : 1) * second
        let shared = length == 0 ? time : SteadyTime(nanoseconds: time.nanoseconds - time.nanoseconds % step)
        return shared > now ? shared : time
    }

    private func run() {
        while let job = nextJob() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    private func nextJob() -> UnownedJob? {
        while true {
            let wakeAt = state.withLock { $0.wakeAt }
            let event = state.wait(until: wakeAt) { state -> Event? in
                if wakeAt.hasCome || state.wakeAt < wakeAt { return .sleepersChanged }
                if !state.jobs.isEmpty { return .job(state.jobs.removeFirst()) }
                return state.isClosed ? .end : nil
            }
            switch event {
            case .job(let job): return job
            case .end: return nil
            case .sleepersChanged, nil: wakeSleepers()
            }
        }
    }

    private func wakeSleepers() {
        let now = SteadyTime.now()
        let names = state.withLock { state in state.sleepers.filter { $0.value.until <= now }.map(\.key) }
        for name in names { wake(name) }
    }

    private func wake(_ name: Int) {
        let sleeper = state.withLock { $0.sleepers.removeValue(forKey: name) }
        sleeper?.caller.resume()
    }
}
