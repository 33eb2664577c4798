import Glibc
import TenureHTTP
import TenureHTTPClient
import TenureHTTPServer

/// A handler that calls a closure.
struct Reply: Handler {
    let reply: @Sendable (Request) async -> Response

    func respond(to request: Request) async -> Response { await reply(request) }
}

/// Responds with the request's method, path, query and body.
let echo = Reply { request in
    .text("\(request.method) \(request.path) \(request.query) \(String(decoding: request.body, as: UTF8.self))")
}

/// Runs a server on a free port and passes its URL to `body`. The server stops when `body` returns.
func withServer<Value>(
    _ handler: some Handler, listen: HTTPServer.Address = .tcp(host: "127.0.0.1", port: 0),
    _ body: (String, HTTPServer) async throws -> Value
) async throws -> Value {
    let server = try HTTPServer.start(.init(listen: listen), handler: handler)
    var url = "http://localhost"
    if case .tcp(let host, let port) = server.address { url = "http://\(host):\(port)" }
    do {
        let value = try await body(url, server)
        await server.stop(within: .zero)
        return value
    } catch {
        await server.stop(within: .zero)
        throw error
    }
}

/// Creates a transport that ignores the host's proxy settings.
func transport(_ adjust: (inout TransportOptions) -> Void = { _ in }) throws -> any HTTPTransport {
    var options = TransportOptions()
    options.proxy = .none
    adjust(&options)
    return try HTTPTransports.system(options)
}

/// Polls a condition that another thread makes true. Returns false after 20,000 tries.
func eventually(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<20_000 {
        if condition() { return true }
        try? await Task.sleep(for: .milliseconds(1))
    }
    return false
}

/// Returns the number and the target of each open file descriptor of this process.
///
/// Timers are left out, because the first sleep opens one for the whole process.
func openDescriptors() -> Set<String> {
    guard let folder = opendir("/proc/self/fd") else { return [] }
    defer { closedir(folder) }
    var open: Set<String> = []
    while let entry = readdir(folder) {
        let number = withUnsafePointer(to: entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        let target = [CChar](unsafeUninitializedCapacity: 1024) { buffer, count in
            count = max(readlink("/proc/self/fd/\(number)", buffer.baseAddress!, buffer.count), 0)
        }
        let name = String(decoding: target.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if !name.isEmpty, number != "\(dirfd(folder))", !name.contains("timerfd") { open.insert("\(number) \(name)") }
    }
    return open
}

extension HTTPTransport {
    /// Sends a GET request and returns the response's body.
    func text(of url: String) async throws -> String { try await send(.get(url)).text }

    /// Returns the error of a request, or `nil` if the request succeeds.
    func failure(of request: OutgoingRequest) async -> TransportError? {
        do throws(TransportError) {
            _ = try await send(request)
            return nil
        } catch {
            return error
        }
    }
}

extension Result where Failure == any Error {
    /// The transport error of a failure; `nil` for a success.
    var failure: TransportError? {
        if case .failure(let error) = self { error as? TransportError } else { nil }
    }
}
