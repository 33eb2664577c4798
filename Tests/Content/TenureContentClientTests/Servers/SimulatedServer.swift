import Foundation
import TenureClient
import TenureContent
import TenureContentClient
import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureHTTPClient

/// A content server without a network, which uses the production rules and wire format. Tests control what happens on
/// the way.
final class SimulatedServer: HTTPTransport, @unchecked Sendable {
    // Sendable because `lock` guards `content` and `weather`.
    private let lock = NSLock()
    private var content = SimulatedContent()
    private var weather = Weather.clear
    private var stale: (nonce: String, answer: Response)?
    private var hook: (@Sendable (OutgoingRequest) -> Void)?
    private var other: (@Sendable (OutgoingRequest, Response) -> Response)?
    private var gate: (path: String, opens: AsyncStream<Void>)?
    private var holding = false
    private var requests: [String] = []
    let clock: SettableClock

    /// The state of the network between device and server.
    enum Weather: Sendable { case clear, noNetwork, portal, redirect, staleTime, overloaded, lostAnswers }

    init(_ clock: SettableClock) { self.clock = clock }

    @discardableResult
    func with<Value>(_ body: (inout SimulatedContent) throws -> Value) rethrows -> Value {
        try lock.withLock { try body(&content) }
    }

    func set(_ weather: Weather) { lock.withLock { self.weather = weather } }

    /// Calls the hook with each request before it is answered.
    func watch(_ hook: (@Sendable (OutgoingRequest) -> Void)?) { lock.withLock { self.hook = hook } }

    /// Replaces the server's responses; `nil` restores them.
    func answer(_ other: (@Sendable (OutgoingRequest, Response) -> Response)?) {
        lock.withLock { self.other = other }
    }

    /// Holds requests whose path ends with `path` until the returned continuation is finished.
    func hold(_ path: String = "/renewals") -> AsyncStream<Void>.Continuation {
        let (stream, opener) = AsyncStream<Void>.makeStream()
        lock.withLock { gate = (path, stream) }
        return opener
    }

    /// Returns the number of requests so far whose path ends with `path`.
    func count(_ path: String) -> Int { lock.withLock { requests.count { $0.hasSuffix(path) } } }

    var isHolding: Bool { lock.withLock { holding } }

    func send(_ request: OutgoingRequest) async throws(TransportError) -> Response {
        if let gate = lock.withLock({ gate }), request.url.hasSuffix(gate.path) {
            lock.withLock { holding = true }
            for await _ in gate.opens {}
            if Task.isCancelled { throw TransportError(.cancelled, "The request was cancelled.") }
        }
        lock.withLock { requests.append(request.url.split(separator: "?").first.map(String.init) ?? "") }
        lock.withLock { hook }?(request)
        switch lock.withLock({ weather }) {
        case .clear:
            let answer = answer(request)
            return lock.withLock { other }?(request, answer) ?? answer
        case .noNetwork: throw TransportError(.couldNotConnect, "There is no network.")
        case .portal: return Response(status: 200, body: Array("<html>Welcome to the airport</html>".utf8))
        case .redirect: return Response(status: 302, headers: ["Location": "https://portal.example"])
        case .overloaded: return Response(status: 503, headers: ["Retry-After": "1"])
        case .lostAnswers:
            _ = answer(request)
            throw TransportError(.interrupted, "The connection broke.")
        case .staleTime:
            if request.url.contains("/time?") {
                if let stale = lock.withLock({ stale }) { return stale.answer }
                let old = answer(request)
                lock.withLock { stale = ("", old) }
                return Response(status: 503)
            }
            return answer(request)
        }
    }

    private func answer(_ request: OutgoingRequest) -> Response {
        let path = request.url.components(separatedBy: "/content/acme/v1/").last ?? ""
        if path.hasPrefix("time?nonce=") { return time(String(path.dropFirst(11))) }
        guard let token = request.headers["Authorization"]?.dropFirst(7), token.hasPrefix("t-") else {
            return Self.problem(401, "token_invalid")
        }
        if token == "t-old" { return Self.problem(401, "token_expired") }
        let holder = String(token.dropFirst(2).prefix { $0 != "." })
        let body = request.body.flatMap { try? FlatObject(scanning: $0) }
        return lock.withLock {
            switch (request.method, path) {
            case ("GET", "contents"): list(holder)
            case ("POST", "licenses"): license(holder, body)
            case ("POST", "renewals"): renewals(holder, body)
            case ("POST", "usage"): usage(holder, body)
            case ("POST", _) where path.hasSuffix("/return"): giveBack(holder, path, body)
            default: Self.problem(404, "not_found")
            }
        }
    }

    private func time(_ nonce: String) -> Response {
        guard let time = ContentTime(tenant: Given.tenant, nonce: nonce, at: clock.truth) else {
            return Self.problem(422, "field_invalid")
        }
        return Self.json { $0.member("time", String(decoding: time.signed(kid: "k1", with: Given.key), as: UTF8.self)) }
    }

    private func list(_ holder: String) -> Response {
        Self.json { body in
            body.array("contents") { list in
                for enrolment in content.enrolments.values.sorted(by: { $0.id < $1.id })
                where enrolment.holder == holder {
                    guard case .content(let content) = enrolment.scope else { continue }
                    list.object {
                        $0.member("content", content.text)
                        $0.member("title", "Title of \(content)")
                        $0.null("course")
                        $0.array("reasons") { list in
                            guard let obstacle = enrolment.obstacle(at: clock.truth) else { return }
                            list.object { $0.reason(obstacle) }
                        }
                    }
                }
            }
            body.null("cursor")
        }
    }

    private func license(_ holder: String, _ body: FlatObject?) -> Response {
        guard let request = body?.string("requestId").value,
            let content = body?.string("content").value.flatMap({ ContentID($0) })
        else { return Self.problem(422, "field_invalid") }
        let answer = self.content.issue(holder, Given.device, content, request: request, at: clock.truth)
        if answer.outcome == .refused { return Self.problem(403, answer.reasons) }
        return Self.json { self.item(answer, request, into: &$0) }
    }

    private func renewals(_ holder: String, _ body: FlatObject?) -> Response {
        guard let body, let request = body.string("requestId").value, let when = body.string("when").value,
            let items = body.objects("items").value, (1...100).contains(items.count)
        else { return Self.problem(422, "field_invalid") }
        let now = clock.truth
        let usage = (body.objects("usage").value ?? []).compactMap(SessionReport.init(reading:))
        let refused = content.settle(usage, holder, at: now)
        content.requestedItems.append(
            items.map { item in
                item.string("license").value.flatMap { ContentLicenseID(text: $0) }
                    .flatMap { content.licenses[$0]?.present.content.text } ?? "?"
            })
        var answers: [ContentAnswer] = []
        for item in items {
            guard let id = item.string("license").value.flatMap({ ContentLicenseID(text: $0) }),
                let version = item.integer("version").value
            else { return Self.problem(422, "field_invalid") }
            let grant = item.string("grant").value.flatMap { text in
                try? UnverifiedContentGrant(compact: Array(text.utf8)).verify(
                    of: Given.tenant, trusting: TrustedKeys(pinned: ["k1": Given.key.publicKey]))
            }
            let renewal = ContentRenewal(
                version: version, isAlways: when == "always", grant: grant, request: request)
            answers.append(content.renew(id, renewal, holder, Given.device, at: now))
        }
        return Self.json { body in
            body.array("items") { list in
                for answer in answers { list.object { self.item(answer, request, into: &$0) } }
            }
            self.settled(Set(answers.compactMap { $0.license?.id } + usage.map(\.license)), refused, into: &body)
        }
    }

    private func usage(_ holder: String, _ body: FlatObject?) -> Response {
        let usage = (body?.objects("usage").value ?? []).compactMap(SessionReport.init(reading:))
        guard usage.count <= 500 else { return Self.problem(422, "field_invalid") }
        let refused = content.settle(usage, holder, at: clock.truth)
        return Self.json { self.settled(Set(usage.map(\.license)), refused, into: &$0) }
    }

    private func giveBack(_ holder: String, _ path: String, _ body: FlatObject?) -> Response {
        let parts = path.split(separator: "/")
        guard parts.count == 3, let id = ContentLicenseID(text: parts[1]), let license = content.licenses[id],
            license.holder == holder, let request = body?.string("requestId").value
        else { return Self.problem(404, "content_license_unknown") }
        content.stop(id, .returned, at: clock.truth)
        let reasons = [Reason(.contentLicenseReturned)]
        let answer = ContentAnswer(outcome: .terminal, license: content.licenses[id], reasons: reasons)
        return Self.json { self.item(answer, request, into: &$0) }
    }

    private func settled(_ licenses: Set<ContentLicenseID>, _ refused: [Int], into body: inout JSONObjectWriter) {
        body.array("settled") { list in
            for license in licenses.sorted() {
                list.object {
                    $0.member("license", license.description)
                    $0.member("sequence", content.licenses[license]?.settled ?? 0)
                    guard let existing = content.licenses[license] else { return }
                    $0.member("version", existing.version)
                    $0.object("used") {
                        $0.member("plays", existing.used.plays)
                        $0.member("playSeconds", existing.used.playSeconds)
                    }
                }
            }
        }
        body.array("refused") { list in
            for index in refused {
                list.object {
                    $0.member("index", index)
                    $0.member("code", "content_license_unknown")
                }
            }
        }
        body.member("serverTime", clock.truth.seconds)
    }

    private func item(_ answer: ContentAnswer, _ request: String, into body: inout JSONObjectWriter) {
        let license = answer.license
        body.member("license", license?.id.description)
        body.member("content", license?.present.content.text)
        body.member("version", license?.version)
        body.member("outcome", answer.outcome.rawValue)
        if let grant = answer.grant {
            body.member("grant", String(decoding: grant.signed(kid: "k1", with: Given.key), as: UTF8.self))
        }
        if let no = ContentRefusal(answer, to: request, at: clock.truth) {
            body.member("refusal", String(decoding: no.signed(kid: "k1", with: Given.key), as: UTF8.self))
        }
        body.array("reasons") { list in
            for reason in answer.reasons { list.object { $0.reason(reason) } }
        }
        body.member("settled", license?.settled)
        body.object("used") {
            $0.member("plays", license?.used.plays ?? 0)
            $0.member("playSeconds", license?.used.playSeconds ?? 0)
        }
    }

    /// Adds a token to the responses of requests whose path ends with `path`.
    func give(token: String, with path: String) {
        answer { request, real in
            let requests = request.url.split(separator: "?").first ?? ""
            guard requests.hasSuffix(path), let end = real.body.bytes.lastIndex(of: UInt8(ascii: "}")) else {
                return real
            }
            return Response(status: real.status, body: real.body.bytes[..<end] + Array(#","token":"\#(token)"}"#.utf8))
        }
    }

    static func json(_ body: (inout JSONObjectWriter) -> Void) -> Response {
        Response(status: 200, body: JSONWriter.object(body))
    }

    static func problem(_ status: Int, _ code: String) -> Response {
        problem(status, [Reason(Reason.Kind(code, "No: \(code).", cure: "", since: "0.1"))])
    }

    private static func problem(_ status: Int, _ reasons: [Reason]) -> Response {
        Response(
            status: status,
            body: JSONWriter.object { body in
                body.member("code", reasons.first?.code.text)
                body.array("reasons") { list in
                    for reason in reasons { list.object { $0.reason(reason) } }
                }
            })
    }
}

extension SessionReport {
    fileprivate init?(reading object: FlatObject) {
        guard let license = object.string("license").value.flatMap({ ContentLicenseID(text: $0) }),
            let session = object.string("session").value.flatMap({ PlaySessionID(text: $0) }),
            let version = object.integer("version").value, let sequence = object.integer("sequence").value,
            let startedAt = object.integer("startedAt").value, let seconds = object.integer("playSeconds").value,
            let counted = object.boolean("counted").value, let ended = object.boolean("ended").value
        else { return nil }
        self.init(
            license: license, version: version, session: session, sequence: sequence,
            startedAt: Timestamp(seconds: startedAt), playSeconds: seconds, isCounted: counted, isEnded: ended)
    }
}
