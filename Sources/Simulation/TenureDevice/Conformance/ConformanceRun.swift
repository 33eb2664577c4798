import TenureCore
import TenureHTTP
import TenureHTTPClient

/// Sends all requests of a run to a server and records the responses.
struct ConformanceRun: Sendable {
    /// A closure that sends one request and returns the response, with at most `limit` bytes of its body.
    ///
    /// `isCut` is true if the body was longer.
    typealias Send =
        @Sendable (OutgoingRequest, _ limit: Int) async -> Result<(response: Response, isCut: Bool), TransportError>

    /// The maximum number of requests in read mode.
    static let budget = 120

    private let send: Send
    private let pause: @Sendable () async -> Void

    /// Creates a run.
    /// - Parameters:
    ///   - send: Sends a request without following redirects.
    ///   - pause: Waits between two requests to limit the load on the server.
    init(send: @escaping Send, pause: @escaping @Sendable () async -> Void) {
        self.send = send
        self.pause = pause
    }

    /// Sends the requests in the order of the cases of ``ConformanceQuestion``, and returns the recorded exchanges.
    ///
    /// - Parameter tell: Called with each request before it is sent or skipped.
    func sendQuestions(
        _ options: ConformanceOptions, draw: ConformanceDraw, at now: Timestamp,
        telling tell: (ConformanceQuestion) -> Void = { _ in }
    ) async -> SeenMarketplace {
        var seen = SeenMarketplace(options, draw: draw, now: now)
        var sent = 0
        for question in ConformanceQuestion.allCases {
            tell(question)
            switch seen.plan(question) {
            case .skip(let cause): seen.skip(question, cause)
            case .send where sent == Self.budget && options.mode == .read:
                seen.skip(question, "\(Self.budget) requests have been sent")
            case .send(let request):
                if sent > 0 { await pause() }
                sent += 1
                seen.record(await exchange(request, question, seen))
            }
            // If the first request gets no response, no others are sent.
            if question == .configuration, seen[question]?.failure != nil { break }
        }
        return seen
    }

    private func exchange(
        _ request: OutgoingRequest, _ question: ConformanceQuestion, _ seen: SeenMarketplace
    ) async -> RecordedExchange {
        var reached = request
        let options = seen.options
        if options.address.isOwn(request.url) {
            reached.url = options.address.reachable(request.url)
            if options.address.isRenamed { reached.headers.add("Host", options.address.domain) }
        }
        if seen.isServedHere(question), let host = ConformanceOptions.host(of: request.url) {
            reached.url = options.address.origin + "/.well-known/marketplace-kit"
            reached.headers.add("Host", host)
        }
        let sent = "\(request.method) \(request.url.bounded)"
        switch await send(reached, question.limit) {
        case .success(let came):
            return RecordedExchange(question, sent: sent, response: came.response, isCut: came.isCut)
        case .failure(let failure): return RecordedExchange(question, sent: sent, response: nil, failure: failure)
        }
    }
}
