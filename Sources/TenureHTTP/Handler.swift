/// Answers requests; the one thing that a server needs to be given.
///
/// A handler never fails: whatever goes wrong becomes an answer with a status that says so.
public protocol Handler: Sendable {
    /// Answers one request. Runs on the server's event thread until it first suspends, so it must not block.
    func respond(to request: Request) async -> Response
}
