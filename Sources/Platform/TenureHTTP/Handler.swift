/// Handles the HTTP requests that a server receives.
///
/// A handler never throws: it turns every failure into a response with a suitable status.
public protocol Handler: Sendable {
    /// Handles one request.
    ///
    /// It runs on the server's event thread until it first suspends, so it must not block.
    func respond(to request: Request) async -> Response

    /// Handles one request on the calling thread, or as far as possible without waiting.
    ///
    /// It runs on the server's event thread, so it must not block.
    func handle(_ request: Request) -> HandlerResult
}

/// A handler's result for a request.
public enum HandlerResult: Sendable {
    /// The response.
    case response(Response)
    /// The rest of the work, which waits for something, and whether it counts towards the limit on concurrent changes.
    case pending(isChange: Bool, respond: @Sendable () async -> Response)

    /// The rest of work that isn't a change.
    public static func pending(_ respond: @escaping @Sendable () async -> Response) -> HandlerResult {
        .pending(isChange: false, respond: respond)
    }
}

extension Handler {
    /// Leaves all the work to ``respond(to:)``; implement one of the two.
    public func handle(_ request: Request) -> HandlerResult {
        .pending { await respond(to: request) }
    }

    /// Handles one request as ``handle(_:)`` does, and waits for the rest; implement one of the two.
    public func respond(to request: Request) async -> Response {
        switch handle(request) {
        case .response(let response): response
        case .pending(_, let respond): await respond()
        }
    }
}
