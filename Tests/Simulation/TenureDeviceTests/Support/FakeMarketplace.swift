import Synchronization
import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureHTTPClient
import TenureMarketplace

@testable import TenureDevice

/// A marketplace inside the test process. It responds as the protocol requires, or as a test's rules require.
final class FakeMarketplace: HTTPStreaming {
    /// The responses and faults of the marketplace, which a test can change.
    struct Rules: Sendable {
        var days: UInt64 = 30
        var ineligible: Set<UInt64> = []
        var unlicensed: Set<UInt64> = []
        var isDown = false
        var hasResolution = true
        var requestIDShift: UInt64 = 0
        var deviceIDSuffix: [UInt8] = []
        /// The number of the signing key in use, 0 or 1. The configuration names the key `named`.
        var signing = 0
        var named = 0
        var status = 200
        /// Files by path, in addition to the endpoints.
        var files: [String: File] = [:]
        /// Responses of endpoints, by the last component of their paths.
        var answers: [String: Response] = [:]
        /// The only accepted bearer token; `nil` accepts any, and requests without one.
        var bearer: String?
        /// The polling intervals, in hours, of apps with their own configuration and license endpoint.
        var ownIntervals: [AppleItemID: Int64] = [:]
        /// The last component of the update endpoint of those apps.
        var ownUpdates = "updates"
        /// A bearer token that every endpoint refuses.
        var refusedBearer: String?
    }

    /// A file and how it is served.
    struct File: Sendable {
        var bytes: [UInt8]
        var tag = "\"one\""
        /// Cuts each response after this many bytes, as a broken proxy does.
        var cut = Int.max
        /// Whether range requests get a partial response.
        var knowsRanges = true
        /// The response that is sent instead of the file.
        var instead: Response?
        /// Bytes that are sent repeatedly after the file's end, until the client stops reading.
        var endless: [UInt8] = []
    }

    private struct State {
        var rules = Rules()
        var requests: [OutgoingRequest] = []
        var opened: [SimulatedAppLicenseRequest] = []
        var nextID: UInt64 = 100
        var items: [UInt64: UInt64] = [:]
    }

    private let state = Mutex(State())
    private static let keys = (0..<2).map { _ in Result { try RSA.PrivateKey.generate() } }

    /// Returns the key and certificate with this number. The first pair is also used for encryption.
    private static func keyed(_ number: Int) throws -> (RSA.PrivateKey, X509Certificate) {
        let key = try keys[number].get()
        let certificate = try certificates[number].get()
        return (key, certificate)
    }

    private static let certificates = keys.enumerated().map { number, key in
        Result {
            try X509Certificate.selfSigned(
                commonName: "key \(number)", usage: .signing, key: key.get(), notBefore: 0, validSeconds: 1 << 36)
        }
    }

    func change(_ body: (inout Rules) -> Void) {
        state.withLock { body(&$0.rules) }
    }

    /// The last path components of all requests.
    var paths: [String] { state.withLock { $0.requests.map { String($0.url.split(separator: "/").last ?? "") } } }

    var requests: [OutgoingRequest] { state.withLock(\.requests) }

    /// The decrypted license requests.
    var opened: [SimulatedAppLicenseRequest] { state.withLock(\.opened) }

    func send(_ request: OutgoingRequest) async throws(TransportError) -> Response {
        let rules = state.withLock { state in
            state.requests.append(request)
            return state.rules
        }
        if rules.isDown { throw TransportError(.couldNotConnect, "nobody listens") }
        do {
            return try answer(request, rules)
        } catch {
            return Response(status: 500, body: Array("\(error)".utf8))
        }
    }

    func stream(
        _ request: OutgoingRequest, limit: Int, timeout: Duration, into sink: HTTPSink
    ) async throws(TransportError) -> Response {
        var answer = try await send(request)
        let file = file(at: request.url)
        let body = answer.body.bytes
        answer.body = .bytes([])
        guard sink.begin(answer) else { return answer }
        for start in stride(from: 0, to: min(body.count, file?.cut ?? .max), by: 700) {
            guard sink.take(Array(body[start..<min(start + 700, body.count, file?.cut ?? .max)])) else { return answer }
        }
        if let file, file.cut < body.count { throw TransportError(.interrupted, "cut.") }
        if let more = file?.endless, !more.isEmpty { while sink.take(more) {} }
        return answer
    }

    private func file(at url: String) -> File? {
        let path = url.split(separator: "/", maxSplits: 2).last.map { "/" + $0 } ?? ""
        return state.withLock { $0.rules.files[path] }
    }

    private static func serve(_ file: File, _ request: OutgoingRequest) -> Response {
        if let instead = file.instead { return instead }
        let range = request.headers["Range"].flatMap { Int($0.dropFirst(6).dropLast()) }
        let isSame = request.headers["If-Range"].map { $0 == file.tag } ?? true
        guard let range, isSame, file.knowsRanges else {
            return Response(status: 200, headers: ["ETag": file.tag], body: file.bytes)
        }
        let headers: Headers = [
            "Content-Range": "bytes \(range)-\(file.bytes.count - 1)/\(file.bytes.count)", "ETag": file.tag,
        ]
        return Response(status: 206, headers: headers, body: Array(file.bytes[range...]))
    }

    private func answer(_ request: OutgoingRequest, _ rules: Rules) throws -> Response {
        if let file = file(at: request.url) { return Self.serve(file, request) }
        let path = request.url.split(separator: "/").last ?? ""
        if path.hasPrefix("restore"), let bearer = rules.bearer, request.headers["Authorization"] != "Bearer \(bearer)"
        {
            return Response(status: 403, body: Array(#"{"code":"token_invalid"}"#.utf8))
        }
        if let refused = rules.refusedBearer, request.headers["Authorization"] == "Bearer \(refused)" {
            return Response(status: 403, body: Array(#"{"code":"token_invalid"}"#.utf8))
        }
        if let answer = rules.answers[String(path)] { return answer }
        switch path {
        case "marketplace-kit": return Response(status: 200, body: configuration(rules))
        case "0.cer", "1.cer":
            return Response(status: 200, body: try Self.keyed(path == "0.cer" ? 0 : 1).1.der)
        case "licenses", "own-licenses", "renew":
            guard rules.status == 200 else {
                return Response(status: rules.status, body: Array(#"{"detail":"Not today."}"#.utf8))
            }
            return Response(status: 200, body: try license(request, rules))
        default: return Response(status: 200, body: Array("<h1>Your license</h1><p>Tom &amp; Ada</p>".utf8))
        }
    }

    private func configuration(_ rules: Rules) -> [UInt8] {
        JSONWriter.object { body in
            configure(&body, "https://127.0.0.1/licenses", "updates", 24, rules)
            guard !rules.ownIntervals.isEmpty else { return }
            body.object("overridesByAppleItemID") { list in
                for (item, hours) in rules.ownIntervals {
                    list.object(item.description) { body in
                        configure(&body, "https://127.0.0.1/shop/own-licenses", rules.ownUpdates, hours, rules)
                    }
                }
            }
        }
    }

    private func configure(
        _ body: inout JSONObjectWriter, _ licenses: String, _ updatePath: String, _ hours: Int64, _ rules: Rules
    ) {
        body.object("license") { license in
            license.member("dynamicLicenseURL", licenses)
            license.member("licenseRenewalURL", "https://127.0.0.1/licenses/renew")
            if rules.hasResolution { license.member("licenseResolutionURL", "https://127.0.0.1/resolve") }
            license.member("signingCertificateURL", "https://127.0.0.1/\(rules.named).cer")
            license.member("encryptionCertificateURL", "https://127.0.0.1/0.cer")
        }
        body.member("restore", "https://127.0.0.1/restore")
        body.object("updates") { updates in
            updates.member("url", "https://127.0.0.1/\(updatePath)")
            updates.member("pollingInterval", hours)
        }
    }

    private func license(_ request: OutgoingRequest, _ rules: Rules) throws -> [UInt8] {
        let body = try FlatObject(scanning: request.body ?? [])
        let text = body.string("licenseRequest").value ?? body.string("renewalRequest").value ?? ""
        let envelope = RequestEnvelope(request: text, requestKey: body.string("licenseKey").value ?? "")
        let opened = try envelope.open(with: [try Self.keyed(0).0]) { try SimulatedAppLicenseRequest(json: $0) }
        let requested = state.withLock { state in
            state.opened.append(opened)
            if opened.action == .renew { return opened.licenseIDs.map { ($0, state.items[$0] ?? 0) } }
            return opened.appleItemIDs.filter { !rules.unlicensed.contains($0) }.map { item in
                state.nextID += 1
                state.items[state.nextID] = item
                return (state.nextID, item)
            }
        }
        let answer = SimulatedAppLicense(
            requestID: opened.requestID &+ rules.requestIDShift, deviceID: opened.deviceID + rules.deviceIDSuffix,
            licenses: requested.filter { !rules.ineligible.contains($0.0) }.map { id, item in
                .init(
                    licenseID: id, issuedTime: opened.requestTime, duration: rules.days * 86_400,
                    appKeys: [.init(appleItemID: item, keyBlobSHA256: SHA256.hash([]))])
            })
        let (key, certificate) = try Self.keyed(rules.signing)
        let input = answer.signingInput(certificateSHA256: certificate.sha256)
        let document = input.compact(signature: try key.sign(input.bytes))
        return JSONWriter.object { body in
            body.member("license", Base64.encode(document))
            if opened.action == .create {
                body.member("unlicensedApps", rules.unlicensed.map { String($0) })
            } else {
                body.member("ineligibleLicenses", rules.ineligible.map { String($0) })
            }
        }
    }
}
