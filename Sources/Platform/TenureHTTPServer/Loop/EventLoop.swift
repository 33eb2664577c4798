import CEpoll
import Glibc
import TenureHTTP
import TenureThreads

/// An event thread: accepts connections, and reads from and writes to those that are ready.
///
/// Only its thread uses it; other threads send messages to its mailbox.
@safe final class EventLoop {
    /// The time at which the thread woke for the current events.
    private(set) var now = SteadyTime.now()
    /// Whether the server is stopping, and handlers have no more time to respond.
    private(set) var isGivingUp = false
    /// The memory into which the bytes of the current event are read.
    let input: UnsafeMutableRawBufferPointer
    /// The memory that a response is written to before it's sent.
    var output: [UInt8] = []
    var ids = RequestIDs()
    var date = DateField()
    let shared: Shared
    let mailbox: Mailbox
    let poller: Poller
    private var listener: Int32
    private var isAccepting = false
    /// The open connections, by descriptor.
    private var connections: [Connection?] = []
    private var count = 0
    /// The connections that wait until others have had their turn.
    private var postponed: [Connection] = []
    private var messages: [Mailbox.Message] = []
    private var isStopped = false
    /// When the thread wakes to look for connections past their deadline, and the earliest time at which it may look
    /// again.
    private var (wakeAt, sweepAfter) = (SteadyTime.never, SteadyTime.now())

    /// Starts the thread for a listening socket, which the thread closes when it ends.
    static func start(listening listener: Int32, shared: Shared) throws(HTTPServerError) -> Mailbox {
        let mailbox = try Mailbox()
        let poller = try Poller()
        shared.loops.change { $0 += 1 }
        do throws(ThreadError) {
            try startThread { EventLoop(listener, shared, mailbox, poller).run() }
        } catch {
            shared.loops.change { $0 -= 1 }
            poller.close()
            throw HTTPServerError(error)
        }
        return mailbox
    }

    private init(_ listener: Int32, _ shared: Shared, _ mailbox: Mailbox, _ poller: Poller) {
        self.listener = listener
        self.shared = shared
        self.mailbox = mailbox
        self.poller = poller
        unsafe input = .allocate(byteCount: 64 << 10, alignment: 16)
    }

    deinit { unsafe input.deallocate() }

    private func run() {
        unsafe tenure_name_thread("http")
        blockBrokenPipeSignal()
        poller.watch(mailbox.counter, for: .changes)
        startAccepting()
        while !isStopped {
            poller.wait(milliseconds: postponed.isEmpty ? timeout : 0) { descriptor in
                handleEvent(of: descriptor)
            } first: {
                now = .now()
            }
            takeTurns()
            if now >= wakeAt { sweep() }
        }
        for connection in connections { connection?.close(self) }
        closeListener()
        poller.close()
        shared.loops.change { $0 -= 1 }
    }

    private var timeout: Int32 {
        if wakeAt == .never { return -1 }
        let (seconds, attoseconds) = SteadyTime.now().duration(to: wakeAt).components
        return Int32(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    private func handleEvent(of descriptor: Int32) {
        if descriptor == listener { return _ = accept() }
        if descriptor == mailbox.counter { return readMessages() }
        // An earlier event of the same round may have closed the connection.
        if let connection = connection(descriptor) { connection.proceed(self) }
    }

    private func connection(_ descriptor: Int32) -> Connection? {
        Int(descriptor) < connections.count ? connections[Int(descriptor)] : nil
    }

    /// Continues a connection after the other connections have had their turn.
    func postpone(_ connection: Connection) {
        postponed.append(connection)
        schedule(connection.state.deadline)
    }

    private func takeTurns() {
        if postponed.isEmpty { return }
        var waiting: [Connection] = []
        swap(&waiting, &postponed)
        for connection in waiting { connection.takeTurn(self) }
    }

    private func readMessages() {
        mailbox.take(into: &messages)
        for message in messages {
            switch message {
            case .responded(let completion):
                connection(completion.descriptor)?.respond(completion, self)
            case .stopAccepting:
                acceptWaiting()
                closeListener()
            case .cutOff:
                let grace = shared.configuration.sendingGrace
                for connection in connections { connection?.cutOff(after: grace, self) }
            case .giveUp:
                isGivingUp = true
                for connection in connections { connection?.giveUp(self) }
            case .stop:
                isStopped = true
            }
        }
        messages.removeAll(keepingCapacity: true)
    }
}

// MARK: - Connections

extension EventLoop {
    /// The longest time between two retries to accept, in which descriptors or memory may become free.
    private static let acceptPause = Duration.milliseconds(100)
    private static let mostAccepted = 32

    /// Accepts some connections, so that others get their turn; returns whether more may be waiting.
    private func accept() -> Bool {
        for accepted in 0..<Self.mostAccepted {
            if count >= shared.connectionsPerThread {
                // The event reports one waiting connection. The next event reports another, if there is one.
                if accepted > 0 { return true }
                guard makeRoom() else {
                    stopAccepting()
                    schedule(now.advanced(by: Self.acceptPause))
                    return false
                }
            }
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let descriptor = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe tenure_accept(listener, $0, &length)
                }
            }
            if descriptor >= 0 {
                let peer = unsafe withUnsafePointer(to: &storage) { pointer in
                    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe Request.Peer($0) }
                }
                open(Connection(descriptor, state: ConnectionState(peer: peer, limits: shared.configuration, at: now)))
            } else if errno == EAGAIN {
                return false
            } else if errno != EINTR, errno != ECONNABORTED {
                stopAccepting()
                schedule(now.advanced(by: Self.acceptPause))
                return false
            }
        }
        return true
    }

    /// Accepts the connections in the system's queue; their clients would lose their requests if the listener closed.
    private func acceptWaiting() {
        guard listener >= 0, isAccepting else { return }
        for _ in 0..<shared.connectionsPerThread / Self.mostAccepted + 1 where !accept() { return }
    }

    /// Closes a connection, so that clients that send nothing, or never the end of a request, can't take all
    /// connections.
    ///
    /// The one that has been idle longest is closed first. If none is idle, it's the one whose request has been
    /// arriving for the longest time, and for at least ``HTTPServer/Configuration/receivingGrace``. Returns `false` if
    /// no connection was closed.
    private func makeRoom() -> Bool {
        var idle, receiving: Connection?
        let grace = shared.configuration.receivingGrace
        for case let connection? in connections {
            if connection.state.isIdle {
                if idle.map({ connection.state.deadline < $0.state.deadline }) ?? true { idle = connection }
            } else if connection.state.isReceivingRequest(for: grace, at: now),
                receiving.map({ connection.state.requestDeadline < $0.state.requestDeadline }) ?? true
            {
                receiving = connection
            }
        }
        if let idle {
            // Its next request may have arrived just now.
            idle.expire(self)
            return !idle.isOpen
        }
        receiving?.close(self)
        return receiving != nil
    }

    private func open(_ connection: Connection) {
        let index = Int(connection.descriptor)
        while connections.count <= index { connections.append(nil) }
        connections[index] = connection
        count += 1
        shared.gauges.connectionOpened()
        poller.watch(connection.descriptor, for: .input)
        schedule(connection.state.deadline)
    }

    /// Forgets a connection and closes its descriptor, which also ends its events.
    func close(_ connection: Connection) {
        connections[Int(connection.descriptor)] = nil
        count -= 1
        _ = Glibc.close(connection.descriptor)
        shared.gauges.connectionClosed()
        startAccepting()
    }

    /// Wakes the thread at a connection's deadline, or soon after it.
    func schedule(_ deadline: SteadyTime) {
        if deadline < wakeAt { wakeAt = max(deadline, sweepAfter) }
    }

    /// Expires the connections that are past their deadline.
    ///
    /// Deadlines that were moved are found only here, so this happens at most once in each interval.
    private func sweep() {
        wakeAt = .never
        sweepAfter = now.advanced(by: shared.sweepInterval)
        startAccepting(evenIfFull: true)
        for connection in connections {
            guard let connection else { continue }
            if connection.state.deadline <= now { connection.expire(self) }
            if connection.isOpen { schedule(connection.state.deadline) }
        }
    }

    /// - Parameter evenIfFull: Whether to accept although all connections are in use; one of them may have become idle.
    private func startAccepting(evenIfFull: Bool = false) {
        guard listener >= 0, !isAccepting, evenIfFull || count < shared.connectionsPerThread else { return }
        isAccepting = true
        poller.watch(listener, for: .connections)
    }

    private func stopAccepting() {
        isAccepting = false
        poller.watch(listener, for: nil, insteadOf: .connections)
    }

    private func closeListener() {
        guard listener >= 0 else { return }
        // Another thread may have a duplicate, which would keep reporting events here.
        if isAccepting { stopAccepting() }
        _ = Glibc.close(listener)
        listener = -1
    }
}

/// Makes the current thread get an error instead of a signal when it writes to a closed connection.
private func blockBrokenPipeSignal() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
}
