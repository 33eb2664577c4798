import TenureHTTP
import TenureHTTPServer

/// A handler that calls a closure.
struct Reply: Handler {
    let reply: @Sendable (Request) async -> Response

    func respond(to request: Request) async -> Response { await reply(request) }
}

/// Responds with the request's method, path and body.
let echo = Reply { request in
    .text("\(request.method) \(request.path) \(String(decoding: request.body, as: UTF8.self))")
}

/// Formats a rejection as a text that contains only its status, so that tests recognize it.
@Sendable func shaped(_ rejection: Rejection) -> Response {
    let status = rejection.status
    return Response(
        status: status, headers: ["Content-Type": "application/problem+json"], body: Array("{\"\(status)\"}".utf8))
}

/// Runs a server on a free port until `body` returns.
func withServer<Value>(
    _ handler: some Handler, listen: HTTPServer.Address = .tcp(host: "127.0.0.1", port: 0),
    _ adjust: (inout HTTPServer.Configuration) -> Void = { _ in }, _ body: (HTTPServer) async throws -> Value
) async throws -> Value {
    var configuration = HTTPServer.Configuration(listen: listen)
    adjust(&configuration)
    let server = try HTTPServer.start(configuration, handler: handler, rejection: shaped)
    do {
        let value = try await body(server)
        await server.stop(within: .milliseconds(0))
        return value
    } catch {
        await server.stop(within: .milliseconds(0))
        throw error
    }
}

/// Polls a condition that another thread makes true. Returns false after 20,000 tries.
func eventually(_ condition: @Sendable () -> Bool) async -> Bool {
    for _ in 0..<20_000 {
        if condition() { return true }
        try? await Task.sleep(for: .milliseconds(1))
    }
    return false
}
