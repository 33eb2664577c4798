/// Handles the HTTP requests that a server receives.
///
/// A handler never throws: it turns every failure into a response with a suitable status.
public protocol Handler: Sendable {
    /// Handles one request.
    ///
    /// It runs on the server's event thread until it first suspends, so it must not block.
    func respond(to request: Request) async -> Response
}
