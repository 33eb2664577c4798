import TenureClient
import TenureCore
import TenureFormats
import TenureHTTP
import TenureLicensing
import Testing

@Suite struct KeylightActivationTests {
    private let bench = KeylightBench()

    @Test
    func `a Keylight activation sends the license key, the device's name and hash, and the free-tier instance's id`()
        async throws
    {
        let received = Heard()
        let body = #"{"activated":true,"instance_id":"\#(KeylightBench.instance)","lease":\#(try bench.lease())}"#
        let answer = try await withServer { request in
            received.note(request)
            return .json(200, body)
        } _: { url in
            try await bench.client(of: url).activate(key: KeylightBench.key, name: "Laptop", freeTier: "f-1")
        }
        #expect(answer.granted?.facts.activation == KeylightBench.instance)
        let request = try #require(received.all.first)
        #expect(received.paths == ["/acme/notes/activate"])
        #expect(request.headers["X-Keylight-SDK-Key"] == "sdk_live_x")
        #expect(request.headers["X-Keylight-Request-Id"]?.count == 8)
        let sent = try FlatObject(scanning: request.body)
        #expect(sent.names == ["license_key", "instance_name", "free_tier_instance_id", "machine_hash"])
        #expect(sent.string("license_key").value == KeylightBench.key)
        #expect(sent.string("free_tier_instance_id").value == "f-1")
    }

    @Test
    func `a lease is accepted if its license key differs from the typed one only by look-alike characters`()
        async throws
    {
        let lease = try bench.lease(of: "NOTE-0000-0000-0000-0001")
        let body = #"{"activated":true,"instance_id":"\#(KeylightBench.instance)","lease":\#(lease)}"#
        for (typed, believed) in [("note-OOOO-0000-0000-000I ", true), ("NOTE-0000-0000-0000-0002", false)] {
            let answer = try await withServer { _ in
                .json(200, body)
            } _: { url in
                try await bench.client(of: url).activate(key: typed, name: "Laptop", freeTier: nil)
            }
            #expect((answer.granted != nil) == believed, "\(typed)")
        }
    }

    @Test(arguments: [
        (402, #"{"error":"x","code":"activation_limit_reached"}"#, "activation_limit_reached"),
        (402, #"{"error":"Instance limit"}"#, "activation_limit_reached"),
        (404, #"{"error":"x","code":"license_unknown"}"#, "license_unknown"),
        (404, #"{"error":"x","code":"license_revoked"}"#, "license_revoked"),
        (404, #"{"error":"Not found"}"#, "license_unknown"),
        (422, #"{"error":"x","code":"license_suspended"}"#, "license_suspended"),
        (422, #"{"error":"Expired"}"#, "license_refused"),
    ])
    func `a refused activation has reasons and no lease`(status: Int, body: String, code: String) async throws {
        let plain = try await bench.activation(status, body)
        #expect(plain.refusal?.reasons.map(\.code) == [code])
        let lease = try bench.lease(.expired, to: "")
        let signed = try await bench.activation(status, body.dropLast() + ",\"lease\":\(lease)}")
        #expect(signed.refusal?.reasons.map(\.code) == [code])
        #expect(signed.refusal?.lease == nil)
    }

    @Test(
        arguments: [
            (404, #"{"error":"x","code":"product_unknown"}"#, .misconfigured),
            (402, #"{"error":"x","code":"plan_limit"}"#, .misconfigured), (402, "<html>Pay for wifi", .captive),
            (403, #"{"error":"Tenant suspended"}"#, .misconfigured), (429, "{}", .busy), (500, "{}", .busy),
            (200, #"{"activated":true,"instance_id":"x"}"#, .captive),
        ] as [(Int, String, RequestFailure.Cause)])
    func `a response to an activation that is neither a lease nor a refusal of the license is a request failure`(
        status: Int, body: String, cause: RequestFailure.Cause
    ) async throws {
        #expect(try await bench.activation(status, body).unreached?.cause == cause)
    }

    @Test func `a lease isn't accepted if the activation's response names another instance or none`() async throws {
        let lease = try bench.lease()
        for body in ["{\"instance_id\":\"other\",\"lease\":\(lease)}", "{\"lease\":\(lease)}"] {
            #expect(try await bench.activation(200, body).unreached?.cause == .unverified, "\(body)")
        }
    }
}
