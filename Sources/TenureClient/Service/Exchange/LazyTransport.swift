import Foundation
package import TenureHTTPClient

/// The system's transport, made when the first request is sent: making it takes milliseconds, and managers are made on
/// the main actor.
package final class LazyTransport: HTTPTransport, @unchecked Sendable {
    // Sendable by `lock`, which guards `made`.
    private let lock = NSLock()
    private var made: (any HTTPTransport)?
    private let options: TransportOptions

    /// Remembers the options; nothing is made.
    package init(_ options: TransportOptions) { self.options = options }

    package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        try await transport().send(request)
    }

    private func transport() throws(TransportError) -> any HTTPTransport {
        lock.lock()
        defer { lock.unlock() }
        if let made { return made }
        let transport = try HTTPTransports.system(options)
        made = transport
        return transport
    }
}
