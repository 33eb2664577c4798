import Foundation
import Synchronization
import TenureCore
import TenureHTTP
import TenureServerKit
import TenureStore
import TenureTesting
import TenureThreads
import Testing

@Suite struct `The request handler` {
    final class Lines: Log {
        let lines = Mutex<[LogLine]>([])
        func write(_ line: LogLine) { lines.withLock { $0.append(line) } }
    }

    let metrics = Metrics()
    let log = Lines()

    func send(
        to endpoint: Endpoint, under catalog: TestCatalog? = nil, headers: Headers = [:]
    ) async throws -> Response {
        let requestHandler = try await handler([endpoint], under: catalog)
        return await requestHandler.respond(to: Request(method: "GET", path: "/", headers: headers, id: "r1"))
    }

    func endpoint(
        _ catalog: Endpoint.CatalogUse, _ format: ResponseFormat = .problem,
        authentication: Authentication<Int64> = Authentication { _, _, snapshot in snapshot.version },
        _ answer: @escaping @Sendable (Int64) async throws -> Endpoint.Conclusion
    ) -> Endpoint {
        Endpoint("GET", "/", format: format, catalog: catalog, authentication: authentication, reads: .none) {
            try await answer($0.caller)
        }
    }

    /// Creates an endpoint whose action only reads.
    func reading(
        _ catalog: Endpoint.CatalogUse,
        authentication: Authentication<Int64> = Authentication { _, _, snapshot in snapshot.version },
        _ answer: @escaping @Sendable (Int64, inout StoreReads) throws -> Endpoint.Conclusion
    ) -> Endpoint {
        Endpoint("GET", "/", format: .problem, catalog: catalog, authentication: authentication, reads: .none) {
            try answer($0.caller, &$1)
        }
    }

    func handler(
        _ endpoints: [Endpoint], under catalog: TestCatalog? = nil,
        fallbackRoute: @escaping RequestHandler.FallbackRoute = { _ in nil }
    ) async throws -> RequestHandler {
        let catalog = if let catalog { catalog } else { try await TestCatalog() }
        return RequestHandler(
            endpoints, under: catalog.cache, metrics: metrics, log: log, stopwatch: { 0 },
            fallbackRoute: fallbackRoute, otherwise: Router.plainText)
    }

    func text(_ response: Response) -> String { String(decoding: response.body.bytes, as: UTF8.self) }

    @Test(arguments: [(Endpoint.CatalogUse.cached, "1"), (.current, "2")])
    func `an endpoint gets the cached or the current catalog version, as it declares`(
        catalog: Endpoint.CatalogUse, seen: String
    ) async throws {
        let response = try await send(
            to: endpoint(catalog) { .done(.text("\($0)")) },
            under: TestCatalog(isBehind: true))
        #expect(text(response) == seen)
        let read = try await send(
            to: reading(catalog) { snapshot, _ in .done(.text("\(snapshot)")) },
            under: TestCatalog(isBehind: true))
        #expect(text(read) == seen)
    }

    @Test func `an endpoint that only reads responds synchronously unless it needs the store's current catalog`()
        async throws
    {
        for (catalog, isInPlace) in [(Endpoint.CatalogUse.cached, true), (.checkedByRead, true), (.current, false)] {
            let requestHandler = try await handler(
                [reading(catalog) { _, _ in .done(.text("")) }], under: TestCatalog(answersInPlace: false))
            switch requestHandler.handle(Request(method: "GET", path: "/", id: "r1")) {
            case .response(let response): #expect(isInPlace && response.headers["X-Request-Id"] == "r1")
            case .pending: #expect(!isInPlace)
            }
        }
    }

    @Test(arguments: [("PROPPATCH", "PROPPATCH"), (String(repeating: "X", count: 4_000), "XXXXXXXXXXXXXXXX")])
    func `the log line of a request contains at most 16 bytes of the request's method`(method: String, logged: String)
        async throws
    {
        let requestHandler = try await handler([endpoint(.cached) { .done(.text("\($0)")) }])
        _ = await requestHandler.respond(to: Request(method: method, path: "/", headers: [:], id: "r1"))
        let line = try #require(log.lines.withLock { $0.last })
        guard case .text(let text)? = line.facts.first(where: { "\($0.name)" == "method" })?.value else {
            Issue.record("the log line has no method")
            return
        }
        #expect(text == logged)
    }

    @Test func `a POST request counts as a change unless its endpoint is declared outside the change limit`()
        async throws
    {
        let authentication = Authentication<Int64> { _, _, snapshot in snapshot.version }
        let endpoints: [Endpoint] = [
            Endpoint(
                "POST", "/change", format: .problem, catalog: .checkedByChange, authentication: authentication,
                reads: .none
            ) { _ in
                .done(.text(""))
            },
            Endpoint("GET", "/list", format: .problem, catalog: .current, authentication: authentication, reads: .none)
            { _ in
                .done(.text(""))
            },
            Endpoint("POST", "/find", format: .problem, catalog: .cached, authentication: authentication, reads: .none)
            { _ in
                .done(.text(""))
            }
            .outsideChangeLimit(),
        ]
        let requestHandler = try await handler(endpoints)
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

    @Test func `a request that finds no free slot gets 503 in its endpoint's format`() async throws {
        let authentication = Authentication<Int64> { _, _, snapshot in snapshot.version }
        let requestHandler = try await handler([
            Endpoint(
                "POST", "/change", format: .problem, catalog: .checkedByChange, authentication: authentication,
                reads: .none
            ) { _ in
                .done(.text(""))
            }
        ])
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
        ] as [([String], String?)])
    func `a body with a content coding other than identity gets 415, and the error names the coding`(
        codings: [String], name: String?
    ) async throws {
        let requestHandler = try await handler([endpoint(.cached) { .done(.text("\($0)")) }])
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

    @Test func `a change under a replaced catalog is repeated under the newer one`() async throws {
        let catalog = try await TestCatalog(isBehind: true)
        let response = try await send(
            to: endpoint(.checkedByChange) { version in
                if version == 1 { throw CatalogChanged() }
                return .done(.text("\(version)"))
            }, under: catalog)
        #expect(text(response) == "2")
    }

    @Test func `a change whose catalog is replaced at every attempt gets 503 after eight attempts`() async throws {
        let tries = Mutex(0)
        let response = try await send(
            to: endpoint(.checkedByChange) { _ in
                tries.withLock { $0 += 1 }
                throw CatalogChanged()
            }, under: TestCatalog(changesEachTime: true))
        #expect(response.status == 503 && response.headers["Retry-After"] == "1")
        #expect(tries.withLock { $0 } == 8)
    }

    @Test func `a read whose catalog is replaced at every attempt gets 503 after nine attempts`() async throws {
        let tries = Mutex(0)
        let response = try await send(
            to: reading(.checkedByRead) { _, reads in
                tries.withLock { $0 += 1 }
                throw CatalogChanged()
            }, under: TestCatalog(changesEachTime: true))
        #expect(response.status == 503 && response.headers["Retry-After"] == "1")
        #expect(tries.withLock { $0 } == 9)
    }

    @Test func `a rejected caller is authenticated again only under a newer catalog`() async throws {
        for catalog in [Endpoint.CatalogUse.checkedByChange, .checkedByRead] {
            let queries = Mutex<[Int64]>([])
            let authentication = Authentication<Int64> { _, _, snapshot in
                queries.withLock { $0.append(snapshot.version) }
                guard snapshot.version == 2 else { throw Failure(RejectedRequest(404, code: "unknown", "Unknown.")) }
                return snapshot.version
            }
            let requests =
                catalog == .checkedByRead
                ? reading(catalog, authentication: authentication) { snapshot, _ in .done(.text("\(snapshot)")) }
                : endpoint(catalog, authentication: authentication) { .done(.text("\($0)")) }
            #expect(text(try await send(to: requests, under: TestCatalog(isBehind: true))) == "2")
            let seen = queries.withLock { $0 }
            #expect(try await send(to: requests).status == 404)
            #expect(seen == [1, 2] && Set(queries.withLock { $0 }.dropFirst(2)) == [1])
        }
    }

    @Test func `an endpoint's action runs again if its reads show a newer catalog`() async throws {
        let catalog = try await TestCatalog(isBehind: true)
        let response = try await send(
            to: reading(.checkedByRead) { snapshot, _ in
                if snapshot == 1 { throw CatalogChanged() }
                return .done(.text("\(snapshot)"))
            }, under: catalog)
        #expect(text(response) == "2")
    }

    @Test
    func `a server error is logged once and hidden from the client, and a refusal is counted but not logged as one`()
        async throws
    {
        var format = ResponseFormat.problem
        format.countsRefusals = true
        let refused = try await send(
            to: endpoint(.cached, format) { _ in .refused(Failure(Refusal(Reason(.licenseUnknown)))) })
        #expect(refused.status == 404)
        #expect(metrics.exposition().contains(#"tenure_refusals_total{code="license_unknown"} 1"#))
        let broken = try await send(
            to: endpoint(.cached, format) { _ in throw ServerError(.store, "The secret of the disk.") })
        #expect(broken.status == 500 && !text(broken).contains("secret"))
        let result = log.lines.withLock { $0 }.filter { $0.event == "request_failed" }
        #expect(result.count == 1 && result[0].level == .error)
        #expect(metrics.exposition().contains(#"tenure_http_requests_total{route="/",status="500"} 1"#))
    }

    @Test
    func `responses have the format's header fields, and echo a request's field only if its value is a short token`()
        async throws
    {
        var format = ResponseFormat.problem
        format.headers = ["Cache-Control": "no-store"]
        format.echoes = ["X-Ask"]
        for (sent, echoed) in [("abc", "abc"), ("a b", nil), ("", nil), (String(repeating: "x", count: 65), nil)] {
            let yes = try await send(to: endpoint(.cached, format) { _ in .done(.text("")) }, headers: ["x-ask": sent])
            let no = try await send(
                to: endpoint(.cached, format) { _ in throw Failure(.query) }, headers: ["x-ask": sent])
            for answer in [yes, no] {
                #expect(answer.headers["Cache-Control"] == "no-store")
                #expect(answer.headers["X-Ask"] == echoed)
                #expect(answer.headers["X-Request-Id"] == "r1")
            }
        }
    }

    @Test func `a request whose deadline has passed isn't started`() async throws {
        let began = Mutex(false)
        let catalog = try await TestCatalog()
        let response = try await Deadline.$current.withValue(SteadyTime(nanoseconds: 0)) {
            try await send(
                to: endpoint(.cached) { _ in
                    began.withLock { $0 = true }
                    return .done(.text(""))
                }, under: catalog)
        }
        #expect(response.status == 503)
        #expect(began.withLock { $0 } == false)
    }

    @Test func `an OPTIONS request gets the response that the endpoint's format defines, or 405 if it defines none`()
        async throws
    {
        var open = ResponseFormat.problem
        open.options = { _ in Response(status: 204) }
        for (format, status) in [(ResponseFormat.problem, 405), (open, 204)] {
            let requestHandler = try await handler([endpoint(.cached, format) { _ in .done(.text("")) }])
            #expect(await requestHandler.respond(to: Request(method: "OPTIONS", path: "/")).status == status)
        }
    }

    @Test func `OPTIONS responses, 405 responses and rejections have the header fields of the path's response format`()
        async throws
    {
        var open = ResponseFormat.problem
        open.headers = ["X-Open": "yes"]
        open.options = { methods in Response(status: 204, headers: ["X-Methods": methods.joined(separator: " ")]) }
        let requestHandler = try await handler([
            endpoint(.cached, open) { _ in .done(.text("")) },
            Endpoint("POST", "/", format: open, catalog: .cached, authentication: .everyone, reads: .none) { _ in
                .done(.text(""))
            },
        ])
        let options = await requestHandler.respond(to: Request(method: "OPTIONS", path: "/"))
        #expect(options.headers["X-Methods"] == "GET POST" && options.headers.values("X-Open") == ["yes"])
        let put = await requestHandler.respond(to: Request(method: "PUT", path: "/"))
        #expect(put.status == 405 && put.headers.values("X-Open") == ["yes"])
        let busy = Response.text(status: 503, "busy")
        let here = Rejection(status: 503, request: Request(method: "GET", path: "/"))
        #expect(requestHandler.answer(here, with: busy).headers["X-Open"] == "yes")
        let otherPath = Rejection(status: 503, request: Request(method: "GET", path: "/other"))
        #expect(requestHandler.answer(otherPath, with: busy).headers["X-Open"] == nil)
    }

    @Test func `a request that is rejected before its endpoint is chosen is counted and logged once`() async throws {
        let requestHandler = try await handler([endpoint(.cached) { _ in .done(.text("")) }])
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
    func `a body over 64 KiB is parsed on another thread`(size: Int, onSameThread: Bool) async throws {
        let reader = Mutex(pthread_self())
        let fields = Fields(longestBody: 1 << 20) { fields in
            reader.withLock { $0 = pthread_self() }
            return try fields.bytes()
        }
        let endpoint = Endpoint(
            "POST", "/", format: .problem, catalog: .cached, authentication: .everyone, reads: fields
        ) { _ in
            .done(.text(""))
        }
        let requestHandler = try await handler([endpoint])
        let request = Request(method: "POST", path: "/", body: [UInt8](repeating: 0x20, count: size))
        let isSame = await withCheckedContinuation { answer in
            Thread.detachNewThread {
                let (caller, done) = (pthread_self(), DispatchSemaphore(value: 0))
                Task.immediate {
                    _ = await requestHandler.respond(to: request)
                    done.signal()
                }
                // The thread stays alive until the comparison, so that its id isn't reused.
                done.wait()
                answer.resume(returning: reader.withLock { $0 } == caller)
            }
        }
        #expect(isSame == onSameThread)
    }

    @Test(arguments: ["/named", "//named", "////named"])
    func `several leading slashes of a path are treated as one`(path: String) async throws {
        let named = Endpoint(
            "GET", "/named", format: .problem, catalog: .cached, authentication: .everyone, reads: .none
        ) { call in
            .done(.text(call.request.path))
        }
        let requestHandler = try await handler([named])
        #expect(text(await requestHandler.respond(to: Request(method: "GET", path: path))) == "/named")
    }

    @Test func `a path without a declared route reaches the endpoint of the fallback route`() async throws {
        let named = endpoint(.cached) { .done(.text("\($0)")) }
        let requestHandler = try await handler(
            [], fallbackRoute: { $0.path == "/named" ? (named, PathParameters()) : nil })
        #expect(text(await requestHandler.respond(to: Request(method: "GET", path: "/named"))) == "1")
        #expect(await requestHandler.respond(to: Request(method: "GET", path: "/other")).status == 404)
    }
}
