import Synchronization
import TenureHTTPClient
import TenureServerKit

/// Sends outbound requests with libcurl, without redirects, cookies or proxies.
///
/// Without a proxy, the addresses that it connects to can be checked. Requests that may reach every address and
/// requests to public addresses use separate connection pools, so that no connection escapes the check.
final class WebOutbound: Outbound {
    private let open: any HTTPStreaming
    private let guarded: any HTTPStreaming
    private let destinations: Set<OutboundRequest.Destination>

    /// - Parameter destinations: The hosts and ports that may be reached besides the public internet.
    init(allowing destinations: Set<OutboundRequest.Destination> = []) throws(TransportError) {
        self.destinations = destinations
        var options = TransportOptions()
        options.proxy = .none
        options.stallTimeout = .seconds(30)
        open = try HTTPTransports.streaming(options)
        options.reachesPublicAddressesAlone = true
        guarded = try HTTPTransports.streaming(options)
    }

    func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundAnswer {
        let body = Gathered()
        let answer = try await fetch(request, begin: { _ in true }, take: { body.add($0) })
        return OutboundAnswer(status: answer.status, fields: answer.fields, body: body.bytes)
    }

    func fetch(
        _ request: OutboundRequest, begin: @escaping @Sendable (OutboundAnswer) -> Bool,
        take: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(OutboundError) -> OutboundAnswer {
        let transport = try request.needsPublicAddress(besides: destinations) ? guarded : open
        var sent = HTTPRequest(method: request.method, url: request.url, body: request.body)
        for (name, value) in request.fields { sent.fields.add(name, value) }
        do throws(TransportError) {
            let answer = try await transport.stream(
                sent, limit: Int(clamping: request.limit), timeout: .seconds(request.seconds),
                into: HTTPSink(begin: { begin(OutboundAnswer($0)) }, take: take))
            return OutboundAnswer(answer)
        } catch {
            throw OutboundError(error)
        }
    }
}

extension OutboundAnswer {
    fileprivate init(_ answer: HTTPResponse) {
        self.init(status: answer.status, fields: answer.fields.fields.map { ($0.name, $0.value) }, body: answer.body)
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
        let remedy = error.code == .addressRefused ? " " + OutboundRequest.remedy : ""
        self.init(kind, error.message + remedy)
    }
}

/// A response's body.
private final class Gathered: Sendable {
    private let body = Mutex<[UInt8]>([])

    var bytes: [UInt8] { body.withLock { $0 } }

    func add(_ bytes: [UInt8]) -> Bool {
        body.withLock { $0 += bytes }
        return true
    }
}
