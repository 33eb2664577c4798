/// Handles the HTTP requests that a server receives.
///
/// A handler never throws: it turns every failure into a response with a suitable status.
public protocol Handler: Sendable {
    /// Handles one request.
    ///
    /// It runs on the server's event thread until it first suspends, so it must not block.
    func respond(to request: Request) async -> Response

    /// Handles one request on the calling thread, as far as that is possible without waiting.
    ///
    /// It runs on the server's event thread, so it must not block.
    func handle(_ request: Request) -> HandlerResult
}

/// A handler's result for a request.
public enum HandlerResult: Sendable {
    /// The response, which was created without waiting.
    case response(Response)
    /// The rest of the work, which can't continue at once, and whether it counts towards the limit on concurrent
    /// changes.
    case pending(isChange: Bool, respond: @Sendable () async -> Response)

    /// The rest of the work for a request that doesn't count as a change.
    public static func pending(_ respond: @escaping @Sendable () async -> Response) -> HandlerResult {
        .pending(isChange: false, respond: respond)
    }
}

extension Handler {
    /// The default, which leaves all the work to ``respond(to:)``. A handler must implement one of the two functions.
    public func handle(_ request: Request) -> HandlerResult {
        .pending { await respond(to: request) }
    }

    /// The default, which calls ``handle(_:)`` and waits for the rest. A handler must implement one of the two
    /// functions.
    public func respond(to request: Request) async -> Response {
        switch handle(request) {
        case .response(let response): response
        case .pending(_, let respond): await respond()
        }
    }
}
