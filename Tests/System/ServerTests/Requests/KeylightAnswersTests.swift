import TenureCore
import TenureFormats
import TenureHTTP
import TenureLicensing
import TenureLicensingServer
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct `The Keylight dialect` {
    @Test func `an activation returns an instance id and a signed lease`() async throws {
        let vendor = try await Vendor()
        let answer = await vendor.activate("NOTE-PRO0-0000-0001")
        #expect(answer.status == 200)
        #expect(answer.body["activated"] == .bool(true))
        #expect(answer.body["license_expires_at"] == .null)
        #expect(answer.lease("status") == .string("active"))
        #expect(answer.lease("entitlements") == .array([.string("pro"), .string("sync")]))
        #expect(answer.lease("instanceId") == answer.body["instance_id"])
        #expect(answer.lease("expiresAt") == .integer(1_800_000_000 + 7 * 86_400))
    }

    @Test func `a refresh returns the lease and the signed configuration`() async throws {
        let vendor = try await Vendor()
        let instance = try #require(await vendor.activate("NOTE-RENT-0000-0002").text("instance_id"))
        let answer = await vendor.validate("note-rent-0000-0002", instance)
        #expect(answer.status == 200)
        #expect(answer.body["valid"] == .bool(true))
        #expect(answer.body["license_expires_at"] == .integer(1_800_000_000 + 30 * 86_400))
        #expect(answer.body["trial_duration_days"] == .integer(14))
        #expect(answer.body["free_tier_enabled"] == .bool(true))
        #expect(answer.body["expires_at"] == .integer(1_800_000_000 + 30 * 86_400))
        #expect(answer.text("kid") == (try await vendor.store.signingKeys().first?.kid))
    }

    @Test func `an activation beyond the limit gets 402, and an active device is still accepted`() async throws {
        let vendor = try await Vendor()
        _ = await vendor.activate("NOTE-RENT-0000-0002", hash: "a")
        let answer = await vendor.activate("NOTE-RENT-0000-0002", hash: "b")
        #expect(answer.status == 402)
        #expect(answer.code == "activation_limit_reached")
        #expect(answer.body["activated"] == .bool(false))
        let again = await vendor.activate("NOTE-RENT-0000-0002", hash: "a")
        #expect(again.status == 200)
    }

    @Test func `a license is valid through the last second of its grace period`() async throws {
        let vendor = try await Vendor()
        let instance = try #require(await vendor.activate("NOTE-RENT-0000-0002").text("instance_id"))
        vendor.clock.advance(seconds: 32 * 86_400 - 1)
        let inGrace = await vendor.validate("NOTE-RENT-0000-0002", instance)
        #expect(inGrace.status == 200)
        #expect(inGrace.lease("expiresAt") == .integer(1_800_000_000 + 32 * 86_400))
        vendor.clock.advance(seconds: 1)
        let lapsed = await vendor.validate("NOTE-RENT-0000-0002", instance)
        #expect(lapsed.status == 422)
        #expect(lapsed.body["valid"] == .bool(false))
        #expect(lapsed.reasons == ["license_expired"])
        #expect(lapsed.lease("status") == .string("expired"))
        #expect(lapsed.lease("entitlements") == .array([]))
    }

    @Test func `an expired license is activated only with fallback access`() async throws {
        let vendor = try await Vendor()
        vendor.clock.advance(days: 40)
        let hard = await vendor.activate("NOTE-RENT-0000-0002")
        #expect(hard.status == 422)
        #expect(hard.body["activated"] == .bool(false))
        #expect(hard.lease("status") == .string("expired"))
        #expect(hard.lease("instanceId") == .string(""))
        let soft = await vendor.activate("NOTE-SOFT-0000-0003")
        #expect(soft.status == 200)
        #expect(soft.body["activated"] == .bool(true))
        #expect(soft.lease("status") == .string("fallback"))
        let instance = try #require(soft.text("instance_id"))
        let refreshed = await vendor.validate("NOTE-SOFT-0000-0003", instance)
        #expect(refreshed.status == 422)
        #expect(refreshed.lease("status") == .string("fallback"))
    }

    @Test(arguments: [
        (OperatorAct.suspend, 422, 422, "license_suspended", true), (.revoke, 404, 422, "license_revoked", false),
        (.giveBack, 404, 422, "license_returned", false),
    ]) func `a suspended, revoked or returned license is refused without a lease`(
        act: OperatorAct, onActivate: Int, onValidate: Int, code: String, saysInvalid: Bool
    ) async throws {
        let vendor = try await Vendor()
        let instance = try #require(await vendor.activate("NOTE-PRO0-0000-0001").text("instance_id"))
        _ = try await vendor.act(act, on: "NOTE-PRO0-0000-0001")
        let activated = await vendor.activate("NOTE-PRO0-0000-0001")
        #expect(activated.status == onActivate)
        #expect(activated.code == code)
        #expect(activated.body["lease"] == nil)
        let validated = await vendor.validate("NOTE-PRO0-0000-0001", instance)
        #expect(validated.status == onValidate)
        #expect(validated.code == code)
        #expect(validated.body["lease"] == nil)
        #expect(validated.body["valid"] == (saysInvalid ? .bool(false) : nil))
    }

    @Test func `a refresh with an unknown or a released instance id gets the same refusal`() async throws {
        let vendor = try await Vendor()
        let instance = try #require(await vendor.activate("NOTE-PRO0-0000-0001").text("instance_id"))
        for _ in 0..<2 {
            let answer = await vendor.post("/acme/notes/deactivate", #"{"instance_id":"\#(instance)"}"#)
            #expect(answer.status == 200)
        }
        for name in [instance, "00000000-0000-4000-8000-000000000000", "no-uuid"] {
            let answer = await vendor.validate("NOTE-PRO0-0000-0001", name)
            #expect(answer.status == 422)
            #expect(answer.reasons == ["activation_released"])
            #expect(answer.body["lease"] == nil)
        }
    }

    @Test func `a deactivation through another product leaves the activation active`() async throws {
        let vendor = try await Vendor()
        let instance = try #require(await vendor.activate("NOTE-PRO0-0000-0001").text("instance_id"))
        let headers: Headers = ["Content-Type": "application/json", "X-Keylight-SDK-Key": "sdk_live_1"]
        _ = await vendor.post("/acme/draw/deactivate", #"{"instance_id":"\#(instance)"}"#, headers: headers)
        #expect(await vendor.validate("NOTE-PRO0-0000-0001", instance).status == 200)
    }

    @Test func `a license key of another product gets the same response as an unknown key`() async throws {
        let vendor = try await Vendor()
        let foreign = await vendor.activate("DRAW-PRO0-0000-0001")
        let unknown = await vendor.activate("NOTE-NONE-0000-0000")
        #expect(foreign.status == 404)
        #expect(foreign.body == unknown.body)
    }

    @Test(arguments: [
        ("{", 400, "json_malformed"), ("[]", 400, "json_not_an_object"), ("", 400, "json_malformed"),
        (#"{"license_key":"a","license_key":"b"}"#, 400, "json_duplicate_member"),
        (String(repeating: "[", count: 40), 400, "json_too_deep"), ("{}", 400, "field_missing"),
        (#"{"license_key":"a"}"#, 400, "field_missing"),
        (#"{"license_key":"","instance_name":"m"}"#, 400, "field_missing"),
        (#"{"license_key":"  ","instance_name":"m"}"#, 400, "field_missing"),
        (#"{"license_key":7,"instance_name":"m"}"#, 400, "field_invalid"),
        (#"{"license_key":null,"instance_name":"m"}"#, 400, "field_missing"),
        (#"{"license_key":"NONE","instance_name":"m","later":{"field":[1]}}"#, 404, "license_unknown"),
    ]) func `a malformed activation request gets an error with a code and reasons, and an unknown member is ignored`(
        body: String, status: Int, code: String
    )
        async throws
    {
        let answer = await (try Vendor()).post("/acme/notes/activate", body)
        #expect(answer.status == status)
        #expect(answer.code == code)
        #expect(answer.text("error") != nil)
        #expect(answer.body["reasons"] != nil)
    }

    @Test(
        arguments: [
            (nil, 404), ("application/json", 404), ("application/json; charset=utf-8", 404), ("text/plain", 415),
            ("application/x-www-form-urlencoded", 415),
        ] as [(String?, Int)]) func `an activation request with a content type other than JSON gets 415`(
            type: String?, status: Int
        )
        async throws
    {
        var headers = Headers()
        if let type { headers.add("Content-Type", type) }
        let answer = await (try Vendor()).post(
            "/acme/notes/activate", #"{"license_key":"x","instance_name":"m"}"#, headers: headers)
        #expect(answer.status == status)
    }

    @Test(
        arguments: [(nil, 401, "sdk_key_required"), ("sdk_live_2", 401, "sdk_key_invalid"), ("sdk_live_1", 200, nil)]
            as [(String?, Int, String?)])
    func `a product that requires an SDK key responds with 401 to a missing or wrong one`(
        key: String?, status: Int, code: String?
    )
        async throws
    {
        var headers: Headers = ["Content-Type": "application/json"]
        if let key { headers.add("x-keylight-sdk-key", key) }
        let answer = await (try Vendor()).get("/acme/draw/config", headers: headers)
        #expect(answer.status == status)
        #expect(answer.code == code)
    }

    @Test func `the request id of the client is echoed, in a success and in a failure`() async throws {
        let vendor = try await Vendor()
        let headers: Headers = ["Content-Type": "application/json", "X-Keylight-Request-Id": "0a1b2c3d"]
        #expect(await vendor.get("/acme/notes/config", headers: headers).headers["X-Keylight-Request-Id"] == "0a1b2c3d")
        #expect(await vendor.get("/none/notes/config", headers: headers).headers["X-Keylight-Request-Id"] == "0a1b2c3d")
        let hostile: Headers = ["X-Keylight-Request-Id": "a b"]
        #expect(await vendor.get("/acme/notes/config", headers: hostile).headers["X-Keylight-Request-Id"] == nil)
    }

    @Test(arguments: [
        ("/none/notes/config", "tenant_unknown"), ("/acme/none/config", "product_unknown"),
        ("/ACME/notes/config", "tenant_unknown"), ("/acme/../config", "route_unknown"), ("/x/y/z/w", "route_unknown"),
        ("/acme/notes/unknown", "route_unknown"), ("/acme/%2e%2e/config", "route_unknown"),
    ])
    func `a request for an unknown tenant, product or route gets 404 with a code that says which is unknown`(
        path: String, code: String
    ) async throws {
        let answer = await (try Vendor()).get(path)
        #expect(answer.status == 404)
        #expect(answer.code == code)
    }

    @Test(arguments: [("trial", 200), ("free_tier", 200), ("expired", 200), ("paid", 400)])
    func `an app without a license can report trial, free_tier or expired, and gets the trial's length`(
        state: String, status: Int
    )
        async throws
    {
        let answer = await (try Vendor()).post("/acme/notes/keyless", #"{"instance_id":"x","state":"\#(state)"}"#)
        #expect(answer.status == status)
        if status == 200 { #expect(answer.body["trial_duration_days"] == .integer(14)) }
    }

    @Test func `a machine hash in either letter case identifies the same device`() async throws {
        let vendor = try await Vendor()
        let (small, capital) = (String(repeating: "ab", count: 32), String(repeating: "AB", count: 32))
        let first = await vendor.activate("NOTE-RENT-0000-0002", hash: capital)
        #expect(
            await vendor.activate("NOTE-RENT-0000-0002", hash: small).text("instance_id") == first.text("instance_id"))
        #expect(try await vendor.activations(of: "NOTE-RENT-0000-0002").map(\.identity) == [.machine(small)])
    }

    @Test func `a machine id that isn't a hash is stored as its digest`() async throws {
        let vendor = try await Vendor()
        _ = await vendor.activate("NOTE-RENT-0000-0002", hash: "C02-SERIAL")
        let stored = try await vendor.activations(of: "NOTE-RENT-0000-0002")
        guard case .machine(let kept) = stored[0].identity else { throw NoHash() }
        #expect(kept.hasPrefix("sha256:") && kept.count == 71)
        #expect(await vendor.activate("NOTE-RENT-0000-0002", hash: "C02-SERIAL").status == 200)
        #expect(await vendor.activate("NOTE-RENT-0000-0002", hash: "C02-OTHER").status == 402)
    }

    @Test(arguments: [
        (String(repeating: "x", count: 64), 200), (String(repeating: "x", count: 65), 402), ("caf\u{E9}", 402),
        ("", 402),
    ])
    func `only a request id of 1 to 64 printable ASCII bytes identifies a repeated activation`(id: String, status: Int)
        async throws
    {
        let vendor = try await Vendor()
        let headers: Headers = ["Content-Type": "application/json", "X-Keylight-Request-Id": id]
        let body = #"{"license_key":"NOTE-RENT-0000-0002","instance_name":"Mac"}"#
        #expect(await vendor.post("/acme/notes/activate", body, headers: headers).status == 200)
        #expect(await vendor.post("/acme/notes/activate", body, headers: headers).status == status)
        let stored = try await vendor.activations(of: "NOTE-RENT-0000-0002")
        #expect((stored[0].identity != .anonymous) == (status == 200))
    }

    @Test func `without a machine hash, an activation request repeated within ten minutes gets the same activation`()
        async throws
    {
        let vendor = try await Vendor()
        let headers: Headers = ["Content-Type": "application/json", "X-Keylight-Request-Id": "0a1b2c3d"]
        let body = #"{"license_key":"NOTE-RENT-0000-0002","instance_name":"Mac"}"#
        let first = await vendor.post("/acme/notes/activate", body, headers: headers)
        vendor.clock.advance(seconds: 600)
        let repeated = await vendor.post("/acme/notes/activate", body, headers: headers)
        #expect(first.status == 200)
        #expect(repeated.text("instance_id") == first.text("instance_id"))
        vendor.clock.advance(seconds: 1)
        #expect(await vendor.post("/acme/notes/activate", body, headers: headers).status == 402)
    }

    @Test func `a pasted license key is found, and its lease is bound to the text that was sent`() async throws {
        let vendor = try await Vendor()
        let pasted = "\u{FEFF}note\u{2011}pro0\u{A0}\u{2013}0000-0001\u{200B}"
        let sent = try #require(LicenseKeyText(pasted))
        let answer = await vendor.activate(pasted)
        #expect(answer.status == 200)
        #expect(answer.lease("licenseKeyHash") == .string(Hex.encode(sent.digest.bytes)))
        let instance = try #require(answer.text("instance_id"))
        let refreshed = await vendor.validate(pasted, instance)
        #expect(refreshed.status == 200)
        #expect(refreshed.lease("licenseKeyHash") == answer.lease("licenseKeyHash"))
        let typed = await vendor.validate("NOTE-PRO0-0000-0001", instance)
        #expect(typed.status == 200 && typed.lease("licenseKeyHash") != answer.lease("licenseKeyHash"))
        #expect(try await vendor.store.findLicenses(pasted).count == 1)
        #expect(await vendor.activate("NOTE\u{2011}NONE").code == "license_unknown")
    }

    @Test func `a key with an en dash activates its own license, not the one whose key has a hyphen there`()
        async throws
    {
        let plain = #"{"key": "NOTE-RENT-0000-0002", "policy": "rent"}"#
        let own = #"{"key": "NOTE\u2013RENT-0000-0002", "policy": "pro"}"#
        let vendor = try await Vendor(Vendor.catalog.replacing(plain, with: "\(plain), \(own)"))
        let dashed = await vendor.activate("note\u{2013}rent-0000-0002")
        #expect(dashed.lease("entitlements") == .array([.string("pro"), .string("sync")]))
        #expect(await vendor.activate("note-rent-0000-0002").lease("entitlements") == .array([.string("pro")]))
    }

    @Test func `a generated license key that is typed with look-alike letters is activated`() async throws {
        let vendor = try await Vendor()
        let licensing = try await vendor.licensing()
        let product = ProductRef(tenant: TenantID("acme")!, product: ProductID("notes")!)
        var text = ""
        // A 0 or a 1 in the key can be mistyped as a similar letter.
        while !text.dropFirst(5).contains(where: { "01".contains($0) }) {
            text = try #require(
                try await licensing.issueLicenses(
                    .init(product: product, policy: PolicyID("pro")!), by: .operator("test")))[0].keyText
        }
        let tail = String(text.dropFirst(5).map { $0 == "0" ? "o" : $0 == "1" ? "l" : $0 })
        #expect(await vendor.activate(" note-" + tail.lowercased()).status == 200)
    }
}

private struct NoHash: Error {}

extension Vendor {
    /// Returns the activations of the license with this key, including released ones.
    fileprivate func activations(of key: String) async throws -> [Activation] {
        try await store.activations(of: try await store.findLicenses(key)[0].id, includingReleased: true)
    }
}
