import Foundation
package import TenureCore
package import TenureFormats
package import TenureHTTPClient

/// Sends one request to a license server, and tells answers that may mean something from all others.
///
/// A request is never sent again from here: the cadence decides when to ask again, with the server's wishes in hand.
package struct Exchange: Sendable {
    let transport: any HTTPTransport
    let now: @Sendable () -> Timestamp

    /// Sends through a transport. `now` only serves for a `Retry-After` date in an answer that has no `Date`.
    package init(_ transport: any HTTPTransport, now: @escaping @Sendable () -> Timestamp) {
        self.transport = transport
        self.now = now
    }

    /// Sends a request, once.
    ///
    /// 408, 429, 5xx, redirects, whatever is no JSON object, and transfers that fail are ``Reply/nothing(_:)``
    /// (design §5); HTML with any status comes from something in between.
    package func send(_ request: HTTPRequest) async -> Reply {
        do throws(TransportError) {
            return read(try await transport.send(request))
        } catch {
            return .nothing(Unreached(error))
        }
    }

    private func read(_ response: HTTPResponse) -> Reply {
        let status = response.status
        switch status {
        case 300...399, 511:
            return .nothing(Unreached(.captive, "Something before the license server answered with \(status)."))
        case 408, 429, 500...599:
            let wait = RetryAfter.seconds(in: response.fields, now: now())
            return .nothing(
                Unreached(.busy, "The license server cannot answer now (\(status)).", retryAfter: wait))
        default: break
        }
        guard let object = try? FlatObject(scanning: response.body) else {
            return .nothing(
                Unreached(.captive, "The answer (\(status)) is no JSON, so it is not the license server's."))
        }
        return .said(status: status, object)
    }
}

/// What came back from a license server, before its dialect is looked at.
package enum Reply: Sendable {
    /// A JSON object, with a status that may mean something: 200...299, or 400...499 but for 408 and 429.
    case said(status: Int, FlatObject)
    /// Nothing that may change a state.
    case nothing(Unreached)
}

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
