import Synchronization
import TenureThreads

/// Limits how many turns per minute the callers of a group take.
///
/// A group can use all turns of a minute at once. Used turns become available again at a constant rate. The names of
/// waiting callers take turns, as in ``FairQueue``. Each server process counts separately.
package final class RateLimiter<Group: Hashable & Sendable, Name: Hashable & Sendable>: Sendable {
    private struct Pace {
        let queue: FairQueue<Name>
        /// The part of the minute that is used up, and the time of that computation.
        var (spent, asOf): (Duration, SteadyTime)
        var waiting = 0

        /// Takes a turn and returns `nil`. Without an available turn, returns the time at which a turn will be
        /// available.
        mutating func take(_ interval: Duration, at now: SteadyTime) -> SteadyTime? {
            spent = max(.zero, spent - asOf.duration(to: now))
            asOf = now
            let after = spent + interval
            if after > .seconds(60) { return now.advanced(by: after - .seconds(60)) }
            spent = after
            return nil
        }
    }

    private struct State {
        var paces: [Group: Pace] = [:]
        var waiting = 0
    }

    private let interval: Duration
    private let most: Int
    private let clock: any SteadyClock
    private let state = Mutex(State())

    /// Creates a limiter. Each group starts with all turns of a minute.
    ///
    /// Groups are never removed, so their number must be small.
    ///
    /// - Parameters:
    ///   - perMinute: The number of turns per group and minute.
    ///   - waiting: The number of callers of all groups that may wait. Each waiting caller keeps a request open.
    package init(perMinute: Int, waiting: Int, by clock: any SteadyClock = SystemSteadyClock()) {
        interval = .seconds(60) / perMinute
        most = waiting
        self.clock = clock
    }

    /// The number of waiting callers in a group.
    package func waiting(in group: Group) -> Int { change(group, at: clock.now()) { $0.waiting } }

    /// The number of waiting callers in a group behind the caller that gets the next turn.
    package func inLine(in group: Group) -> Int { change(group, at: clock.now()) { $0.queue.count } }

    /// Takes a turn without waiting. Returns `false` if no turn is available, or if other callers are waiting.
    package func takeNow(in group: Group) -> Bool {
        let now = clock.now()
        return change(group, at: now) { $0.waiting == 0 && $0.take(interval, at: now) == nil }
    }

    /// Gives back a turn that was taken but not used.
    package func giveBack(in group: Group) {
        change(group, at: clock.now()) { $0.spent -= interval }
    }

    /// Waits for a turn.
    ///
    /// Throws the transient error `turns_busy` if too many callers are waiting or the task is cancelled.
    package func take(in group: Group, as name: Name) async throws(ServerError) {
        guard let queue = enter(group) else { throw .turnsBusy }
        defer { leave(group) }
        let isTaken = try await queue.take(name) { [self] in
            while !Task.isCancelled {
                let now = clock.now()
                guard let time = change(group, at: now, { $0.take(interval, at: now) }) else { return true }
                await clock.sleep(until: time)
            }
            return false
        }
        if !isTaken { throw .turnsBusy }
    }

    /// Counts the caller as waiting and returns its group's queue. Returns `nil` if too many callers are waiting.
    private func enter(_ group: Group) -> FairQueue<Name>? {
        let mayWait = state.withLock { state in
            if state.waiting >= most { return false }
            state.waiting += 1
            return true
        }
        guard mayWait else { return nil }
        return change(group, at: clock.now()) { pace in
            pace.waiting += 1
            return pace.queue
        }
    }

    private func leave(_ group: Group) {
        change(group, at: clock.now()) { $0.waiting -= 1 }
        state.withLock { $0.waiting -= 1 }
    }

    @discardableResult
    private func change<Value>(_ group: Group, at now: SteadyTime, _ body: (inout Pace) -> Value) -> Value {
        state.withLock { state in
            let new = { [most] in
                Pace(queue: FairQueue(atOnce: 1, waiting: 16, ofAll: most), spent: .zero, asOf: now)
            }
            return body(&state.paces[group, default: new()])
        }
    }
}
