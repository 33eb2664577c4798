import Foundation
import Synchronization
import TenureCore
import TenureHTTP
import TenureServerKit
import TenureStore
import TenureTesting
import TenureThreads
import Testing

@Suite struct `The requestHandler` {
    /// A catalog whose newest stored version hasn't been read yet.
    final class Catalog: CatalogSource {
        private let state: Mutex<(read: Int64, stored: Int64)>
        let changesEachTime: Bool
        let store: any Store = NoStore()

        init(read: Int64 = 1, stored: Int64 = 1, changesEachTime: Bool = false) {
            state = Mutex((read, stored))
            self.changesEachTime = changesEachTime
        }

        var current: Int64 { state.withLock { $0.read } }

        func refreshIfChanged() async throws(ServerError) -> Int64 {
            state.withLock { state in
                if changesEachTime { state.stored += 1 }
                state.read = state.stored
                return state.read
            }
        }

        static func version(of snapshot: Int64) -> Int64 { snapshot }
    }

    final class Lines: Log {
        let lines = Mutex<[LogLine]>([])
        func write(_ line: LogLine) { lines.withLock { $0.append(line) } }
    }

    let metrics = Metrics()
    let log = Lines()

    func send(
        to endpoint: Endpoint<Int64>, under catalog: Catalog = Catalog(), headers: Headers = [:]
    ) async -> Response {
        let requestHandler = RequestHandler(
            [endpoint], under: catalog, metrics: metrics, log: log, stopwatch: { 0 }, otherwise: Router.plainText)
        return await requestHandler.respond(to: Request(method: "GET", path: "/", headers: headers, id: "r1"))
    }

    func endpoint(
        _ freshness: Endpoint<Int64>.Freshness, _ style: ResponseFormat = .problem,
        authentication: Authentication<Int64, Int64> = Authentication { _, _, snapshot in snapshot },
        _ answer: @escaping @Sendable (Int64) async throws -> Endpoint<Int64>.Conclusion
    ) -> Endpoint<Int64> {
        Endpoint("GET", "/", style, freshness, authentication: authentication, reads: .none) {
            try await answer($0.caller)
        }
    }

    /// An endpoint whose action only reads.
    func reading(
        _ freshness: Endpoint<Int64>.Freshness,
        authentication: Authentication<Int64, Int64> = Authentication { _, _, snapshot in snapshot },
        _ answer: @escaping @Sendable (Int64, inout StoreReads) throws -> Endpoint<Int64>.Conclusion
    ) -> Endpoint<Int64> {
        Endpoint("GET", "/", .problem, freshness, authentication: authentication, reads: .none) {
            try answer($0.caller, &$1)
        }
    }

    func text(_ response: Response) -> String { String(decoding: response.body.bytes, as: UTF8.self) }

    @Test(arguments: [("kept", "1"), ("checked", "2")]) func `a request works with one catalog`(
        freshness: String, seen: String
    ) async {
        let response = await send(
            to: endpoint(freshness == "kept" ? .kept : .checked) { .done(.text("\($0)")) },
            under: Catalog(read: 1, stored: 2))
        #expect(text(response) == seen)
        let read = await send(
            to: reading(freshness == "kept" ? .kept : .checked) { snapshot, _ in .done(.text("\(snapshot)")) },
            under: Catalog(read: 1, stored: 2))
        #expect(text(read) == seen)
    }

    @Test func `an endpoint that only reads responds in place unless a read has to wait`() {
        for (freshness, isInPlace) in [(Endpoint<Int64>.Freshness.kept, true), (.read, true), (.checked, false)] {
            let requestHandler = RequestHandler(
                [reading(freshness) { _, _ in .done(.text("")) }], under: Catalog(), metrics: metrics, log: log,
                stopwatch: { 0 }, otherwise: Router.plainText)
            switch requestHandler.handle(Request(method: "GET", path: "/", id: "r1")) {
            case .response(let response): #expect(isInPlace && response.headers["X-Request-Id"] == "r1")
            case .pending: #expect(!isInPlace)
            }
        }
    }

    @Test(arguments: [("PROPPATCH", "PROPPATCH"), (String(repeating: "X", count: 4_000), "XXXXXXXXXXXXXXXX")])
    func `the log has at most 16 bytes of a method`(method: String, logged: String) async throws {
        let requestHandler = RequestHandler(
            [endpoint(.kept) { .done(.text("\($0)")) }], under: Catalog(), metrics: metrics, log: log,
            stopwatch: { 0 }, otherwise: Router.plainText)
        _ = await requestHandler.respond(to: Request(method: method, path: "/", headers: [:], id: "r1"))
        let line = try #require(log.lines.withLock { $0.last })
        guard case .text(let text)? = line.facts.first(where: { "\($0.name)" == "method" })?.value else {
            Issue.record("the log line has no method")
            return
        }
        #expect(text == logged)
    }

    @Test func `requests are told to the server as changes by their endpoint`() {
        let authentication = Authentication<Int64, Int64> { _, _, snapshot in snapshot }
        let endpoints: [Endpoint<Int64>] = [
            Endpoint("POST", "/change", .problem, .change, authentication: authentication, reads: .none) { _ in
                .done(.text(""))
            },
            Endpoint("GET", "/list", .problem, .checked, authentication: authentication, reads: .none) { _ in
                .done(.text(""))
            },
            Endpoint("POST", "/find", .problem, .kept, authentication: authentication, reads: .none) { _ in
                .done(.text(""))
            }
            .changing(false),
        ]
        let requestHandler = RequestHandler(
            endpoints, under: Catalog(), metrics: metrics, log: log, stopwatch: { 0 }, otherwise: Router.plainText)
        let requests = [
            ("POST", "/change", true), ("GET", "/list", false), ("POST", "/find", false), ("POST", "/unknown", true),
            ("GET", "/unknown", false), ("DELETE", "/list", false),
        ]
        for (method, path, expected) in requests {
            switch requestHandler.handle(Request(method: method, path: path, headers: [:], id: "r")) {
            case .pending(let isChange, _): #expect(isChange == expected, "\(method) \(path)")
            case .response: Issue.record("\(method) \(path) was answered in place")
            }
        }
    }

    @Test func `a server without a free place responds in the endpoint's format`() {
        let authentication = Authentication<Int64, Int64> { _, _, snapshot in snapshot }
        let requestHandler = RequestHandler(
            [
                Endpoint("POST", "/change", .problem, .change, authentication: authentication, reads: .none) { _ in
                    .done(.text(""))
                }
            ], under: Catalog(), metrics: metrics, log: log, stopwatch: { 0 }, otherwise: Router.plainText)
        let request = Request(method: "POST", path: "/change", headers: [:], id: "r")
        let response = requestHandler.answer(
            Rejection(status: 503, request: request, isHandled: false), with: .text("busy"))
        #expect(response.status == 503 && response.headers["Retry-After"] == "1")
        #expect(response.headers["Content-Type"] == "application/problem+json")
        #expect(response.headers["X-Request-Id"] == "r")
    }

    @Test(
        arguments: [
            (["gzip"], "gzip"), (["identity, BR"], "BR"), (["\u{600},gzip"], "\u{600}"), (["Identity"], nil),
            ([""], nil),
        ] as [([String], String?)]) func `a body in a content coding is refused with its name`(
            codings: [String], name: String?
        ) async
    {
        let requestHandler = RequestHandler(
            [endpoint(.kept) { .done(.text("\($0)")) }], under: Catalog(), metrics: metrics, log: log,
            stopwatch: { 0 }, otherwise: Router.plainText)
        var headers = Headers()
        for coding in codings { headers.add("Content-Encoding", coding) }
        let response = await requestHandler.respond(to: Request(method: "GET", path: "/", headers: headers, id: "r"))
        #expect(response.status == (name == nil ? 200 : 415))
        guard let name else { return }
        #expect(response.headers["Accept-Encoding"] == "identity")
        guard case .bytes(let body) = response.body else { return }
        #expect(String(decoding: body, as: UTF8.self).contains("content_coding_unsupported"))
        #expect(String(decoding: body, as: UTF8.self).contains("\\\"\(name)\\\""))
    }

    @Test func `a change that found its catalog gone is made again under the newer one`() async {
        let catalog = Catalog(read: 1, stored: 2)
        let response = await send(to: endpoint(.change) { $0 == 1 ? .stale : .done(.text("\($0)")) }, under: catalog)
        #expect(text(response) == "2")
    }

    @Test func `a catalog that changes each time is told as busy, after a few attempts`() async {
        let tries = Mutex(0)
        let response = await send(
            to: endpoint(.change) { _ in
                tries.withLock { $0 += 1 }
                return .stale
            }, under: Catalog(changesEachTime: true))
        #expect(response.status == 503 && response.headers["Retry-After"] == "1")
        #expect(tries.withLock { $0 } == 8)
    }

    @Test func `reads that each show a newer catalog are told as busy, after a few attempts`() async {
        let tries = Mutex(0)
        let response = await send(
            to: reading(.read) { _, reads in
                tries.withLock { $0 += 1 }
                throw PendingStep.catalog
            }, under: Catalog(changesEachTime: true))
        #expect(response.status == 503 && response.headers["Retry-After"] == "1")
        #expect(tries.withLock { $0 } == 9)
    }

    @Test func `whoever is not let in is looked at again under a newer catalog, and only then`() async {
        for freshness in [Endpoint<Int64>.Freshness.change, .read] {
            let queries = Mutex<[Int64]>([])
            let admission = Authentication<Int64, Int64> { _, _, snapshot in
                queries.withLock { $0.append(snapshot) }
                guard snapshot == 2 else { throw Failure(RejectedRequest(404, code: "unknown", "Unknown.")) }
                return snapshot
            }
            let asked =
                freshness == .read
                ? reading(freshness, authentication: admission) { snapshot, _ in .done(.text("\(snapshot)")) }
                : endpoint(freshness, authentication: admission) { .done(.text("\($0)")) }
            #expect(text(await send(to: asked, under: Catalog(read: 1, stored: 2))) == "2")
            let seen = queries.withLock { $0 }
            #expect(await send(to: asked).status == 404)
            #expect(seen == [1, 2] && Set(queries.withLock { $0 }.dropFirst(2)) == [1])
        }
    }

    @Test func `an answer that rests on a read is made again when the read has shown a newer catalog`() async {
        let catalog = Catalog(read: 1, stored: 2)
        let response = await send(
            to: reading(.read) { snapshot, _ in
                if snapshot == 1 { throw PendingStep.catalog }
                return .done(.text("\(snapshot)"))
            }, under: catalog)
        #expect(text(response) == "2")
    }

    @Test func `a no counts once by its code, and a failure is told to the log alone`() async {
        var style = ResponseFormat.problem
        style.countsRefusals = true
        let refused = await send(
            to: endpoint(.kept, style) { _ in .refused(Failure(Refusal(Reason(.licenseUnknown)))) })
        #expect(refused.status == 404)
        #expect(metrics.exposition().contains(#"tenure_refusals_total{code="license_unknown"} 1"#))
        let broken = await send(
            to: endpoint(.kept, style) { _ in throw ServerError(.store, "The secret of the disk.") })
        #expect(broken.status == 500 && !text(broken).contains("secret"))
        let told = log.lines.withLock { $0 }.filter { $0.event == "request_failed" }
        #expect(told.count == 1 && told[0].level == .error)
        #expect(metrics.exposition().contains(#"tenure_http_requests_total{route="/",status="500"} 1"#))
    }

    @Test func `a style's fields are in every answer, and what it echoes comes back if it is harmless`() async {
        var style = ResponseFormat.problem
        style.headers = ["Cache-Control": "no-store"]
        style.echoes = ["X-Ask"]
        for (sent, echoed) in [("abc", "abc"), ("a b", nil), ("", nil), (String(repeating: "x", count: 65), nil)] {
            let yes = await send(to: endpoint(.kept, style) { _ in .done(.text("")) }, headers: ["x-ask": sent])
            let no = await send(to: endpoint(.kept, style) { _ in throw Failure(.query) }, headers: ["x-ask": sent])
            for answer in [yes, no] {
                #expect(answer.headers["Cache-Control"] == "no-store")
                #expect(answer.headers["X-Ask"] == echoed)
                #expect(answer.headers["X-Request-Id"] == "r1")
            }
        }
    }

    @Test func `nothing is begun for a request whose deadline has come`() async {
        let began = Mutex(false)
        let response = await Deadline.$current.withValue(SteadyTime(nanoseconds: 0)) {
            await send(
                to: endpoint(.kept) { _ in
                    began.withLock { $0 = true }
                    return .done(.text(""))
                })
        }
        #expect(response.status == 503)
        #expect(began.withLock { $0 } == false)
    }

    @Test func `OPTIONS is for a style to say, and 405 where it says nothing`() async {
        var open = ResponseFormat.problem
        open.options = { _ in Response(status: 204) }
        for (style, status) in [(ResponseFormat.problem, 405), (open, 204)] {
            let requestHandler = RequestHandler(
                [endpoint(.kept, style) { _ in .done(.text("")) }], under: Catalog(), metrics: metrics, log: log,
                stopwatch: { 0 }, otherwise: Router.plainText)
            #expect(await requestHandler.respond(to: Request(method: "OPTIONS", path: "/")).status == status)
        }
    }

    @Test func `a style's fields are in OPTIONS, in a 405 and in what no endpoint answers`() async {
        var open = ResponseFormat.problem
        open.headers = ["X-Open": "yes"]
        open.options = { methods in Response(status: 204, headers: ["X-Methods": methods.joined(separator: " ")]) }
        let requestHandler = RequestHandler(
            [
                endpoint(.kept, open) { _ in .done(.text("")) },
                Endpoint("POST", "/", open, .kept, authentication: .everyone, reads: .none) { _ in .done(.text("")) },
            ], under: Catalog(), metrics: metrics, log: log, stopwatch: { 0 }, otherwise: Router.plainText)
        let options = await requestHandler.respond(to: Request(method: "OPTIONS", path: "/"))
        #expect(options.headers["X-Methods"] == "GET POST" && options.headers.values("X-Open") == ["yes"])
        let put = await requestHandler.respond(to: Request(method: "PUT", path: "/"))
        #expect(put.status == 405 && put.headers.values("X-Open") == ["yes"])
        let busy = Response.text(status: 503, "busy")
        let here = Rejection(status: 503, request: Request(method: "GET", path: "/"))
        #expect(requestHandler.answer(here, with: busy).headers["X-Open"] == "yes")
        let fallbackRoute = Rejection(status: 503, request: Request(method: "GET", path: "/other"))
        #expect(requestHandler.answer(fallbackRoute, with: busy).headers["X-Open"] == nil)
    }

    @Test func `what the server answers before an endpoint is requested is counted and logged once`() async {
        let requestHandler = RequestHandler(
            [endpoint(.kept) { _ in .done(.text("")) }], under: Catalog(), metrics: metrics, log: log,
            stopwatch: { 0 }, otherwise: Router.plainText)
        let requested = Request(method: "GET", path: "//", id: "r7")
        for rejection in [
            Rejection(status: 413, request: requested), Rejection(status: 400, request: Request(method: "", path: "")),
            Rejection(status: 503, request: requested, isHandled: true),
        ] {
            let answer = requestHandler.answer(rejection, with: .text(status: rejection.status, ""))
            #expect(answer.headers["X-Request-Id"] == rejection.request.id)
        }
        let lines = log.lines.withLock { $0 }.filter { $0.event == "request" }
        #expect(lines.count == 2)
        #expect(metrics.exposition().contains(#"tenure_http_requests_total{route="/",status="413"} 1"#))
        #expect(metrics.exposition().contains(#"tenure_http_requests_total{route="none",status="400"} 1"#))
        #expect(!metrics.exposition().contains(#"status="503""#))
    }

    @Test(arguments: [(64 << 10, true), (64 << 10 + 1, false)])
    func `a long body is read apart from the thread that took it in`(size: Int, onSameThread: Bool) async {
        let reader = Mutex(pthread_self())
        let fields = Fields(longestBody: 1 << 20) { fields in
            reader.withLock { $0 = pthread_self() }
            return try fields.bytes()
        }
        let endpoint = Endpoint<Int64>("POST", "/", .problem, .kept, authentication: .everyone, reads: fields) { _ in
            .done(.text(""))
        }
        let requestHandler = RequestHandler(
            [endpoint], under: Catalog(), metrics: metrics, log: log, stopwatch: { 0 }, otherwise: Router.plainText)
        let request = Request(method: "POST", path: "/", body: [UInt8](repeating: 0x20, count: size))
        let isSame = await withCheckedContinuation { answer in
            Thread.detachNewThread {
                let (caller, done) = (pthread_self(), DispatchSemaphore(value: 0))
                Task.immediate {
                    _ = await requestHandler.respond(to: request)
                    done.signal()
                }
                // The thread stays alive until then, so that its id isn't reused.
                done.wait()
                answer.resume(returning: reader.withLock { $0 } == caller)
            }
        }
        #expect(isSame == onSameThread)
    }

    @Test(arguments: ["/named", "//named", "////named"])
    func `slashes at the beginning of a path count as one`(path: String) async {
        let named = Endpoint<Int64>("GET", "/named", .problem, .kept, authentication: .everyone, reads: .none) { call in
            .done(.text(call.request.path))
        }
        let requestHandler = RequestHandler(
            [named], under: Catalog(), metrics: metrics, log: log, stopwatch: { 0 }, otherwise: Router.plainText)
        #expect(text(await requestHandler.respond(to: Request(method: "GET", path: path))) == "/named")
    }

    @Test func `a path that only the catalog names leads to an endpoint`() async {
        let named = endpoint(.kept) { .done(.text("\($0)")) }
        let requestHandler = RequestHandler(
            [], under: Catalog(), metrics: metrics, log: log, stopwatch: { 0 },
            fallbackRoute: { $0.path == "/named" ? (named, PathParameters()) : nil }, otherwise: Router.plainText)
        #expect(text(await requestHandler.respond(to: Request(method: "GET", path: "/named"))) == "1")
        #expect(await requestHandler.respond(to: Request(method: "GET", path: "/other")).status == 404)
    }
}
