/// A request that a server answers by itself: because it cannot be read, is too large, is one too many or takes too long.
///
/// The answer is asked of whoever knows how the path speaks, so that a client reads it as it reads every other.
/// No handler is needed for it: it is made at once, on whatever thread finds the request wanting.
public struct Rejection: Sendable {
    /// The status of the answer.
    public let status: Int

    /// The request as far as it was read, without its body; method and path are empty where they are not known.
    public let request: Request

    /// Whether a handler was asked, and its answer only comes too late or cannot be sent: then it knows of the
    /// request, and has counted and logged it or will.
    public let isHandled: Bool

    /// Says which request gets which status. Its body is let go: nobody reads it any more.
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
