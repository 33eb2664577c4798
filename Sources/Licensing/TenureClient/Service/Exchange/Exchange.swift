package import TenureCore
package import TenureFormats
package import TenureHTTP
package import TenureHTTPClient
import TenureThreads

/// Sends requests to a license server, and distinguishes responses that may change the license's state from all others.
///
/// It never repeats a request. ``RefreshPolicy`` decides when to try again and takes the server's `Retry-After` into
/// account.
package struct Exchange: Sendable {
    let transport: any HTTPTransport
    let now: @Sendable () -> Timestamp

    /// Creates an exchange that sends its requests over a transport.
    ///
    /// `now` is only used for a `Retry-After` date in a response without a `Date`.
    package init(_ transport: any HTTPTransport, now: @escaping @Sendable () -> Timestamp) {
        self.transport = transport
        self.now = now
    }

    /// Sends a request once.
    ///
    /// Statuses 408, 429 and 5xx, redirects, bodies other than a JSON object, and failed transfers give
    /// ``Reply/nothing(_:)``; see `Documentation/client.md`.
    package func send(_ request: OutgoingRequest) async -> Reply {
        do throws(TransportError) {
            return read(try await transport.send(request))
        } catch {
            return .nothing(RequestFailure(error))
        }
    }

    private func read(_ response: Response) -> Reply {
        let status = response.status
        switch status {
        case 300...399, 511:
            return .nothing(
                RequestFailure(
                    .captive, "Something between the app and the license server responded with status \(status).")
            )
        case 408, 429, 500...599:
            let wait = RetryAfter.seconds(in: response.headers, now: now())
            return .nothing(
                RequestFailure(
                    .busy, "The license server can't respond right now (status \(status)).", retryAfter: wait,
                    code: Self.code(in: response.body.bytes)))
        default: break
        }
        guard let object = try? FlatObject(scanning: response.body.bytes) else {
            return .nothing(
                RequestFailure(.captive, "The response (\(status)) isn't JSON, so it isn't from the license server."))
        }
        return .said(status: status, object)
    }
}

extension Exchange {
    /// The license server's `code` in a body; `nil` if the body has none, such as a proxy's error page.
    private static func code(in body: [UInt8]) -> String? {
        guard let code = try? FlatObject(scanning: body).string("code").value, ToldReason.isCode(code) else {
            return nil
        }
        return code
    }
}

/// A server's response before its dialect is interpreted.
package enum Reply: Sendable {
    /// A JSON object with a meaningful status: 2xx, or 4xx except 408 and 429.
    case said(status: Int, FlatObject)
    /// No response that may change the license's state, for this reason.
    case nothing(RequestFailure)
}

/// The system's HTTP transport, created with the first request.
///
/// Creating it takes milliseconds, which would delay the main actor, where managers are created.
package final class LazyTransport: HTTPTransport {
    private let cachedTransport = Monitor<(any HTTPTransport)?>(nil)
    private let options: TransportOptions

    /// Stores the options without creating a transport.
    package init(_ options: TransportOptions) { self.options = options }

    package func send(_ request: OutgoingRequest) async throws(TransportError) -> Response {
        try await transport().send(request)
    }

    private func transport() throws(TransportError) -> any HTTPTransport {
        try cachedTransport.withLock { cached throws(TransportError) in
            if let cached { return cached }
            let transport = try HTTPTransports.system(options)
            cached = transport
            return transport
        }
    }
}
