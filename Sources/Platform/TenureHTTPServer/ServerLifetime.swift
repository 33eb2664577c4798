import Glibc
import Synchronization
import TenureThreads

/// The thread that enforces deadlines and shuts down the server; other code calls it the keeper.
final class ServerLifetime: Sendable {
    private enum Phase {
        case serving
        /// The listeners are closed; current requests have until this time to finish.
        case draining(until: SteadyTime)
        /// All waiting requests have been given a response; those have until this time to be sent.
        case closing(until: SteadyTime)
    }

    private struct Orders {
        var stopWithin: Duration?
        var isStopped = false
        var callers: [CheckedContinuation<Bool, Never>] = []
        /// Whether the handler has responded to every request.
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

    /// Requests the shutdown and waits for it; a later, shorter time replaces an earlier one.
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

    /// How often deadlines are checked: a sixteenth of the shorter limit, between 5 and 500 milliseconds.
    private var tick: Duration {
        var deadline = shared.configuration.requestDeadline
        if let left = orders.withLock({ $0.stopWithin }) { deadline = min(deadline, left) }
        return min(max(deadline / 16, .milliseconds(5)), .milliseconds(500))
    }
}
