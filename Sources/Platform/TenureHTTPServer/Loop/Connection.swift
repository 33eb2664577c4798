import Glibc
import TenureHTTP
import TenureThreads

/// A connection's socket, on which it performs the actions that its ``ConnectionState`` decides on.
///
/// Only the connection's event thread uses it.
final class Connection {
    let descriptor: Int32
    private(set) var state: ConnectionState
    private(set) var isOpen = true
    /// The response that the client hasn't received completely.
    private var outgoing: Outgoing?
    /// The handler that the current request waits for.
    private var handler: (completion: Completion, task: Task<Void, Never>)?
    /// The event that the event thread watches the socket for; `nil` if it doesn't watch the socket.
    private var interest: Poller.Interest? = .input
    private var use = ResourceUse()
    /// An action that is postponed until other connections have had their turn.
    private var postponed: ConnectionState.Action?

    /// The maximum number of requests of one client that are handled in a row.
    private static let mostInARow = 8
    /// The maximum number of bytes read at once while no body is expected: bytes that a client sends ahead stay in
    /// memory.
    private static let mostSentAhead = 16 << 10

    init(_ descriptor: Int32, state: ConnectionState) {
        self.descriptor = descriptor
        self.state = state
    }

    /// Continues to send or to receive after an event of the socket.
    func proceed(_ loop: EventLoop) {
        if outgoing != nil {
            perform(flush(loop), loop)
        } else if state.isReceiving {
            receive(loop)
        } else {
            // The client sends more or has closed, but the handler still runs.
            watch(for: nil, loop)
        }
    }

    /// Sends a handler's response.
    func respond(_ completion: Completion, _ loop: EventLoop) {
        guard let handler, handler.completion === completion, let response = completion.take() else { return }
        self.handler = nil
        perform(send(response, loop), loop)
    }

    /// Continues after other connections have had their turn.
    func takeTurn(_ loop: EventLoop) {
        if let postponed { perform(postponed, loop) }
    }

    /// Performs the action that the state returns at its deadline.
    func expire(_ loop: EventLoop) {
        // The next request may have arrived just now.
        if state.isIdle, receive(loop) { return }
        perform(state.expire(), loop)
    }

    /// Rejects the current request if its handler still runs.
    func giveUp(_ loop: EventLoop) {
        if handler != nil { perform(.giveUp, loop) }
    }

    /// Closes the connection if the server is waiting for bytes from its client. Also closes it if the client has
    /// received nothing of its response for the duration `grace`.
    func cutOff(after grace: Duration, _ loop: EventLoop) {
        if state.isReceiving || state.hasStalled(for: grace, at: loop.now) { close(loop) }
    }

    func close(_ loop: EventLoop) {
        guard isOpen else { return }
        isOpen = false
        postponed = nil
        abandonHandler()
        use.endRequest(loop.shared)
        loop.close(self)
    }

    /// Reads the bytes that have arrived; returns `false` if there were none.
    @discardableResult private func receive(_ loop: EventLoop) -> Bool {
        let most = unsafe state.isReadingHead ? min(Self.mostSentAhead, loop.input.count) : loop.input.count
        let count = unsafe recv(descriptor, loop.input.baseAddress, most, 0)
        if count > 0 {
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: loop.input[..<count])
            perform(unsafe state.receive(bytes, at: loop.now) { reserve($0, loop) }, loop)
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
            close(loop)
        } else {
            return false
        }
        return true
    }

    private func reserve(_ count: Int, _ loop: EventLoop) -> Bool {
        use.reserveBody(count, loop.shared)
    }

    /// Performs actions until the connection waits for an event.
    private func perform(_ first: ConnectionState.Action, _ loop: EventLoop) {
        var action = first
        var left = Self.mostInARow
        postponed = nil
        while true {
            if state.isDiscarding { use.releaseBody(loop.shared) }
            if state.isAccepted { use.beginRequest(loop.shared) }
            switch action {
            case .wait:
                if outgoing != nil { watch(for: .output, loop) } else if state.isReceiving { watch(for: .input, loop) }
                return loop.schedule(state.deadline)
            case .sendContinue: action = sendContinue(loop)
            case .handle:
                guard left > 0 else {
                    postponed = action
                    return loop.postpone(self)
                }
                left -= 1
                action = handle(loop)
            case .reject(let status): action = reject(status, loop)
            case .giveUp: action = giveUpHandler(loop)
            case .finish:
                shutdown(descriptor, Int32(SHUT_WR))
                action = .wait
            case .close: return close(loop)
            }
        }
    }

    private func watch(for interest: Poller.Interest?, _ loop: EventLoop) {
        if interest == self.interest { return }
        loop.poller.watch(descriptor, for: interest, insteadOf: self.interest)
        self.interest = interest
    }

    @inline(never)
    private func sendContinue(_ loop: EventLoop) -> ConnectionState.Action {
        var line = Outgoing(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        // So few bytes fit into the socket's buffer, unless the client never reads.
        guard line.send(to: descriptor) == .complete else { return .close }
        return state.resume { reserve($0, loop) }
    }
}

// MARK: - The handler

extension Connection {
    private func handle(_ loop: EventLoop) -> ConnectionState.Action {
        state.request.id = loop.ids.next()
        let request = state.request
        state.request.body = []
        use.releaseBody(loop.shared)
        switch loop.shared.handler.handle(request) {
        case .response(let response):
            return send(response, loop)
        case .pending(let isChange, let respond):
            guard use.beginWork(isChange: isChange, loop.shared) else { return reject(503, loop) }
            return wait(loop, respond)
        }
    }

    /// Runs the rest of a handler's work in a task.
    private func wait(_ loop: EventLoop, _ respond: @escaping @Sendable () async -> Response) -> ConnectionState.Action
    {
        let completion = Completion(descriptor: descriptor, mailbox: loop.mailbox)
        let deadline = state.requestDeadline
        let task = Task.immediate {
            await reserveTaskMemory()
            completion.finish(await Deadline.$current.withValue(deadline, operation: respond))
        }
        if let response = completion.take() { return send(response, loop) }
        handler = (completion, task)
        return loop.isGivingUp ? .giveUp : .wait
    }

    private func abandonHandler() {
        handler?.completion.abandon()
        handler?.task.cancel()
        handler = nil
    }

    @inline(never)
    private func giveUpHandler(_ loop: EventLoop) -> ConnectionState.Action {
        abandonHandler()
        return send(loop.shared.rejected(rejection(503, isHandled: true)), loop)
    }

    /// Sends a response without calling the handler.
    @inline(never)
    private func reject(_ status: Int, _ loop: EventLoop) -> ConnectionState.Action {
        if state.request.id.isEmpty { state.request.id = loop.ids.next() }
        return send(loop.shared.rejected(rejection(status)), loop)
    }

    private func rejection(_ status: Int, isHandled: Bool = false) -> Rejection {
        Rejection(status: status, request: state.request, isHandled: isHandled)
    }
}

// MARK: - The response

extension Connection {
    private func send(_ response: Response, _ loop: EventLoop) -> ConnectionState.Action {
        if loop.shared.isDraining { state.closesAfterResponse = true }
        state.sent(at: loop.now)
        use.endWork(loop.shared)
        guard use.beginSending(response.body, loop.shared) else {
            return send(rejecting: 503, loop)
        }
        return start(response, loop) ?? send(rejecting: 500, loop)
    }

    /// Sends a rejection in place of a response that can't be sent.
    @inline(never)
    private func send(rejecting status: Int, _ loop: EventLoop) -> ConnectionState.Action {
        start(loop.shared.rejected(rejection(status, isHandled: true)), loop) ?? .close
    }

    /// Sends as much as possible of a response; `nil` if it isn't valid.
    private func start(_ response: Response, _ loop: EventLoop) -> ConnectionState.Action? {
        let option: Response.ConnectionOption? =
            state.closesAfterResponse ? .close : state.isKeptOpen ? .keepAlive : nil
        loop.output.removeAll(keepingCapacity: true)
        guard response.writeHead(to: &loop.output, date: &loop.date, option) else { return nil }
        var bytes: [UInt8] = []
        swap(&bytes, &loop.output)
        var outgoing = Outgoing(consume bytes, body: response.hasNoBody(for: state.request) ? nil : response.body)
        let progress = outgoing.send(to: descriptor)
        if progress == .complete { loop.output = outgoing.takeMemory() }
        return proceed(with: outgoing, progress, loop)
    }

    private func flush(_ loop: EventLoop) -> ConnectionState.Action {
        guard var outgoing else { return .wait }
        self.outgoing = nil
        let progress = outgoing.send(to: descriptor)
        state.sent(at: loop.now)
        return proceed(with: outgoing, progress, loop)
    }

    private func proceed(
        with outgoing: Outgoing, _ progress: Outgoing.Progress, _ loop: EventLoop
    ) -> ConnectionState.Action {
        switch progress {
        case .complete:
            use.endRequest(loop.shared)
            return state.responded(at: loop.now) { reserve($0, loop) }
        case .blocked:
            self.outgoing = outgoing
            return .wait
        case .failed:
            return .close
        }
    }
}
