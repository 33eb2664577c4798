import TenureHTTP
import TenureHTTPClient
import Testing

struct HTTPRequestCheckTests {
    @Test(arguments: [
        "", "/path", "ftp://host/", "file:///etc/passwd", "http://", "https:///path", "http://ada:secret@host/",
        "http://host/a b", "http://host/\r\nX: y", "http://host/ü", "gopher://host/",
    ])
    func `a URL that is malformed, not HTTP or HTTPS, or has credentials is refused`(url: String) async throws {
        let transport = try transport()
        let error = await transport.failure(of: .get(url))
        #expect(error?.code == .badURL)
        #expect(error?.message.contains("secret") == false)
    }

    @Test(arguments: [
        Headers.Field(name: "", value: "x"), .init(name: "A B", value: "x"), .init(name: "A:", value: "x"),
        .init(name: "A", value: "x\r\nInjected: y"), .init(name: "A", value: "x\n"), .init(name: "A", value: "\u{0}"),
    ])
    func `a header field with an invalid name or value is refused`(field: Headers.Field) async throws {
        var request = OutgoingRequest.get("http://127.0.0.1:1/")
        request.headers.add(field.name, field.value)
        let transport = try transport()
        let error = await transport.failure(of: request)
        #expect(error?.code == .badURL)
    }

    @Test func `an invalid method is refused`() async throws {
        let transport = try transport()
        let error = await transport.failure(
            of: OutgoingRequest(method: "GET / HTTP/1.1\r\nX:", url: "http://127.0.0.1:1/"))
        #expect(error?.code == .badURL)
    }
}
