import Glibc
import Synchronization
import TenureThreads

/// The thread beside the event threads: it enforces deadlines and ends the server.
final class Keeper: Sendable {
    private enum Phase {
        case serving
        /// The listeners are closed; requests in flight have until the moment.
        case draining(until: SteadyTime)
        /// Everyone who waits has been answered; those answers have until the moment to leave.
        case closing(until: SteadyTime)
    }

    private struct Orders {
        var stopWithin: Duration?
        var isStopped = false
        var callers: [CheckedContinuation<Bool, Never>] = []
        /// Whether every request was answered by its handler.
        var isClean = true
    }

    private let shared: Shared
    private let daemons: [Daemon]
    private let socketFile: SocketFile?
    private let orders = Mutex(Orders())

    init(shared: Shared, daemons: [Daemon], socketFile: SocketFile?) {
        self.shared = shared
        self.daemons = daemons
        self.socketFile = socketFile
    }

    /// Asks for the end and waits for it. A later, shorter time replaces an earlier one.
    func stop(within duration: Duration) async -> Bool {
        await withCheckedContinuation { caller in
            let isClean: Bool? = orders.withLock { orders in
                if orders.isStopped { return orders.isClean }
                orders.callers.append(caller)
                orders.stopWithin = min(orders.stopWithin ?? duration, duration)
                return nil
            }
            if let isClean { caller.resume(returning: isClean) } else { shared.wakeKeeper() }
        }
    }

    /// Runs until the server has stopped.
    func run() {
        var phase = Phase.serving
        var began: SteadyTime?
        while true {
            let _: Void? = shared.signal.wait(until: .now().advanced(by: tick)) { isRaised in
                defer { isRaised = false }
                return isRaised ? () : nil
            }
            let now = SteadyTime.now()
            let isLast = began.map { now >= $0.advanced(by: shared.configuration.sendingGrace) } ?? false
            shared.connections.sweep(at: now, isLast: isLast)
            for completion in shared.suspended.overdue(at: now) { completion.giveUp(shared.rejected(completion.late)) }
            guard let duration = orders.withLock({ $0.stopWithin }) else { continue }
            let start = began ?? now
            began = start
            if case .serving = phase {
                shared.isDraining = true
                for daemon in daemons { daemon.quiesce() }
                socketFile?.remove()
                phase = .draining(until: now)
            }
            if case .draining = phase {
                phase = .draining(until: start.advanced(by: duration))
            }
            let isIdle = shared.gauges.requestsInFlight == 0
            switch phase {
            case .draining(let until) where isIdle || now >= until:
                let abandoned = shared.suspended.close()
                for completion in abandoned { completion.giveUp(shared.rejected(completion.late)) }
                if !isIdle { orders.withLock { $0.isClean = false } }
                phase = .closing(until: now.advanced(by: .seconds(1)))
                shared.wakeKeeper()
            case .closing(let until) where isIdle || now >= until:
                for daemon in daemons { daemon.stop() }
                finish()
                return
            case .serving, .draining, .closing:
                break
            }
        }
    }

    private func finish() {
        let (callers, isClean) = orders.withLock { orders in
            orders.isStopped = true
            defer { orders.callers = [] }
            return (orders.callers, orders.isClean)
        }
        for caller in callers { caller.resume(returning: isClean) }
    }

    /// How often deadlines are looked at: a sixteenth of the shortest, or of the time left to drain.
    private var tick: Duration {
        var deadline = shared.configuration.requestDeadline
        if let left = orders.withLock({ $0.stopWithin }) { deadline = min(deadline, left) }
        return min(max(deadline / 16, .milliseconds(5)), .milliseconds(500))
    }
}
