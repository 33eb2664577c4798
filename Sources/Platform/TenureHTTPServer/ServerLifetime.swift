import Glibc
import Synchronization
import TenureThreads

/// The thread that shuts down the server; it sleeps until then. ``Shared/wakeKeeper()`` wakes it.
final class ServerLifetime: Sendable {
    private struct Orders {
        var stopWithin: Duration?
        var isStopped = false
        var callers: [CheckedContinuation<Bool, Never>] = []
        /// Whether the handler has responded to every request.
        var isClean = true
    }

    private let shared: Shared
    private let loops: [Mailbox]
    private let socketFile: SocketFile?
    private let orders = Mutex(Orders())

    init(shared: Shared, loops: [Mailbox], socketFile: SocketFile?) {
        self.shared = shared
        self.loops = loops
        self.socketFile = socketFile
    }

    /// Requests the shutdown and waits for it; returns whether the handler responded to every request. A shorter time
    /// from a later call replaces an earlier one.
    func stop(within duration: Duration) async -> Bool {
        await withCheckedContinuation { continuation in
            let isClean: Bool? = orders.withLock { orders in
                if orders.isStopped { return orders.isClean }
                orders.callers.append(continuation)
                orders.stopWithin = min(orders.stopWithin ?? duration, duration)
                return nil
            }
            if let isClean { continuation.resume(returning: isClean) } else { shared.wakeKeeper() }
        }
    }

    /// Runs until the server has stopped.
    func run() {
        while orders.withLock({ $0.stopWithin }) == nil { wait(until: .never) }
        drain()
        // All waiting requests are given a response, which has a second to be sent.
        post(.giveUp)
        let end = SteadyTime.now().advanced(by: .seconds(1))
        while !isIdle, !end.hasCome { wait(until: end) }
        post(.stop)
        shared.loops.wait { $0 == 0 ? () : nil }
        finish()
    }

    /// How long no request must be in progress before the connections close. A request that was sent before its client
    /// learned of the stop may still be on its way.
    private static let quietTime = Duration.milliseconds(100)

    /// Closes the listeners, and gives current requests time to finish.
    private func drain() {
        let start = SteadyTime.now()
        shared.isDraining = true
        post(.stopAccepting)
        socketFile?.remove()
        var cutOff = start.advanced(by: shared.configuration.sendingGrace)
        var quietEnd = start.advanced(by: Self.quietTime)
        while !isIdle || !quietEnd.hasCome {
            let end = start.advanced(by: orders.withLock { $0.stopWithin } ?? .zero)
            if end.hasCome {
                let isIdle = isIdle
                return orders.withLock { $0.isClean = isIdle }
            }
            if cutOff.hasCome {
                post(.cutOff)
                cutOff = .now().advanced(by: shared.configuration.sendingGrace)
            }
            // The end of the last request wakes this thread.
            if wait(until: min(end, cutOff, isIdle ? quietEnd : .never)) {
                quietEnd = .now().advanced(by: Self.quietTime)
            }
        }
    }

    private var isIdle: Bool { shared.gauges.requestsInFlight == 0 }

    private func post(_ message: Mailbox.Message) {
        for loop in loops { loop.post(message) }
    }

    /// Waits until a time, or until another thread calls ``Shared/wakeKeeper()``; returns whether one did.
    @discardableResult private func wait(until time: SteadyTime) -> Bool {
        let woken: Void? = shared.signal.wait(until: time) { isRaised in
            defer { isRaised = false }
            return isRaised ? () : nil
        }
        return woken != nil
    }

    private func finish() {
        let (callers, isClean) = orders.withLock { orders in
            orders.isStopped = true
            defer { orders.callers = [] }
            return (orders.callers, orders.isClean)
        }
        for continuation in callers { continuation.resume(returning: isClean) }
    }
}
