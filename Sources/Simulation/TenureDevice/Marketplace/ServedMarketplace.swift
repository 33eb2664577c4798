import Synchronization
import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureHTTPClient
import TenureMarketplaceClient

/// A marketplace as devices see it: its endpoints, and its cached configuration and certificates.
///
/// Any number of devices may share one instance.
final class ServedMarketplace: Sendable {
    private struct Known {
        var configuration: ServedConfiguration?
        var certificates: [String: X509Certificate] = [:]
    }

    let address: ServerAddress
    private let transport: any HTTPStreaming
    private let cache = Mutex(Known())

    /// Creates a marketplace without a cached configuration.
    ///
    /// - Parameter certificates: Certificates that a device has stored, as DER, by their URLs.
    init(
        _ address: ServerAddress, transport: any HTTPStreaming, certificates: [String: [UInt8]] = [:]
    ) {
        self.address = address
        self.transport = transport
        cache.withLock { $0.certificates = certificates.compactMapValues { try? X509Certificate($0) } }
    }

    /// The cached certificates as DER, by their URLs, for a device to store.
    var certificates: [String: [UInt8]] {
        cache.withLock { $0.certificates.mapValues(\.der) }
    }

    /// Discards the configuration, so that it's fetched again; certificates stay cached, because each has its own URL.
    func forgetConfiguration() {
        cache.withLock { $0.configuration = nil }
    }

    /// Returns the configuration, which is fetched once and then cached.
    func configuration() async throws(DeviceError) -> ServedConfiguration {
        if let configuration = cache.withLock(\.configuration) { return configuration }
        let answer = try await send(.get("https://\(address.domain)/.well-known/marketplace-kit"))
        guard answer.status == 200 else { throw DeviceError(answer, to: "The request for the configuration") }
        let configuration = try ServedConfiguration(json: answer.body.bytes)
        cache.withLock { $0.configuration = configuration }
        return configuration
    }

    /// Returns the certificate at a URL, which is fetched once and then cached.
    func certificate(_ url: String) async throws(DeviceError) -> X509Certificate {
        if let certificate = cache.withLock({ $0.certificates[url] }) { return certificate }
        let answer = try await send(.get(url))
        guard answer.status == 200 else { throw DeviceError(answer, to: "The request for a certificate") }
        guard let certificate = try? X509Certificate(answer.body.bytes) else {
            throw DeviceError(.badAnswer, "The response from \(url) isn't a certificate with an RSA key.")
        }
        cache.withLock { $0.certificates[url] = certificate }
        return certificate
    }

    /// Discards a cached certificate, because it may be outdated.
    func forgetCertificate(_ url: String) {
        cache.withLock { $0.certificates[url] = nil }
    }

    /// Sends a request; a URL of the marketplace's domain is mapped to the server's address.
    func send(_ request: OutgoingRequest) async throws(DeviceError) -> Response {
        do throws(TransportError) {
            return try await transport.send(reachable(request))
        } catch {
            throw DeviceError(.unreachable, error.message)
        }
    }

    /// Sends a request as ``send(_:)`` does, and streams the response's body into a sink.
    func stream(
        _ request: OutgoingRequest, limit: Int, timeout: Duration, into sink: HTTPSink
    ) async throws(DeviceError) -> Response {
        do throws(TransportError) {
            return try await transport.stream(reachable(request), limit: limit, timeout: timeout, into: sink)
        } catch {
            throw DeviceError(.unreachable, error.message)
        }
    }

    private func reachable(_ request: OutgoingRequest) -> OutgoingRequest {
        guard address.isOwn(request.url) else { return request }
        var request = request
        request.url = address.reachable(request.url)
        if address.isRenamed { request.headers.add("Host", address.domain) }
        return request
    }

    /// Returns the `Authorization` field for a URL; no fields if the token must not be sent there.
    ///
    /// The token is sent only to the marketplace's domain and to the hosts that its configuration names.
    func credentials(for url: String, of requester: RequestingDevice) async throws(DeviceError) -> Headers {
        guard let token = requester.access else { return [:] }
        if address.isOwn(url) { return .bearer(token) }
        let headers = RequestHeaders(domain: address.domain, configuration: try await configuration().urls)
        return headers.isOwn(url) ? .bearer(token) : [:]
    }
}

extension Headers {
    /// Returns the `Authorization` field with a token; no fields if the token is `nil`.
    static func bearer(_ token: String?) -> Headers {
        token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
    }
}

extension DeviceError {
    /// Creates an error from a response other than 200, with the sentence of its problem document if there is one.
    init(_ answer: Response, to what: String) {
        let detail = ServerProblem(answer).sentence
        let hint: String? =
            switch answer.status {
            case 401:
                "The marketplace requires an account. Add one with `tenure device new --account ID --token-file FILE`."
            case 403: "The account's token isn't accepted. Create a new one with `tenure account token`."
            case 404: "Check the marketplace's address."
            default: nil
            }
        let words = [detail ?? hint, detail == nil ? nil : hint].compactMap(\.self)
        self.init(
            .refused, (["\(what) failed with status \(answer.status)."] + words).joined(separator: " "),
            problem: ServerProblem(answer))
    }
}

extension Response {
    /// Whether the body is a JSON object, whatever its media type.
    ///
    /// If so, the marketplace itself responded, not a proxy with an HTML page.
    var isJSON: Bool { (try? FlatObject(scanning: body.bytes)) != nil }
}

extension ServerProblem {
    /// Reads an error response; long texts are cut, because they may come from any server.
    init(_ answer: Response) {
        let problem = try? FlatObject(scanning: answer.body.bytes)
        let sentence = problem?.string("detail").value ?? problem?.string("title").value
        self.init(
            status: answer.status, code: problem?.string("code").value.map { String($0.prefix(64)) },
            sentence: sentence.map { String($0.prefix(300)) })
    }
}
