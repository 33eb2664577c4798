import Synchronization
import TenureHTTP
import TenureHTTPClient
import TenureServerKit

/// Sends outbound requests with libcurl, without redirects, cookies or proxies.
///
/// Because it uses no proxy, the addresses that it connects to can be checked. Requests that may reach every address
/// and requests to public addresses use separate connection pools, so that no connection escapes the check.
final class WebOutbound: Outbound {
    private let open: any HTTPStreaming
    private let guarded: any HTTPStreaming
    private let destinations: Set<OutboundLimits.Destination>

    /// - Parameter destinations: The hosts and ports that may be reached besides the public internet.
    init(allowing destinations: Set<OutboundLimits.Destination> = []) throws(TransportError) {
        self.destinations = destinations
        var options = TransportOptions()
        options.proxy = .none
        options.stallTimeout = .seconds(30)
        open = try HTTPTransports.streaming(options)
        options.reachesPublicAddressesAlone = true
        guarded = try HTTPTransports.streaming(options)
    }

    func send(_ request: OutgoingRequest, within limits: OutboundLimits) async throws(OutboundError) -> Response {
        let body = ReceivedBody()
        var response = try await fetch(request, within: limits, begin: { _ in true }, take: { body.add($0) })
        response.body = .bytes(body.bytes)
        return response
    }

    func fetch(
        _ request: OutgoingRequest, within limits: OutboundLimits, begin: @escaping @Sendable (Response) -> Bool,
        take: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(OutboundError) -> Response {
        let transport = try limits.needsPublicAddress(for: request, besides: destinations) ? guarded : open
        do throws(TransportError) {
            return try await transport.stream(
                request, limit: Int(clamping: limits.size), timeout: .seconds(limits.seconds),
                into: HTTPSink(begin: begin, take: take))
        } catch {
            throw OutboundError(error)
        }
    }
}

extension OutboundError {
    fileprivate init(_ error: TransportError) {
        let kind: Kind =
            switch error.code {
            case .badURL, .addressRefused: .forbidden
            case .tooLarge: .tooLong
            case .cancelled: .cancelled
            default: .unreachable
            }
        let remedy = error.code == .addressRefused ? " " + OutboundLimits.remedy : ""
        self.init(kind, error.message + remedy)
    }
}

/// The part of a response's body that has been received.
private final class ReceivedBody: Sendable {
    private let body = Mutex<[UInt8]>([])

    var bytes: [UInt8] { body.withLock { $0 } }

    func add(_ bytes: [UInt8]) -> Bool {
        body.withLock { $0 += bytes }
        return true
    }
}
