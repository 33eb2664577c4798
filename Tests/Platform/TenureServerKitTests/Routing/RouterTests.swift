import TenureHTTP
import TenureServerKit
import Testing

@Suite struct RouterTests {
    /// Creates a router whose responses contain the matched pattern and its parameters.
    static func router(_ routes: (String, String)...) -> Router {
        var router = Router()
        for (method, pattern) in routes {
            router.on(method, pattern) { _, path in
                .text("\(method) \(pattern) \(path.values.joined(separator: "|"))")
            }
        }
        return router
    }

    static func answer(_ router: Router, _ method: String, _ path: String) async -> (status: Int, text: String) {
        let response = await router.respond(to: Request(method: method, path: path))
        return (response.status, String(decoding: response.body.bytes, as: UTF8.self))
    }

    @Test func `a route receives its parameters by name`() async {
        var router = Router()
        router.on("POST", "/{tenant}/{product}/activate") { _, path in
            .text("\(path["tenant"] ?? "?") \(path["product"] ?? "?") \(path["other"] ?? "none")")
        }
        let answer = await Self.answer(router, "POST", "/acme/notes/activate")
        #expect(answer == (200, "acme notes none"))
    }

    @Test(arguments: [
        ("/health", "GET /health "),
        ("/acme", "GET /{tenant} acme"),
        ("/acme/.well-known/keylight-keys", "GET /{tenant}/.well-known/keylight-keys acme"),
        ("/acme/notes/config", "GET /{tenant}/{product}/config acme|notes"),
        ("/", "GET / "),
    ])
    func `a fixed segment takes precedence over a parameter`(path: String, text: String) async {
        let router = Self.router(
            ("GET", "/{tenant}"), ("GET", "/{tenant}/{product}/config"), ("GET", "/health"), ("GET", "/"),
            ("GET", "/{tenant}/.well-known/keylight-keys"))
        #expect(await Self.answer(router, "GET", path) == (200, text))
    }

    @Test func `routing doesn't backtrack from a fixed segment to a parameter`() async {
        let router = Self.router(("GET", "/v1/status"), ("GET", "/{tenant}/{product}"))
        #expect(await Self.answer(router, "GET", "/v1/notes").status == 404)
        #expect(await Self.answer(router, "GET", "/v%31/notes").status == 404)
        #expect(await Self.answer(router, "GET", "/v2/notes").status == 200)
    }

    @Test(arguments: ["", "x", "/acme", "/acme/", "/acme/notes/x", "//notes", "/acme//notes", "http://h/acme/notes"])
    func `a path with an empty segment, or with more or fewer segments than the route, gets 404`(path: String) async {
        let router = Self.router(("GET", "/{tenant}/{product}"))
        #expect(await Self.answer(router, "GET", path).status == 404)
    }

    @Test func `a request with an undeclared method gets 405 with the allowed methods`() async {
        let router = Self.router(("GET", "/a/{b}"), ("DELETE", "/a/{b}"))
        let response = await router.respond(to: Request(method: "POST", path: "/a/1"))
        #expect(response.status == 405)
        #expect(response.headers["allow"] == "GET, DELETE, HEAD")
        #expect(router.match("POST", "/a/1").pattern == "/a/{b}")
    }

    @Test func `a route matches the method of a request case-sensitively`() async {
        let router = Self.router(("GET", "/a"))
        #expect(await Self.answer(router, "get", "/a").status == 405)
    }

    @Test func `a HEAD request uses the route of GET unless the path has a HEAD route`() async {
        let router = Self.router(("GET", "/a"), ("GET", "/b"), ("HEAD", "/b"), ("POST", "/c"))
        #expect(await Self.answer(router, "HEAD", "/a") == (200, "GET /a "))
        #expect(await Self.answer(router, "HEAD", "/b") == (200, "HEAD /b "))
        #expect(await Self.answer(router, "HEAD", "/c").status == 405)
    }

    @Test func `the router's fallback formats a 404 and a 405, and the router adds Allow`() async {
        var router = Router { _, miss in
            switch miss {
            case .notFound: .json(status: 404, Array("{}".utf8))
            case .methodNotAllowed: .json(status: 405, Array("{}".utf8))
            }
        }
        router.on("PUT", "/a") { _, _ in .text("put") }
        let missing = await router.respond(to: Request(method: "GET", path: "/b"))
        let other = await router.respond(to: Request(method: "GET", path: "/a"))
        #expect(missing.status == 404 && missing.headers["Content-Type"] == "application/json")
        #expect(other.status == 405 && other.headers.values("Allow") == ["PUT"])
    }

    @Test func `the match of a route contains the declared pattern, not the path`() {
        let router = Self.router(("GET", "/{tenant}/{product}/config"))
        #expect(router.match("GET", "/acme/notes/config").pattern == "/{tenant}/{product}/config")
        #expect(router.match("GET", "/acme/notes").pattern == nil)
    }
}
