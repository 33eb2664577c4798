import TenureClient
import TenureCore
import TenureCrypto
import TenureHTTP
import Testing

@Suite struct KeylightConfigurationTests {
    private let bench = KeylightBench()

    private func configuration(_ status: Int, _ body: String) async throws -> Answer<ProductTerms> {
        try await withServer { request in
            request.path == "/acme/notes/config" ? .json(status, body) : .json(404, "{}")
        } _: { url in
            try await bench.client(of: url).configuration()
        }
    }

    @Test func `product terms with a valid signature are accepted`() async throws {
        let answer = try await configuration(200, "{\(bench.terms(0, free: true))}")
        #expect(answer.granted == ProductTerms(trialDays: 0, freeTier: true, signedAt: Moment(KeylightBench.now)))
    }

    @Test func `product terms that are unsigned, changed, expired or for another product aren't accepted`() async throws
    {
        for body in [
            "{}", #"{"trial_duration_days":14,"free_tier_enabled":true}"#, "{\(try bench.terms(14, product: "other"))}",
            "{\(try bench.terms(14).replacing(":14,", with: ":99,"))}", "{\(try bench.terms(14, kid: "k9"))}",
            "{\(try bench.terms(14, issued: -86_701))}", #"{"trial_duration_days":"14"}"#,
        ] {
            #expect(try await configuration(200, body).unreached?.cause == .unverified, "\(body)")
        }
    }

    @Test(arguments: [false, true])
    func `product terms that trusted time shows as expired are accepted only if they may correct trusted time`(
        mayCorrect: Bool
    ) async throws {
        let body = "{\(try bench.terms(14))}"
        let answer = try await withServer { _ in
            .json(200, body)
        } _: { url in
            try await bench.client(
                of: url, now: { KeylightBench.now.adding(days: 31) },
                mayCorrectMark: { $0 == KeylightBench.now && mayCorrect }
            ).configuration()
        }
        #expect((answer.granted != nil) == mayCorrect)
    }

    @Test func `product terms from a server whose clock is a day ahead are accepted`() async throws {
        let answer = try await configuration(200, "{\(bench.terms(14, issued: 86_400))}")
        #expect(
            answer.granted
                == ProductTerms(trialDays: 14, freeTier: false, signedAt: Moment(KeylightBench.now.adding(days: 1))))
    }

    @Test(
        arguments: [
            (200, "<html>", .captive), (404, #"{"error":"x","code":"product_unknown"}"#, .misconfigured),
            (401, #"{"error":"x"}"#, .misconfigured), (503, "", .busy),
        ] as [(Int, String, RequestFailure.Cause)])
    func `a configuration request is reported as failed if its response contains no configuration`(
        status: Int, body: String, cause: RequestFailure.Cause
    ) async throws {
        #expect(try await configuration(status, body).unreached?.cause == cause)
    }

    @Test func `a client that trusts served keys requests the keyset once for an unknown key`() async throws {
        let received = Heard()
        let terms = try bench.terms(14)
        let keyset = try bench.keyset(["k1": bench.signing.publicKey])
        let answer = try await withServer { request in
            received.note(request)
            return .json(200, request.path.hasSuffix("config") ? "{\(terms)}" : keyset)
        } _: { url in
            try await bench.client(of: url, pinned: [:], trust: .served).configuration()
        }
        #expect(answer.granted?.trialDays == 14)
        #expect(received.paths == ["/acme/notes/config", "/acme/.well-known/keylight-keys"])
    }
}
