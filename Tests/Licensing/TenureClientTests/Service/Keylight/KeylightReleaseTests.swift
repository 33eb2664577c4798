import TenureClient
import TenureHTTP
import Testing

@Suite struct KeylightReleaseTests {
    private let bench = KeylightBench()

    private func release(_ status: Int, _ body: String) async throws -> Answer<Released> {
        try await withServer { _ in
            .json(status, body)
        } _: { url in
            try await bench.client(of: url).release(bench.held)
        }
    }

    @Test(arguments: [#"{"deactivated":true}"#, "{}"])
    func `a response with status 200 confirms a release, whatever members its JSON object has`(body: String)
        async throws
    {
        #expect(try await release(200, body).granted == Released())
    }

    @Test(arguments: [
        (404, #"{"error":"x","code":"license_unknown"}"#), (404, #"{"error":"x"}"#), (422, #"{"error":"x"}"#),
        (422, #"{"error":"x","code":"license_unknown"}"#),
    ])
    func `a 404 or 422 response to a release is a refusal if its error code is missing or about the license`(
        status: Int, body: String
    ) async throws {
        #expect(try await release(status, body).refusal != nil)
    }

    @Test(
        arguments: [
            (200, "<html>Welcome to the hotel", .captive),
            (404, #"{"error":"x","code":"tenant_unknown"}"#, .misconfigured),
            (401, #"{"error":"x"}"#, .misconfigured), (503, "{}", .busy),
        ] as [(Int, String, RequestFailure.Cause)])
    func `a response to a release that neither confirms nor refuses it is a request failure`(
        status: Int, body: String, cause: RequestFailure.Cause
    )
        async throws
    {
        #expect(try await release(status, body).unreached?.cause == cause)
    }
}
