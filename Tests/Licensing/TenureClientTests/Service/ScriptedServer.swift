import TenureClient
import TenureCore
import TenureHTTP
import TenureHTTPClient
import TenureHTTPServer
import Testing

/// A request handler whose responses a test supplies.
struct ScriptedServer: Handler {
    let reply: @Sendable (Request) async -> Response

    func respond(to request: Request) async -> Response { await reply(request) }
}

/// Runs a server and passes its URL to `body`. The server stops when `body` returns.
func withServer<Value>(
    _ reply: @escaping @Sendable (Request) async -> Response, _ body: (String) async throws -> Value
) async throws -> Value {
    let server = try HTTPServer.start(
        .init(listen: .tcp(host: "127.0.0.1", port: 0)), handler: ScriptedServer(reply: reply))
    guard case .tcp(let host, let port) = server.address else { throw NoPort() }
    do {
        let value = try await body("http://\(host):\(port)")
        await server.stop(within: .zero)
        return value
    } catch {
        await server.stop(within: .zero)
        throw error
    }
}

private struct NoPort: Error {}

/// Creates a transport that ignores the host's proxy settings.
func directTransport(_ adjust: (inout TransportOptions) -> Void = { _ in }) throws -> any HTTPTransport {
    var options = TransportOptions()
    options.proxy = .none
    adjust(&options)
    return try HTTPTransports.system(options)
}

extension Response {
    /// Creates a JSON response from text.
    static func json(_ status: Int, _ text: String) -> Response { .json(status: status, Array(text.utf8)) }
}

extension Answer {
    /// The value of a success.
    var granted: Value? { if case .success(let value) = self { value } else { nil } }
    /// The refusal, if the server signed one.
    var refusal: SignedRefusal? { if case .refused(let no) = self { no } else { nil } }
    /// The failure of a request without a usable response, or `nil`.
    var unreached: RequestFailure? { if case .unknown(let unreached) = self { unreached } else { nil } }
}

extension ProductRef {
    /// The tests' product, `acme/notes`.
    static func notes() throws -> ProductRef {
        ProductRef(tenant: try #require(TenantID("acme")), product: try #require(ProductID("notes")))
    }
}
