import TenureHTTP
import TenureServerKit
import Testing

/// Apps in a browser send requests from pages of any origin.
@Suite struct `Keylight requests from web pages` {
    static let endpoints = [
        ("POST", "/acme/draw/activate"), ("POST", "/acme/draw/validate"), ("POST", "/acme/draw/deactivate"),
        ("POST", "/acme/draw/keyless"), ("GET", "/acme/draw/config"), ("GET", "/acme/.well-known/keylight-keys"),
    ]

    func send(_ method: String, _ path: String, of vendor: Vendor, body: String = "") async -> Response {
        await vendor.server.handler.respond(
            to: Request(method: method, path: path, body: Array(body.utf8), id: "r1"))
    }

    @Test(arguments: endpoints)
    func `a preflight request needs no SDK key, and its response allows the endpoint's method from any origin`(
        method: String, path: String
    ) async throws {
        let answer = await send("OPTIONS", path, of: try Vendor())
        #expect(answer.status == 204 && answer.body.bytes.isEmpty)
        #expect(answer.headers["Access-Control-Allow-Origin"] == "*")
        #expect(answer.headers["Access-Control-Allow-Methods"] == method)
        #expect(
            answer.headers["Access-Control-Allow-Headers"] == "Content-Type, X-Keylight-Request-Id, X-Keylight-SDK-Key")
        #expect(answer.headers["Access-Control-Max-Age"] == "3600")
        #expect(answer.headers["Access-Control-Allow-Credentials"] == nil)
    }

    @Test(arguments: endpoints)
    func `a web page from any origin can read a Keylight response, also an error, and its Retry-After field`(
        method: String, path: String
    )
        async throws
    {
        let vendor = try await Vendor()
        let busy = vendor.server.answer(
            Rejection(status: 503, request: Request(method: method, path: path)), .json(status: 503, []))
        // Without an SDK key, with an unsupported method, and when the server is too busy.
        for answer in [await send(method, path, of: vendor), await send("PUT", path, of: vendor), busy] {
            #expect(answer.headers.values("Access-Control-Allow-Origin") == ["*"])
            #expect(answer.headers.values("Access-Control-Expose-Headers") == ["Retry-After"])
        }
    }

    @Test(arguments: ["/metrics", "/health", "/v1/acme/licenses", "/v1/acme/draw/leases/activate", "/license/acme"])
    func `endpoints other than Keylight's respond without CORS headers`(path: String) async throws {
        let vendor = try await Vendor()
        for method in ["OPTIONS", "GET", "POST"] {
            let answer = await send(method, path, of: vendor)
            #expect(answer.headers["Access-Control-Allow-Origin"] == nil)
            #expect(answer.status != 204)
        }
    }
}
