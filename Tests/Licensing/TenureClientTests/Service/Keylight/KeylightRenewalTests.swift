import TenureClient
import TenureCore
import TenureCrypto
import TenureHTTP
import TenureLicensing
import Testing

/// Which responses to a renewal are accepted, and which count as failures.
@Suite struct KeylightRenewalTests {
    private let bench = KeylightBench()

    @Test func `a lease for the request's license key and instance is accepted`() async throws {
        let answer = try await bench.renewal(200, #"{"valid":true,"lease":\#(bench.lease())}"#)
        let grant = try #require(answer.granted)
        #expect(grant.facts.status == .active)
        #expect(grant.facts.activation == KeylightBench.instance)
        #expect(grant.facts.entitlements == [LeaseFacts.Grant("export"), LeaseFacts.Grant("sync")])
        #expect(grant.serverTime == Moment(KeylightBench.now))
        #expect(grant.terms == nil)
    }

    @Test func `product terms in a renewal's response are used only if they are signed and current`() async throws {
        let result = try await bench.renewal(
            200, #"{"valid":true,"lease":\#(bench.lease()),\#(bench.terms(14, free: true))}"#)
        #expect(
            result.granted?.terms == ProductTerms(trialDays: 14, freeTier: true, signedAt: Moment(KeylightBench.now)))
        for untrue in [
            try bench.terms(14, product: "other"), try bench.terms(14).replacing(":14,", with: ":99,"),
            try bench.terms(14, issued: -90_000), #""trial_duration_days":14,"free_tier_enabled":true"#,
        ] {
            let answer = try await bench.renewal(200, #"{"valid":true,"lease":\#(bench.lease()),\#(untrue)}"#)
            #expect(answer.granted != nil)
            #expect(answer.granted?.terms == nil, "\(untrue)")
            let refused = try await bench.renewal(422, #"{"error":"x","code":"license_revoked",\#(untrue)}"#)
            #expect(refused.refusal != nil)
            #expect(refused.refusal?.terms == nil, "\(untrue)")
        }
    }

    @Test func `signed product terms are read from refusals and from an activation's response`() async throws {
        let terms = ProductTerms(trialDays: 14, freeTier: true, signedAt: Moment(KeylightBench.now))
        let signed = try bench.terms(14, free: true)
        for lease in ["", #","lease":\#(try bench.lease(.expired))"#, #","lease":\#(try bench.lease(.fallback))"#] {
            let no = try await bench.renewal(422, #"{"error":"x","code":"license_expired",\#(signed)\#(lease)}"#)
            #expect(no.refusal?.terms == terms, "\(lease)")
        }
        let ended = try await bench.renewal(200, #"{"valid":false,"lease":\#(bench.lease(.expired)),\#(signed)}"#)
        #expect(ended.refusal?.terms == terms)
        let activated = try await bench.activation(
            200,
            #"{"activated":true,"instance_id":"\#(KeylightBench.instance)","lease":\#(bench.lease()),\#(signed)}"#)
        #expect(activated.granted?.terms == terms)
    }

    @Test func `a fallback lease is accepted with status 200 and in a refusal`() async throws {
        let lease = try bench.lease(.fallback)
        #expect(try await bench.renewal(200, "{\"lease\":\(lease)}").granted?.facts.status == .fallback)
        let no = try await bench.renewal(422, #"{"error":"x","code":"license_expired","lease":\#(lease)}"#)
        #expect(no.refusal?.lease?.facts.status == .fallback)
    }

    @Test func `a response with an expired lease is a refusal, with status 200 or 422`() async throws {
        let lease = try bench.lease(.expired)
        let said = try await bench.renewal(200, "{\"valid\":false,\"lease\":\(lease)}")
        #expect(said.refusal?.reasons.map(\.code) == ["license_expired"])
        #expect(said.refusal?.lease?.facts.status == .expired)
        let foreign = try await bench.renewal(422, "{\"error\":\"Expired\",\"lease\":\(lease)}")
        #expect(foreign.refusal?.reasons.map(\.code) == ["license_refused"])
        #expect(foreign.refusal?.lease?.facts.status == .expired)
    }

    @Test(arguments: [
        (404, "license_unknown"), (422, "license_revoked"), (422, "license_suspended"), (422, "license_returned"),
        (422, "license_expired"), (422, "activation_released"), (404, "license_of_a_kind_yet_to_come"),
    ])
    func `a 404 or 422 response whose error code is about a license is a refusal`(status: Int, code: String)
        async throws
    {
        let body = #"{"error":"No.","code":"\#(code)","reasons":[{"code":"\#(code)","message":"No.","cure":"Ask."}]}"#
        let no = try await bench.renewal(status, body).refusal
        #expect(no?.reasons == [ToldReason(code: code, message: "No.", cure: "Ask.")])
        let bare = try await bench.renewal(status, #"{"error":"No.","code":"\#(code)"}"#).refusal
        #expect(bare?.reasons == [ToldReason(code: code, message: "No.")])
    }

    @Test func `a 422 response without an error code is a refusal if the server has never sent an error code`()
        async throws
    {
        let no = try await bench.renewal(422, #"{"error":"License has been revoked"}"#).refusal
        #expect(no?.reasons == [ToldReason(code: "license_refused", message: "License has been revoked")])
    }

    @Test(
        arguments: [
            (404, #"{"error":"x","code":"tenant_unknown"}"#, .misconfigured),
            (404, #"{"error":"x","code":"product_unknown"}"#, .misconfigured),
            (404, #"{"error":"x","code":null}"#, .misconfigured), (404, #"{"error":"x","code":7}"#, .misconfigured),
            (422, #"{"error":"x","code":"field_missing"}"#, .misconfigured),
            (400, #"{"error":"x"}"#, .misconfigured), (401, #"{"error":"x"}"#, .misconfigured),
            (401, #"{"error":"x","code":"license_revoked"}"#, .misconfigured),
            (402, #"{"error":"x","code":"activation_limit_reached"}"#, .misconfigured),
            (402, #"{"error":"x"}"#, .misconfigured), (403, #"{"error":"x","code":"license_revoked"}"#, .misconfigured),
            (410, #"{"error":"x","code":"license_revoked"}"#, .misconfigured),
            (408, #"{"error":"x","code":"license_revoked"}"#, .busy), (429, #"{"error":"x"}"#, .busy),
            (500, #"{"error":"x","code":"license_revoked"}"#, .busy), (502, "<html>Bad gateway", .busy),
            (503, #"{"error":"x","code":"try_again"}"#, .busy), (511, "<html>Sign in", .captive),
            (302, #"{"error":"x","code":"license_revoked"}"#, .captive), (404, "<html>Not found", .captive),
            (422, "<html>No", .captive), (404, #"{"message":"no route"}"#, .captive), (422, "[]", .captive),
            (422, #"{"error":""}"#, .captive), (200, "<html>Welcome to the hotel", .captive), (200, "", .captive),
            (200, "{}", .captive), (200, #"{"valid":false,"error":"x"}"#, .captive),
            (200, #"{"valid":true,"lease":[]}"#, .unverified), (200, #"{"valid":true,"lease":{}}"#, .unverified),
            (422, #"{"error":"x","code":"license_revoked","lease":{"kid":"k1"}}"#, .unverified),
        ] as [(Int, String, RequestFailure.Cause)])
    func `a response to a renewal that is neither a lease nor a refusal is a request failure`(
        status: Int, body: String, cause: RequestFailure.Cause
    )
        async throws
    {
        let answer = try await bench.renewal(status, body)
        #expect(answer.unreached?.cause == cause, "\(answer)")
    }

    @Test func `a lease with another license key, instance or signer, or a changed status, isn't accepted`()
        async throws
    {
        let stranger = Ed25519.PrivateKey.generate()
        for (lease, what) in [
            (try bench.lease(of: "NOTE-PRO0-0000-0002"), "another key"),
            (try bench.lease(to: "5f0c2a1e-0000-4000-8000-000000000002"), "another instance"),
            (try bench.lease(kid: "k9"), "an unknown kid"), (try bench.lease(by: stranger), "another signer"),
            (try bench.lease().replacing("active", with: "fallback"), "a changed status"),
        ] {
            for (status, rest) in [(200, "\"valid\":true"), (422, #""error":"x","code":"license_expired""#)] {
                let answer = try await bench.renewal(status, "{\(rest),\"lease\":\(lease)}")
                #expect(answer.unreached?.cause == .unverified, "\(what), \(status): \(answer)")
            }
        }
    }

    @Test func `over Keylight, a lease that was issued before the newest accepted one is refused`() async throws {
        let body = "{\"valid\":true,\"lease\":\(try bench.lease())}"
        let newest = Moment(KeylightBench.now)
        #expect(try await bench.renewal(200, body, notBefore: newest).granted != nil)
        let later = Moment(KeylightBench.now.adding(seconds: 1))
        #expect(try await bench.renewal(200, body, notBefore: later).unreached?.cause == .unverified)
    }

    @Test func `a refusal that contains an active lease isn't accepted`() async throws {
        let answer = try await bench.renewal(
            422, #"{"error":"x","code":"license_revoked","lease":\#(bench.lease())}"#)
        #expect(answer.unreached?.cause == .unverified)
    }

    @Test func `a failed renewal reports the server's Retry-After`() async throws {
        let answer = try await withServer { _ in
            var busy = Response.json(503, "{}")
            busy.headers.add("Retry-After", "90")
            return busy
        } _: { url in
            try await bench.client(of: url).renew(bench.held, notBefore: nil)
        }
        #expect(answer.unreached?.retryAfter == 90)
    }
}
