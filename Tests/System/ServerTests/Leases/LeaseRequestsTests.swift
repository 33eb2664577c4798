import TenureHTTP
import TenureServerKit
import TenureStore
import Testing

@Suite struct `Requests of the Tenure dialect` {
    static let nonce = String(repeating: "A", count: 22)
    static let device = String(repeating: "a", count: 64)
    static let good = [
        ("nonce", "\"\(nonce)\""), ("device", "\"\(device)\""), ("licenseKey", "\"NOTE-PRO0-0000-0001\""),
        ("activation", "\"00000000-0000-4000-8000-000000000001\""),
    ]

    func body(_ members: [(String, String)]) -> String {
        "{\(members.map { "\"\($0)\":\($1)" }.joined(separator: ","))}"
    }

    /// Expects an unsigned error with this status and code.
    func expect(_ answer: Answer, _ status: Int, _ code: String, _ text: String) {
        #expect(answer.status == status && answer.code == code, "\(text)")
        #expect(answer.headers["Content-Type"] == "application/problem+json")
        #expect(answer.body["refusal"] == nil && answer.body["lease"] == nil)
    }

    @Test(arguments: ["activate", "renew", "release"])
    func `a request with a missing or empty member or one of the wrong type gets an unsigned error`(verb: String)
        async throws
    {
        let vendor = try await Vendor()
        for (index, member) in Self.good.enumerated() where verb != "activate" || member.0 != "activation" {
            for (value, code) in [
                (nil, "field_missing"), ("null", "field_missing"), ("\"\"", "field_missing"), ("7", "field_invalid"),
            ] {
                var members = Self.good
                if let value { members[index].1 = value } else { members.remove(at: index) }
                let answer = await vendor.post("/v1/acme/notes/leases/\(verb)", body(members))
                expect(answer, 422, code, "\(member.0) \(value ?? "absent")")
            }
        }
    }

    @Test(arguments: [
        ("nonce", "\"AAAA\""), ("nonce", "\"\(String(repeating: "A", count: 87))\""), ("nonce", "\"\(nonce)==\""),
        ("nonce", "\"AAAAAAAAAAAAAAAAAAAAAB\""), ("device", "\"\(String(repeating: "A", count: 64))\""),
        ("device", "\"aa\""), ("licenseKey", "\" \""), ("licenseKey", "\"\(String(repeating: "A", count: 4097))\""),
        ("activation", "\"5\""),
    ])
    func `a request in which a member has an invalid value gets an unsigned error`(name: String, value: String)
        async throws
    {
        let vendor = try await Vendor()
        let answer = await vendor.post(
            "/v1/acme/notes/leases/renew", body(Self.good.map { $0.0 == name ? (name, value) : $0 }))
        expect(answer, 422, "field_invalid", name)
    }

    @Test func `a body that isn't a JSON object, isn't declared as JSON or is too long is refused`() async throws {
        let vendor = try await Vendor()
        let path = "/v1/acme/notes/leases/activate"
        expect(await vendor.post(path, "{"), 400, "json_malformed", "cut")
        expect(await vendor.post(path, "[]"), 400, "json_not_an_object", "a list")
        expect(
            await vendor.post(path, body(Self.good), headers: ["Content-Type": "text/plain"]), 415,
            "content_type_unsupported", "text")
        let padded = body(Self.good + [("pad", "\"\(String(repeating: "x", count: 16 << 10))\"")])
        expect(await vendor.post(path, padded), 413, "body_too_large", "long")
    }

    @Test func `a request with an unknown tenant or product, or a missing or wrong SDK key, gets an unsigned error`()
        async throws
    {
        let vendor = try await Vendor()
        let body = body(Self.good)
        expect(await vendor.post("/v1/nobody/notes/leases/renew", body), 404, "tenant_unknown", "tenant")
        expect(await vendor.post("/v1/acme/nothing/leases/renew", body), 404, "product_unknown", "product")
        expect(await vendor.post("/v1/acme/draw/leases/renew", body), 401, "sdk_key_required", "SDK key")
        let wrong: Headers = ["Content-Type": "application/json", "Tenure-SDK-Key": "x"]
        expect(await vendor.post("/v1/acme/draw/leases/renew", body, headers: wrong), 401, "sdk_key_invalid", "wrong")
        let right: Headers = ["Content-Type": "application/json", "Tenure-SDK-Key": "sdk_live_1"]
        let answer = await vendor.post("/v1/acme/draw/leases/renew", body, headers: right)
        #expect(answer.status == 404 && answer.code == "license_unknown" && answer.text("refusal") != nil)
    }

    @Test(arguments: ["", "?nonce=", "?nonce=AAAA", "?nonce=%zz", "?nonce=\(nonce)&nonce=\(nonce)"])
    func `a request for a keyset or a product without a valid nonce is refused`(query: String) async throws {
        let vendor = try await Vendor()
        for what in ["keyset", "product"] {
            let answer = await vendor.get("/v1/acme/notes/leases/\(what)\(query)")
            #expect(answer.status == 422 || answer.status == 400)
            #expect(answer.body[what] == nil)
        }
    }
}
