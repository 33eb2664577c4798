import CMicrohttpd
import TenureHTTP
import TenureThreads

/// One request and its response on a connection; only used by the event thread.
///
/// After its end, it may begin again with the next request of that thread.
final class Exchange {
    private enum Stage {
        /// The request line has been read, but not the header fields.
        case opening
        /// The body is being read for the handler.
        case reading
        /// The rest of the body is read and discarded; then the client gets this status.
        case discarding(status: Int)
        /// The handler is running.
        case answering(Completion)
        /// libmicrohttpd has the response.
        case answered
    }

    private(set) var connection: Connection
    private let shared: Shared
    private var target: Target
    private var stage = Stage.opening
    private var method = ""
    private var id = ""
    private var headers = Headers()
    private var body: [UInt8] = []
    private var bodySize = 0
    /// The bytes of the body and of the response that count towards the shared memory limits.
    private var (bodyCounted, answerCounted) = (0, 0)
    private var isCounted = false
    /// Whether the request counts as being processed, and as a change.
    private var (isWorking, isChange) = (false, false)
    private var hasFile = false
    /// Whether only libmicrohttpd knows where the body ends, so that nothing after it may be a request.
    private var closesAfterResponse = false

    init(connection: Connection, target: Target, shared: Shared) {
        self.connection = connection
        self.target = target
        self.shared = shared
        setDeadline()
    }

    /// Begins with another request, after the end of the last one.
    func begin(connection: Connection, target: Target) {
        self.connection = connection
        self.target = target
        stage = .opening
        (method, id) = ("", "")
        bodySize = 0
        isCounted = false
        hasFile = false
        closesAfterResponse = false
        setDeadline()
    }

    private func setDeadline() {
        connection.cutAt = min(connection.cutAt, SteadyTime.now().advanced(by: shared.configuration.requestDeadline))
    }

    /// Reads the header fields, but not the body; returns `false` if the connection must be closed.
    ///
    /// - Parameter incoming: What the connection's reader passed to libmicrohttpd. Without it the request wasn't
    ///   checked, and is refused.
    func open(_ handle: OpaquePointer, _ incoming: SocketReader.Incoming?, id: String, method: String) -> Bool {
        let limits = shared.configuration
        self.id = id
        self.method = method
        let head: HeadScanner.Head
        switch incoming {
        case .head(let complete):
            head = complete
        case .refused(let status, let method, let target):
            self.method = method
            self.target = target
            return unsafe reject(handle, status, closing: true)
        case nil:
            return unsafe reject(handle, 500, closing: true)
        }
        closesAfterResponse = head.isChunked
        if head.contentLength > limits.bodyLimit {
            if head.expectsContinue || head.contentLength - limits.bodyLimit > limits.discardLimit {
                return unsafe reject(handle, 413, closing: true)
            }
            stage = .discarding(status: 413)
        } else if !target.isText {
            stage = .discarding(status: 400)
        } else {
            headers = unsafe Headers.of(handle)
            // The host of an absolute URL replaces the field (RFC 9112, 3.2.2).
            if let authority = target.authority { headers.set("Host", authority) }
            let isNowhere = target.authority?.isEmpty ?? false
            if let host = headers["Host"], isNowhere || !HostField.isValid(host) {
                stage = .discarding(status: 400)
            } else {
                shared.gauges.requestBegan()
                isCounted = true
                stage = .reading
            }
        }
        if case .discarding(let status) = stage, head.expectsContinue {
            return unsafe reject(handle, status, closing: true)
        }
        return true
    }

    /// Reads a part of the body; returns `false` if the connection must be closed.
    func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bodySize += bytes.count
        switch stage {
        case .reading where bodySize > shared.configuration.bodyLimit:
            discard(status: 413)
        case .reading:
            let counted = max(0, bodySize - shared.configuration.smallBody)
            guard shared.gauges.bodyGrew(by: counted - bodyCounted, limit: shared.configuration.bodyMemory) else {
                discard(status: 503)
                break
            }
            bodyCounted = counted
            unsafe body.append(contentsOf: bytes)
        default:
            break
        }
        return bodySize - shared.configuration.bodyLimit <= shared.configuration.discardLimit
    }

    /// Calls the handler once the request is complete, or sends the response once the handler has responded.
    ///
    /// - Parameter bodyRefusal: The status to refuse the connection's last request with, because its body is broken.
    func proceed(_ handle: OpaquePointer, bodyRefusal: Int?) -> Bool {
        switch stage {
        case .reading:
            // The broken body is the one of the connection's last request, which closes it.
            if closesAfterResponse, let bodyRefusal { return unsafe reject(handle, bodyRefusal, closing: true) }
            return unsafe handOver(handle)
        case .discarding(let status):
            return unsafe reject(handle, status)
        case .answering(let completion):
            // libmicrohttpd called for a reason of its own; the connection stays suspended.
            guard let response = completion.take() else { return true }
            return unsafe answer(handle, response)
        case .opening, .answered:
            return false
        }
    }

    /// Whether the header fields have been read.
    var isOpen: Bool {
        if case .opening = stage { false } else { true }
    }

    /// Cleans up after the request has ended, successfully or not.
    func end() {
        stage = .answered
        headers = Headers()
        connection.cutAt = SteadyTime.now().advanced(by: shared.configuration.idleTimeout)
            .advanced(by: shared.configuration.requestDeadline)
        releaseBody()
        endWork()
        shared.gauges.answerShrank(by: answerCounted)
        answerCounted = 0
        if hasFile { shared.gauges.fileEnded() }
        if isCounted, shared.gauges.requestEnded() == 0, shared.isDraining { shared.wakeKeeper() }
    }

    /// Stops counting the request as being processed.
    ///
    /// A client that receives its response slowly only occupies a connection and the response's memory.
    private func endWork() {
        if isWorking { shared.gauges.workEnded(isChange: isChange) }
        isWorking = false
    }

    private func discard(status: Int) {
        releaseBody()
        stage = .discarding(status: status)
    }

    private func releaseBody() {
        shared.gauges.bodyShrank(by: bodyCounted)
        bodyCounted = 0
        body = []
    }

    private func handOver(_ handle: OpaquePointer) -> Bool {
        let request = Request(
            method: method, path: target.path, query: target.query, headers: headers, body: body, id: id,
            peer: connection.peer)
        releaseBody()
        switch shared.handler.handle(request) {
        case .response(let response):
            return unsafe answer(handle, response)
        case .pending(let isChange, let respond):
            guard shared.gauges.workBegan(isChange: isChange, under: shared.configuration) else {
                return unsafe reject(handle, 503)
            }
            (isWorking, self.isChange) = (true, isChange)
            headers = Headers()
            return unsafe wait(handle, for: request, respond)
        }
    }

    /// Runs the part of a handler that waits, and suspends the connection until there is a response.
    private func wait(
        _ handle: OpaquePointer, for request: Request, _ respond: @escaping @Sendable () async -> Response
    ) -> Bool {
        let completion = Completion(request, deadline: connection.cutAt)
        connection.cutAt = .never
        let task = Task.immediate { [shared] in
            await reserveTaskMemory()
            let response = await Deadline.$current.withValue(completion.deadline, operation: respond)
            if completion.finish(response) { shared.suspended.remove(completion) }
        }
        let claim = unsafe completion.claim(handle, task: task) { completion in
            shared.suspended.add(completion) ? nil : shared.rejected(completion.late)
        }
        switch claim {
        case .answer(let response):
            return unsafe answer(handle, response)
        case .suspended:
            stage = .answering(completion)
            return true
        }
    }

    /// Sends a response without calling the handler.
    private func reject(_ handle: OpaquePointer, _ status: Int, closing: Bool = false) -> Bool {
        unsafe answer(handle, shared.rejected(rejection(status)), closing: closing)
    }

    private func answer(_ handle: OpaquePointer, _ response: Response, closing: Bool = false) -> Bool {
        stage = .answered
        connection.cutAt = .never
        let closing = closing || closesAfterResponse || shared.isDraining
        defer { endWork() }
        guard hasRoom(for: response.body) else {
            return unsafe shared.rejected(rejection(503, isHandled: true)).queue(on: handle, closing: closing)
        }
        if unsafe response.queue(on: handle, closing: closing) { return true }
        return unsafe shared.rejected(rejection(500, isHandled: true)).queue(on: handle, closing: closing)
    }

    /// Reserves memory or a file slot until the client has received the response; returns `false` if a limit is
    /// reached.
    private func hasRoom(for body: Response.Body) -> Bool {
        let limits = shared.configuration
        switch body {
        case .file:
            hasFile = shared.gauges.fileBegan(limit: limits.filesInFlight)
            return hasFile
        case .bytes(let bytes):
            let counted = max(0, bytes.count - limits.smallBody)
            guard shared.gauges.answerGrew(by: counted, limit: limits.answerMemory) else { return false }
            answerCounted = counted
            return true
        }
    }

    private func rejection(_ status: Int, isHandled: Bool = false) -> Rejection {
        let request = Request(
            method: method, path: target.path, query: target.query, headers: headers, id: id, peer: connection.peer)
        return Rejection(status: status, request: request, isHandled: isHandled)
    }
}
