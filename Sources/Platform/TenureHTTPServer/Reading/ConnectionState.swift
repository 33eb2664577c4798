import TenureHTTP
import TenureThreads

/// Decides on the next action of a connection from the received bytes and the time; it never touches a socket.
///
/// Requests are read and handled one after the other. Bytes that arrive meanwhile wait in `unread`.
struct ConnectionState {
    /// The next action of a connection.
    enum Action: Equatable {
        /// Wait for bytes of the client, or for the response.
        case wait
        /// Send `100 Continue`, then call ``ConnectionState/resume(reserve:)``.
        case sendContinue
        /// Pass the request to the handler.
        case handle
        /// Send the rejection with this status.
        case reject(Int)
        /// Cancel the handler and send the rejection of a late request.
        case giveUp
        /// Send no more, and discard all bytes that arrive until the client closes the connection.
        case finish
        case close
    }

    private enum Phase {
        case head, body, chunks
        /// The handler runs.
        case handling
        /// The response is being sent.
        case sending
        /// The last response was sent. Closing the socket while bytes arrive could lose it.
        case finishing
    }

    /// How long the connection may discard bytes after its last response, and how many.
    private static let finishTimeout = Duration.seconds(1)
    private static let finishLimit = 1 << 20

    /// The request that is being read or handled; its body is complete when the action is ``Action/handle``.
    var request: Request
    /// When ``expire()`` must be called.
    private(set) var deadline: SteadyTime
    /// When the handler of the current request must have responded.
    private(set) var requestDeadline = SteadyTime.never
    /// Whether the connection ends after the current response.
    var closesAfterResponse = false
    /// Whether an HTTP/1.0 client asked to keep the connection open.
    private(set) var isKeptOpen = false
    /// Whether the head of the current request was accepted for the handler.
    private(set) var isAccepted = false

    private let limits: HTTPServer.Configuration
    private let peer: Request.Peer
    private var phase = Phase.head
    private var chunks = ChunkScanner()
    /// Bytes that weren't read as a request yet: the beginning of a head, or the bytes after the current request.
    private var unread: [UInt8] = []
    /// The status to reject the current request with after its body was read; `nil` if it's accepted.
    private var rejection: Int?
    /// The bytes of the body that were read, that are missing, and that count towards the shared memory limit.
    private var (bodySize, bodyLeft, reserved) = (0, 0, 0)

    /// Creates the state of a connection that was accepted now.
    init(peer: Request.Peer, limits: HTTPServer.Configuration, at now: SteadyTime) {
        self.peer = peer
        self.limits = limits
        request = Request(method: "", path: "", headers: Headers(), peer: peer)
        deadline = now.advanced(by: min(limits.idleTimeout, limits.requestDeadline))
    }

    /// Whether the connection waits for bytes from the client.
    var isReceiving: Bool {
        switch phase {
        case .head, .body, .chunks, .finishing: true
        case .handling, .sending: false
        }
    }

    /// Whether the connection waits for the first byte of a request.
    var isIdle: Bool { phase == .head && unread.isEmpty }

    /// Whether the first byte of a request arrived at least this long ago, and its last one hasn't arrived yet.
    func isReceivingRequest(for duration: Duration, at now: SteadyTime) -> Bool {
        switch phase {
        case .head where unread.isEmpty: false
        case .head, .body, .chunks: requestDeadline.advanced(by: duration) <= now.advanced(by: limits.requestDeadline)
        case .handling, .sending, .finishing: false
        }
    }

    /// Whether the head of a request is read, and no body is expected.
    var isReadingHead: Bool { phase == .head }

    /// Whether a response is being sent of which the client has received nothing for this duration.
    func hasStalled(for duration: Duration, at now: SteadyTime) -> Bool {
        phase == .sending && deadline.advanced(by: duration) <= now.advanced(by: limits.idleTimeout)
    }

    /// Whether the rest of the current body is read and discarded.
    var isDiscarding: Bool { rejection != nil }

    /// Takes bytes of the client.
    ///
    /// - Parameter reserve: Counts more bytes of the body towards the shared memory limit; returns `false` if they
    ///   don't fit.
    mutating func receive(
        _ bytes: UnsafeRawBufferPointer, at now: SteadyTime, reserve: (Int) -> Bool
    ) -> Action {
        if phase == .finishing {
            bodySize += bytes.count
            return bodySize > Self.finishLimit ? .close : .wait
        }
        if phase == .head, unread.isEmpty { requestDeadline = now.advanced(by: limits.requestDeadline) }
        deadline = min(requestDeadline, now.advanced(by: limits.idleTimeout))
        guard unread.isEmpty else {
            unsafe unread.append(contentsOf: bytes)
            return resume(reserve: reserve)
        }
        let (used, action) = unsafe advance(bytes, reserve: reserve)
        if used < bytes.count { unread = unsafe Array(bytes[used...]) }
        return action
    }

    /// Continues with the bytes that weren't read yet.
    mutating func resume(reserve: (Int) -> Bool) -> Action {
        var bytes: [UInt8] = []
        swap(&bytes, &unread)
        let (used, action) = unsafe bytes.withUnsafeBytes { unsafe advance($0, reserve: reserve) }
        bytes.removeFirst(used)
        swap(&bytes, &unread)
        return action
    }

    /// Records that a response is being sent, or that the client has received a part of it, and restarts the idle
    /// timeout.
    mutating func sent(at now: SteadyTime) {
        phase = .sending
        deadline = now.advanced(by: limits.idleTimeout)
    }

    /// Notes that the response was sent, and continues with the next request.
    mutating func responded(at now: SteadyTime, reserve: (Int) -> Bool) -> Action {
        if closesAfterResponse {
            (phase, isAccepted) = (.finishing, false)
            (unread, bodySize) = ([], 0)
            deadline = now.advanced(by: Self.finishTimeout)
            return .finish
        }
        begin()
        deadline = now.advanced(by: limits.idleTimeout)
        if unread.isEmpty { return .wait }
        requestDeadline = now.advanced(by: limits.requestDeadline)
        deadline = min(requestDeadline, deadline)
        return resume(reserve: reserve)
    }

    /// Returns the action at the deadline: a late handler is cancelled, otherwise the connection is closed.
    mutating func expire() -> Action {
        deadline = .never
        return phase == .handling ? .giveUp : .close
    }

    private mutating func begin() {
        phase = .head
        request = Request(method: "", path: "", headers: Headers(), peer: peer)
        chunks = ChunkScanner()
        (bodySize, bodyLeft, reserved) = (0, 0, 0)
        rejection = nil
        isAccepted = false
        isKeptOpen = false
    }
}

// MARK: - Reading a request

extension ConnectionState {
    /// Reads a request from bytes that begin with its head or, if that was read, its body; returns the number of used
    /// bytes.
    private mutating func advance(_ bytes: UnsafeRawBufferPointer, reserve: (Int) -> Bool) -> (used: Int, Action) {
        var used = 0
        if phase == .head {
            do throws(HeadReader.Stop) {
                var reader = HeadReader(limits)
                let head = try unsafe reader.read(bytes)
                used = head.size
                let action = unsafe open(head, bytes)
                if action != .wait { return (used, action) }
            } catch {
                switch error {
                case .incomplete: return (0, .wait)
                case .refused(let status): return unsafe (bytes.count, refuse(bytes, status))
                }
            }
        }
        switch phase {
        case .body:
            let end = used + min(bodyLeft, bytes.count - used)
            guard unsafe add(UnsafeRawBufferPointer(rebasing: bytes[used..<end]), reserve: reserve) else {
                return (end, .close)
            }
            bodyLeft -= end - used
            return (end, bodyLeft == 0 ? complete() : .wait)
        case .chunks:
            while used < bytes.count, !chunks.isComplete {
                guard let data = unsafe chunks.scan(bytes, &used) else {
                    rejection = rejection ?? 400
                    return (bytes.count, complete())
                }
                guard unsafe add(UnsafeRawBufferPointer(rebasing: bytes[data]), reserve: reserve) else {
                    return (bytes.count, .close)
                }
            }
            return (used, chunks.isComplete ? complete() : .wait)
        case .head, .handling, .sending, .finishing:
            return (used, .wait)
        }
    }

    /// Reads a complete head, and decides whether its request is accepted.
    private mutating func open(_ head: RequestHead, _ bytes: UnsafeRawBufferPointer) -> Action {
        let target = unsafe Target(UnsafeRawBufferPointer(rebasing: bytes[head.target]))
        request.method = unsafe String(decoding: UnsafeRawBufferPointer(rebasing: bytes[head.method]), as: UTF8.self)
        (request.path, request.query) = (target.path, target.query)
        request.headers = unsafe head.headers(in: bytes)
        isKeptOpen = head.isOld && head.keepsAlive && !head.closes
        if head.closes || head.isChunked || (head.isOld && !isKeptOpen) { closesAfterResponse = true }
        if head.contentLength > limits.bodyLimit {
            rejection = 413
            if head.contentLength - limits.bodyLimit > limits.discardLimit { return rejectNow(413) }
        } else if !isAddressed(to: target) {
            rejection = 400
        }
        if let rejection, head.hasExpectation { return rejectNow(rejection) }
        isAccepted = rejection == nil
        bodyLeft = head.contentLength
        phase = head.isChunked ? .chunks : .body
        return head.expectsContinue && !head.isOld ? .sendContinue : .wait
    }

    /// Whether the host is valid. If the target is an absolute URL, its authority first replaces the `Host` field (RFC
    /// 9112, 3.2.2).
    private mutating func isAddressed(to target: Target) -> Bool {
        guard target.isText else { return false }
        if let authority = target.authority {
            request.headers.set("Host", authority)
            if authority.isEmpty { return false }
        }
        return request.headers["Host"].map(HostField.isValid) ?? true
    }

    /// Rejects a request without reading its body.
    private mutating func rejectNow(_ status: Int) -> Action {
        closesAfterResponse = true
        phase = .handling
        return .reject(status)
    }

    /// Refuses a head, and names the method and target of its request if its first line could be read.
    private mutating func refuse(_ bytes: UnsafeRawBufferPointer, _ status: Int) -> Action {
        let line = unsafe bytes.drop { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
            .prefix { $0 >= UInt8(ascii: " ") }
        let words = unsafe line.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        if unsafe words.count == 3 {
            let target = unsafe Target(UnsafeRawBufferPointer(rebasing: words[1]))
            request.method = unsafe String(validating: words[0], as: UTF8.self) ?? ""
            (request.path, request.query) = (target.path, target.query)
        }
        return rejectNow(status)
    }

    /// Adds bytes to the body; returns `false` if the connection must be closed.
    private mutating func add(_ bytes: UnsafeRawBufferPointer, reserve: (Int) -> Bool) -> Bool {
        bodySize += bytes.count
        let counted = max(0, bodySize - limits.smallBody)
        if rejection == nil, bodySize > limits.bodyLimit {
            discardBody(413)
        } else if rejection == nil, counted > reserved, !reserve(counted - reserved) {
            discardBody(503)
        } else if rejection == nil {
            reserved = counted
            unsafe request.body.append(contentsOf: bytes)
        }
        return bodySize - limits.bodyLimit <= limits.discardLimit
    }

    private mutating func discardBody(_ status: Int) {
        rejection = status
        request.body = []
    }

    private mutating func complete() -> Action {
        phase = .handling
        deadline = requestDeadline
        return rejection.map { .reject($0) } ?? .handle
    }
}
