import Synchronization
import TenureThreads

/// Lets so many a minute of a group begin something at once; the others come at that pace, and in turn by their names.
///
/// It is this process's own: each server on a store counts for itself.
package final class PacedTurns<Group: Hashable & Sendable, Name: Hashable & Sendable>: Sendable {
    private struct Pace {
        let turns = FairTurns<Name>(atOnce: 1, waiting: 16, ofAll: 200)
        /// Of the minute, what was taken and has not come back yet; and when that was so.
        var (spent, asOf): (Duration, SteadyTime)
        var waiting = 0

        /// Takes a turn, or answers when there will be one.
        mutating func take(_ interval: Duration, at now: SteadyTime) -> SteadyTime? {
            spent = max(.zero, spent - asOf.duration(to: now))
            asOf = now
            let after = spent + interval
            if after > .seconds(60) { return now.advanced(by: after - .seconds(60)) }
            spent = after
            return nil
        }
    }

    private let interval: Duration
    private let clock: any SteadyClock
    private let paces = Mutex<[Group: Pace]>([:])

    /// Starts with a whole minute's turns in every group. Groups are kept for good: they have to be few.
    package init(perMinute: Int, by clock: any SteadyClock = SystemSteadyClock()) {
        interval = .seconds(60) / perMinute
        self.clock = clock
    }

    /// How many of a group wait.
    package func waiting(in group: Group) -> Int { change(group, at: clock.now()) { $0.waiting } }

    /// How many of a group stand behind the one whose turn is next.
    package func inLine(in group: Group) -> Int { change(group, at: clock.now()) { $0.turns.count } }

    /// Takes a turn if there is one and nobody waits for it.
    package func takeNow(in group: Group) -> Bool {
        let now = clock.now()
        return change(group, at: now) { $0.waiting == 0 && $0.take(interval, at: now) == nil }
    }

    /// Gives back a turn that was not needed.
    package func giveBack(in group: Group) {
        change(group, at: clock.now()) { $0.spent -= interval }
    }

    /// Waits for a turn. Throws `turns_busy`, which is transient, when too many wait already or the task is cancelled.
    package func take(in group: Group, as name: Name) async throws(ServerError) {
        let turns = change(group, at: clock.now()) { pace in
            pace.waiting += 1
            return pace.turns
        }
        defer { change(group, at: clock.now()) { $0.waiting -= 1 } }
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

    @discardableResult
    private func change<Value>(_ group: Group, at now: SteadyTime, _ body: (inout Pace) -> Value) -> Value {
        paces.withLock { paces in body(&paces[group, default: Pace(spent: .zero, asOf: now)]) }
    }
}
