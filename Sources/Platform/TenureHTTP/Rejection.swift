/// A request that the server answers without a handler's response.
///
/// Such a request is malformed, too large, over a limit or too slow. The response comes from a function that knows the
/// format of the path, so that clients can parse it like any other. It is created immediately, on the thread that
/// rejects the request.
public struct Rejection: Sendable {
    /// The status that the response must have, such as 413.
    public let status: Int

    /// The request as far as it was read, without its body; method and path are empty if they are unknown.
    public let request: Request

    /// Whether a handler was called, but its response is too late or can't be sent.
    ///
    /// That handler counts and logs the request itself.
    public let isHandled: Bool

    /// Creates a rejection and releases the request's body, which is no longer needed.
    public init(status: Int, request: Request, isHandled: Bool = false) {
        self.status = status
        self.request = request.withoutBody
        self.isHandled = isHandled
    }
}

extension Request {
    fileprivate var withoutBody: Request {
        var request = self
        request.body = []
        return request
    }
}
