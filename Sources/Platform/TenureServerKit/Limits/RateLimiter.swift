import Synchronization
import TenureThreads

/// A rate limiter: a group may use a minute's turns at once, and further turns follow at the same rate.
///
/// Waiting callers take turns by name. Each server process counts separately.
package final class RateLimiter<Group: Hashable & Sendable, Name: Hashable & Sendable>: Sendable {
    private struct Pace {
        let turns: FairQueue<Name>
        /// How much of the minute's budget is used, and when that was computed.
        var (spent, asOf): (Duration, SteadyTime)
        var waiting = 0

        /// Takes a turn, or returns when one will be available.
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

    /// Creates a limiter that starts with a full minute of turns per group.
    ///
    /// Groups are never removed, so there must be few.
    ///
    /// - Parameter waiting: How many callers of all groups may wait; each of them holds a request.
    package init(perMinute: Int, waiting: Int, by clock: any SteadyClock = SystemSteadyClock()) {
        interval = .seconds(60) / perMinute
        most = waiting
        self.clock = clock
    }

    /// How many callers of a group wait.
    package func waiting(in group: Group) -> Int { change(group, at: clock.now()) { $0.waiting } }

    /// How many callers of a group are queued behind the next one.
    package func inLine(in group: Group) -> Int { change(group, at: clock.now()) { $0.turns.count } }

    /// Takes a turn if one is available and no other caller is waiting.
    package func takeNow(in group: Group) -> Bool {
        let now = clock.now()
        return change(group, at: now) { $0.waiting == 0 && $0.take(interval, at: now) == nil }
    }

    /// Puts back a turn that wasn't used.
    package func giveBack(in group: Group) {
        change(group, at: clock.now()) { $0.spent -= interval }
    }

    /// Waits for a turn.
    ///
    /// Throws the transient error `turns_busy` if too many are waiting or the task is cancelled.
    package func take(in group: Group, as name: Name) async throws(ServerError) {
        guard let turns = enter(group) else { throw .turnsBusy }
        defer { leave(group) }
        let isTaken = try await turns.take(name) { [self] in
            while !Task.isCancelled {
                let now = clock.now()
                guard let moment = change(group, at: now, { $0.take(interval, at: now) }) else { return true }
                await clock.sleep(until: moment)
            }
            return false
        }
        if !isTaken { throw .turnsBusy }
    }

    /// Joins the queue; returns `nil` if it's full.
    private func enter(_ group: Group) -> FairQueue<Name>? {
        let mayWait = state.withLock { state in
            if state.waiting >= most { return false }
            state.waiting += 1
            return true
        }
        guard mayWait else { return nil }
        return change(group, at: clock.now()) { pace in
            pace.waiting += 1
            return pace.turns
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
                Pace(turns: FairQueue(atOnce: 1, waiting: 16, ofAll: most), spent: .zero, asOf: now)
            }
            return body(&state.paces[group, default: new()])
        }
    }
}
