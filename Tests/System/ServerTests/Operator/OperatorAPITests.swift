import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureLicensing
import TenureLicensingServer
import TenureStore
import TenureTesting
import Testing

@testable import TenureServerKit

@Suite struct `The operator API` {
    @Test func `a license can be issued, found, changed and explained`() async throws {
        let shop = try await Shop()
        let issued = await shop.post("licenses", #"{"product": "notes", "policy": "rent", "holder": "ada"}"#)
        #expect(issued.status == 201)
        let license = try #require(issued.first("licenses"))
        let id = try #require(license.text("id"))
        let key = try #require(license.text("licenseKey"))
        #expect(await shop.vendor.activate(key).status == 200)
        #expect(await shop.get("licenses/\(id)").text("state") == "active")
        #expect(
            await shop.post("licenses/find", #"{"licenseKey": "\#(key.lowercased())"}"#).first("licenses")?.text("id")
                == id)
        let renewed = await shop.post("licenses/\(id)/renew", #"{"days": 10}"#)
        #expect(renewed.text("expiresAt") == "2027-02-24T08:00:00Z")
        #expect(await shop.post("licenses/\(id)/suspend", "").text("state") == "suspended")
        let explained = await shop.get("licenses/\(id)/explain")
        #expect(explained.reasons == ["license_suspended"])
        #expect(await shop.post("licenses/\(id)/reinstate", "").text("state") == "active")
        let changed = await shop.post(
            "licenses/\(id)/change", #"{"holder": null, "policy": "soft", "expiresAt": null}"#)
        #expect(changed.body["holder"] == .null && changed.body["expiresAt"] == .null)
        let rekeyed = await shop.post("licenses/\(id)/rekey", "{}")
        #expect(rekeyed.text("licenseKey") != key)
        let dead = await shop.vendor.activate(key)
        #expect(dead.status == 422 && dead.reasons == ["license_rekeyed"] && dead.body["lease"] == nil)
        #expect(await shop.post("licenses/\(id)/revoke", "").text("state") == "revoked")
        let refused = await shop.post("licenses/\(id)/renew", "")
        #expect(refused.status == 409)
        #expect(refused.reasons == ["license_revoked"])
    }

    @Test func `a device is listed for its license until it is released, and then among the released ones`()
        async throws
    {
        let shop = try await Shop()
        let instance = try #require(await shop.vendor.activate("NOTE-RENT-0000-0002").text("instance_id"))
        let id = try #require(
            await shop.post("licenses/find", #"{"licenseKey": "NOTE-RENT-0000-0002"}"#).first("licenses")?.text("id"))
        let own = try #require(ActivationID(text: instance))
        let shown = try shop.vendor.names.shown(own).description
        #expect(await shop.get("licenses/\(id)/activations").first("activations")?.text("id") == shown)
        #expect(await shop.post("activations/\(shown)/release", "").body["changed"] == .bool(true))
        #expect(await shop.post("activations/\(instance)/release", "").body["changed"] == .bool(false))
        #expect(await shop.get("licenses/\(id)/activations").first("activations") == nil)
        #expect(await shop.get("licenses/\(id)/activations?released=true").first("activations")?.text("id") == shown)
    }

    @Test func `a license's own activation limit can be set, enforced and removed`() async throws {
        let shop = try await Shop()
        let issued = await shop.post("licenses", #"{"product": "notes", "policy": "rent", "activationLimit": 4}"#)
        let license = try #require(issued.first("licenses"))
        let (id, key) = (try #require(license.text("id")), try #require(license.text("licenseKey")))
        #expect(await shop.get("licenses/\(id)").body["activationLimit"] == .integer(4))
        for _ in 0..<4 { #expect(await shop.vendor.activate(key).status == 200) }
        #expect(await shop.vendor.activate(key).reasons == ["activation_limit_reached"])
        let reset = await shop.post("licenses/\(id)/change", #"{"activationLimit": null}"#)
        #expect(reset.body["activationLimit"] == .null)
        #expect(await shop.post("licenses/\(id)/change", #"{"activationLimit": 0}"#).status == 422)
    }

    @Test func `the endpoint forgive-devices changes nothing without a released device, and refuses a revoked license`()
        async throws
    {
        let shop = try await Shop()
        let issued = await shop.post("licenses", #"{"product": "notes", "policy": "rent"}"#)
        let id = try #require(issued.first("licenses")?.text("id"))
        #expect(await shop.post("licenses/\(id)/forgive-devices", "").body["changed"] == .bool(false))
        _ = await shop.post("licenses/\(id)/revoke", "")
        let refused = await shop.post("licenses/\(id)/forgive-devices", "")
        #expect(refused.status == 409 && refused.reasons == ["license_revoked"])
        #expect(await shop.post("licenses/lic_0000000000001/forgive-devices", "").status == 404)
    }

    @Test func `pages of licenses and events continue where the previous page ended`() async throws {
        let shop = try await Shop()
        _ = await shop.post("licenses", #"{"product": "notes", "policy": "pro", "count": 7}"#)
        var seen: [String] = []
        var query = "?limit=3"
        while true {
            let page = await shop.get("licenses\(query)")
            seen += page.all("licenses").compactMap { $0.text("id") }
            guard let next = page.text("next") else { break }
            query = "?limit=3&after=\(next)"
        }
        #expect(seen.count == 11 && Set(seen).count == 11)
        let first = await shop.get("events?limit=5")
        let rest = await shop.get("events?after=\(first.text("next") ?? "")")
        #expect(first.all("events").count == 5)
        #expect(rest.all("events").count == 6)
        #expect(await shop.get("events?after=\(rest.text("next") ?? "")").all("events").isEmpty)
    }

    @Test func `a request repeated with its idempotency key is carried out once and gets the same response`()
        async throws
    {
        let shop = try await Shop()
        let order = #"{"product": "notes", "policy": "pro"}"#
        let first = await shop.post("licenses", order, key: "order-1")
        let again = await shop.post("licenses", order, key: "order-1")
        #expect(first.status == 201 && again.status == 201)
        #expect(first.body == again.body)
        #expect(again.headers["Idempotent-Replayed"] == "true")
        #expect(await shop.get("licenses?limit=1000").all("licenses").count == 5)
        let reused = await shop.post("licenses", #"{"product": "notes", "policy": "rent"}"#, key: "order-1")
        #expect(reused.status == 422 && reused.code == "idempotency_key_reused")
    }

    @Test(arguments: ["", String(repeating: "x", count: 256), "caf\u{E9}", "a\u{7F}"])
    func `an order with an invalid idempotency key is refused, and nothing is issued`(key: String) async throws {
        let shop = try await Shop()
        let answer = await shop.post("licenses", #"{"product": "notes", "policy": "pro"}"#, key: key)
        #expect(answer.status == 400 && answer.code == "field_invalid")
        #expect(await shop.get("licenses").all("licenses").count == 4)
    }

    @Test(arguments: ["x", String(repeating: "x", count: 255), "order 17 / 2026"])
    func `an idempotency key of 1 to 255 characters is accepted`(key: String) async throws {
        let shop = try await Shop()
        let order = #"{"product": "notes", "policy": "pro"}"#
        let first = await shop.post("licenses", order, key: key)
        #expect(first.status == 201)
        #expect(await shop.post("licenses", order, key: key).body == first.body)
    }

    @Test func `a renewal that is repeated with its idempotency key adds its days once`() async throws {
        let shop = try await Shop()
        let id = try #require(
            await shop.post("licenses/find", #"{"licenseKey": "NOTE-RENT-0000-0002"}"#).first("licenses")?.text("id"))
        let ends = [
            await shop.post("licenses/\(id)/renew", "", key: "k").text("expiresAt"),
            await shop.post("licenses/\(id)/renew", "", key: "k").text("expiresAt"),
            await shop.post("licenses/\(id)/renew", "", key: "other").text("expiresAt"),
        ]
        #expect(ends == ["2027-03-16T08:00:00Z", "2027-03-16T08:00:00Z", "2027-04-15T08:00:00Z"])
    }

    @Test func `the response that is stored for an idempotency key is encrypted`() async throws {
        let shop = try await Shop()
        let issued = await shop.post("licenses", #"{"product": "notes", "policy": "pro"}"#, key: "order-2")
        let key = try #require(issued.first("licenses")?.text("licenseKey"))
        let name = "acme\norder-2"
        let request = Digest(SHA256.hash(Array(name.utf8)))!
        let plan = QueryPlan(for: Digest.self) { query in query.row(IdempotentResponse.table.key) { [.of($0)] } }
        let stored = try await shop.vendor.store.fetch(plan.bind(request))[plan.queries]
        let sealed = try #require(stored?.sealed)
        #expect(!sealed.isEmpty)
        #expect(!String(decoding: sealed, as: UTF8.self).contains(key))
    }

    @Test(
        arguments: [
            (nil, 401, "token_missing"), ("Bearer none", 401, "token_unknown"), ("Basic abc", 401, "token_missing"),
        ] as [(String?, Int, String)])
    func `a request without a valid token gets the same error for an existing and an unknown tenant`(
        authorization: String?, status: Int, code: String
    ) async throws {
        let shop = try await Shop()
        var headers = Headers()
        if let authorization { headers.add("Authorization", authorization) }
        for tenant in ["acme", "none"] {
            let answer = await shop.vendor.get("/v1/\(tenant)/licenses", headers: headers)
            #expect(answer.status == status && answer.code == code)
        }
    }

    @Test func `a token is refused outside its scopes, after its end and once it is revoked`() async throws {
        let shop = try await Shop()
        let context = FeatureContext(shop.vendor.store, clock: shop.vendor.clock)
        let reader = try await context.makeToken(
            for: TenantID("acme")!, name: "reader", scopes: ["licenses:read"],
            expiresAt: shop.vendor.clock.now().adding(days: 1))
        #expect(await shop.get("licenses", token: reader.text).status == 200)
        let denied = await shop.get("events", token: reader.text)
        #expect(denied.status == 403 && denied.code == "scope_missing")
        shop.vendor.clock.advance(days: 1)
        let ended = await shop.get("licenses", token: reader.text)
        #expect(ended.status == 401 && ended.code == "token_expired")
        #expect(ended.headers["WWW-Authenticate"] == #"Bearer error="invalid_token""#)
        // Another tenant reports the token as unknown, as if it never existed.
        let response = await shop.vendor.get(
            "/v1/none/licenses", headers: ["Authorization": "Bearer \(reader.text)"])
        #expect(response.code == "token_unknown")
        #expect(await shop.get("licenses").status == 200)
        _ = try await context.revokeToken(shop.token.record.id)
        let revoked = await shop.get("licenses")
        #expect(revoked.status == 401 && revoked.code == "token_revoked")
    }

    @Test func `another tenant's license gets 404, as an unknown one does`() async throws {
        let shop = try await Shop()
        try await shop.vendor.apply(
            #"{"tenants": [{"id": "bolt", "products": [{"id": "n", "policies": [{"id": "p"}], "licenses": [{"key": "B", "policy": "p"}]}]}]}"#
        )
        let foreign = try await shop.vendor.store.findLicenses("B")[0].id
        for path in ["licenses/\(foreign)", "licenses/\(foreign)/explain", "licenses/lic_0000000000000", "licenses/x"] {
            #expect(await shop.get(path).status == 404)
        }
        #expect(await shop.post("licenses/\(foreign)/revoke", "").status == 404)
        #expect(await shop.post("licenses/find", #"{"licenseKey": "B"}"#).all("licenses").isEmpty)
    }

    @Test(arguments: [
        (#"{"product": "notes"}"#, 422, "field_missing"),
        (#"{"product": "notes", "policy": "none"}"#, 422, "policy_unknown"),
        (#"{"product": "none", "policy": "pro"}"#, 422, "product_unknown"),
        (#"{"product": "notes", "policy": "pro", "polcy": 1}"#, 422, "field_invalid"),
        (#"{"product": "notes", "policy": "pro", "count": 0}"#, 422, "field_invalid"),
        (#"{"product": "notes", "policy": "pro", "expiresAt": "soon"}"#, 422, "field_invalid"),
        ("[1]", 400, "json_not_an_object"), ("{", 400, "json_malformed"),
    ]) func `an invalid order issues no license`(body: String, status: Int, code: String) async throws {
        let shop = try await Shop()
        let answer = await shop.post("licenses", body)
        #expect(answer.status == status && answer.code == code)
        #expect(await shop.get("licenses").all("licenses").count == 4)
    }

    @Test func `an order with two idempotency keys is refused, and nothing is issued`() async throws {
        let shop = try await Shop()
        let headers: Headers = [
            "Content-Type": "application/json", "Authorization": "Bearer \(shop.token.text)",
            "Idempotency-Key": "order-1", "idempotency-key": "order-2",
        ]
        let answer = await shop.vendor.post(
            "/v1/acme/licenses", #"{"product": "notes", "policy": "pro"}"#, headers: headers)
        #expect(answer.status == 400 && answer.code == "field_invalid")
        #expect(answer.text("detail")?.contains("Idempotency-Key") == true)
        #expect(await shop.get("licenses").all("licenses").count == 4)
    }

    @Test(arguments: [
        "limit=0", "limit=1001", "limit=x", "state=dead", "after=x", "product=N", "state=active&state=active", "a=%zz",
    ])
    func `a license list request with an invalid query is refused`(query: String) async throws {
        let status = await (try Shop()).get("licenses?\(query)").status
        #expect(status == 422 || status == 400)
    }
}

/// A vendor and a token with every scope.
struct Shop {
    let vendor: Vendor
    let token: IssuedToken

    init(catalog: String = Vendor.catalog, randomness: Randomness = .system) async throws {
        vendor = try await Vendor(catalog, randomness: randomness)
        token = try await FeatureContext(vendor.store, clock: vendor.clock).makeToken(
            for: TenantID("acme")!, name: "shop", scopes: FeatureSet.tenure.scopes, expiresAt: nil)
    }

    func post(_ path: String, _ body: String, key: String? = nil, by token: String? = nil) async -> Answer {
        let bearer = token ?? self.token.text
        var headers: Headers = ["Content-Type": "application/json", "Authorization": "Bearer \(bearer)"]
        if let key { headers.add("Idempotency-Key", key) }
        return await vendor.post("/v1/acme/\(path)", body, headers: headers)
    }

    func get(_ path: String, token: String? = nil) async -> Answer {
        await vendor.get("/v1/acme/\(path)", headers: ["Authorization": "Bearer \(token ?? self.token.text)"])
    }
}
