import GoldenFiles
import TenureCore
import TenureFormats
import TenureHTTP
import TenureLicensing
import TenureLicensingServer
import TenureStore
import TenureTesting
import Testing

@testable import TenureServerKit

/// Requests that repeat an idempotency key: late, with another token, or after the license or product changed.
@Suite struct RepeatedOrderTests {
    static let order = #"{"product": "notes", "policy": "rent", "holder": "ada", "count": 2}"#

    @Test(arguments: try DocumentedTable.rows(of: "selling.md", below: "The same order twice"))
    func `an order that reuses an idempotency key within 120 days issues no new license, and a later one does`(
        _ row: [String]
    ) async throws {
        let body =
            switch row[1] {
            case "the same body": Self.order
            case "another body": #"{"product": "notes", "policy": "rent", "holder": "eve", "count": 2}"#
            default: "{ \"count\":2.0,\n\"holder\": \"\\u0061da\", \"policy\": \"rent\", \"product\": \"notes\" }"
            }
        for (index, cell) in row[2...].enumerated() {
            let shop = try await Shop()
            let first = await shop.post("licenses", Self.order, key: "order-1")
            let keys = first.all("licenses").compactMap { $0.text("licenseKey") }
            let ids = first.all("licenses").compactMap { $0.text("id") }
            #expect(first.status == 201 && Set(keys).count == 2)
            let token: String? =
                switch index {
                case 0: nil
                case 1: try await shop.token("licenses:read", "licenses:write")
                default: try await shop.token("licenses:write", "events:read")
                }
            let (time, isLast): (Int64, Bool) =
                switch row[0] {
                case "within 24 hours": (86_399, false)
                case "after 24 hours": (86_400, false)
                default: (120 * 86_400, true)
                }
            // The last second of the 120 days is tested too.
            let times: [Int64] = row[0] == "after 24 hours" ? [time, 120 * 86_400 - 1] : [time]
            for (number, time) in times.enumerated() {
                let before: Int64 = number == 0 ? 0 : times[number - 1]
                shop.vendor.clock.advance(seconds: time - before)
                let again = await shop.post("licenses", body, key: "order-1", by: token)
                let text = String(decoding: again.bytes, as: UTF8.self)
                let context = Comment(rawValue: "\(row[0]), \(row[1]), \(cell): \(text)")
                switch cell {
                case "first response":
                    #expect(again.status == 201 && again.bytes == first.bytes, context)
                    #expect(again.headers["Idempotent-Replayed"] == "true", context)
                case "records", "ids":
                    #expect(again.status == 200 && again.body["repeated"] == .bool(true), context)
                    #expect(again.headers["Idempotent-Replayed"] == "true", context)
                    let records = again.all("licenses")
                    #expect(records.compactMap { $0.text("id") } == ids, context)
                    #expect(records.allSatisfy { $0.body["licenseKey"] == nil }, context)
                    #expect(keys.allSatisfy { !text.contains($0) }, context)
                    let shown = cell == "records" ? ["ada", "ada"] : []
                    #expect(records.compactMap { $0.text("holder") } == shown, context)
                    if cell == "ids" { #expect(records.allSatisfy { $0.body.count == 1 }, context) }
                case "`idempotency_key_reused`":
                    #expect(again.status == 422 && again.code == "idempotency_key_reused", context)
                default:
                    #expect(cell == "carried out")
                    #expect(again.status == 201 && again.headers["Idempotent-Replayed"] == nil, context)
                    #expect(Set(again.all("licenses").compactMap { $0.text("id") }).isDisjoint(with: ids), context)
                }
                #expect(
                    await shop.get("licenses?policy=rent").all("licenses").count == (isLast ? 5 : 3), context)
            }
        }
    }

    @Test
    func `an action on a license that is repeated after three days returns the current state and changes nothing`()
        async throws
    {
        for (act, body) in [
            ("renew", ""), ("renew", #"{"days": 3}"#), ("change", #"{"holder": "eve"}"#), ("suspend", ""),
            ("reinstate", "{}"), ("revoke", ""), ("return", ""), ("rekey", ""),
        ] {
            let shop = try await Shop()
            let issued = await shop.post("licenses", #"{"product": "notes", "policy": "rent"}"#)
            let id = try #require(issued.first("licenses")?.text("id"))
            let path = "licenses/\(id)/\(act)"
            let first = await shop.post(path, body, key: "k")
            #expect(first.status == 200, "\(act)")
            _ = await shop.post("licenses/\(id)/change", #"{"holder": "bob"}"#)
            shop.vendor.clock.advance(days: 3)
            let before = await shop.get("licenses/\(id)")
            let events = await shop.get("events").all("events").count
            let again = await shop.post(path, body, key: "k")
            #expect(again.status == 200 && again.headers["Idempotent-Replayed"] == "true", "\(act)")
            #expect(again.body["repeated"] == .bool(true) && again.body["licenseKey"] == nil, "\(act)")
            var shown = again.body
            shown["repeated"] = nil
            #expect(shown == before.body, "\(act)")
            #expect(await shop.get("events").all("events").count == events, "\(act)")
        }
    }

    @Test func `a suspension that changed nothing isn't carried out when its request is repeated two days later`()
        async throws
    {
        let shop = try await Shop()
        let issued = await shop.post("licenses", #"{"product": "notes", "policy": "pro"}"#)
        let id = try #require(issued.first("licenses")?.text("id"))
        _ = await shop.post("licenses/\(id)/suspend", "")
        #expect(await shop.post("licenses/\(id)/suspend", "", key: "s").status == 200)
        _ = await shop.post("licenses/\(id)/reinstate", "")
        shop.vendor.clock.advance(days: 2)
        #expect(await shop.post("licenses/\(id)/suspend", "", key: "s").text("state") == "issued")
        #expect(await shop.get("licenses/\(id)").text("state") == "issued")
    }

    @Test(arguments: [0, 2])
    func `a repeated order gets its first response or the license's id even if product and license were removed`(
        days: Int
    ) async throws {
        let shop = try await Shop(
            catalog: #"{"tenants": [{"id": "acme", "products": [{"id": "notes", "policies": [{"id": "pro"}]}]}]}"#)
        let order = #"{"product": "notes", "policy": "pro"}"#
        let first = await shop.post("licenses", order, key: "order")
        shop.vendor.clock.advance(days: days)
        let license = try #require(
            LicenseID(text: first.first("licenses")?.text("id") ?? ""))
        let row = try #require(
            try await shop.vendor.store.licenses(matching: LicenseName(.id(license))).first)
        try await shop.vendor.save([.remove(row)])
        try await shop.vendor.apply(
            #"{"tenants": [{"id": "acme", "products": []}]}"#, options: .init(prune: true))
        let again = await shop.post("licenses", order, key: "order")
        #expect(again.headers["Idempotent-Replayed"] == "true")
        if days == 0 {
            #expect(again.bytes == first.bytes)
        } else {
            #expect(again.status == 200 && again.body["repeated"] == .bool(true))
            #expect(again.all("licenses").map(\.body) == [["id": .string(license.description)]])
        }
    }

    @Test func `an action that is repeated after its license was deleted returns the license's id`() async throws {
        let shop = try await Shop()
        let issued = await shop.post("licenses", #"{"product": "notes", "policy": "pro"}"#)
        let id = try #require(issued.first("licenses")?.text("id"))
        _ = await shop.post("licenses/\(id)/suspend", "", key: "k")
        let row = try #require(
            try await shop.vendor.store.licenses(matching: LicenseName(.id(LicenseID(text: id)!))).first)
        shop.vendor.clock.advance(days: 2)
        try await shop.vendor.save([.remove(row)])
        let again = await shop.post("licenses/\(id)/suspend", "", key: "k")
        #expect(again.status == 200)
        #expect(again.body == ["id": .string(id), "repeated": .bool(true)])
    }

    @Test func `a refused order isn't stored, so its idempotency key can be used again`() async throws {
        let shop = try await Shop()
        let issued = await shop.post("licenses", #"{"product": "notes", "policy": "rent"}"#)
        let id = try #require(issued.first("licenses")?.text("id"))
        _ = await shop.post("licenses/\(id)/suspend", "")
        let body = #"{"product": "notes", "policy": "later"}"#
        #expect(await shop.post("licenses", body, key: "k").status == 422)
        try await shop.vendor.apply(
            #"{"tenants": [{"id": "acme", "products": [{"id": "notes", "policies": [{"id": "later"}]}]}]}"#)
        #expect(await shop.post("licenses", body, key: "k").status == 201)
    }

    @Test func `an order that is repeated with a token without the endpoint's scope gets 403`() async throws {
        let shop = try await Shop()
        _ = await shop.post("licenses", Self.order, key: "order-1")
        let reader = try await shop.token("licenses:read")
        for body in [Self.order, "{}"] {
            let answer = await shop.post("licenses", body, key: "order-1", by: reader)
            #expect(answer.status == 403 && answer.code == "scope_missing")
        }
    }

    @Test func `tenants don't share idempotency keys`() async throws {
        let shop = try await Shop()
        try await shop.vendor.apply(
            #"{"tenants": [{"id": "bolt", "products": [{"id": "notes", "policies": [{"id": "rent"}]}]}]}"#)
        let other = try await FeatureContext(shop.vendor.store, clock: shop.vendor.clock).makeToken(
            for: TenantID("bolt")!, name: "bolt", scopes: ["licenses:write"], expiresAt: nil)
        _ = await shop.post("licenses", Self.order, key: "order-1")
        let answer = await shop.vendor.post(
            "/v1/bolt/licenses", #"{"product": "notes", "policy": "rent"}"#,
            headers: [
                "Content-Type": "application/json", "Authorization": "Bearer \(other.text)",
                "Idempotency-Key": "order-1",
            ])
        #expect(answer.status == 201 && answer.headers["Idempotent-Replayed"] == nil)
    }

    @Test func `the row of an idempotency key loses its response after a day and is deleted after 120 days`()
        async throws
    {
        let shop = try await Shop()
        let store = shop.vendor.store
        _ = await shop.post("licenses", Self.order, key: "order-1")
        let retention = [RetentionRule.idempotentResponses, .responses(IdempotentResponse.self)]
        let purge = Purge(store: store, clock: shop.vendor.clock, interval: .seconds(60), retention)
        func rows() async throws -> [IdempotentResponse] {
            _ = try await purge.turn(as: nil)
            return try await store.list(Listing(IdempotentResponse.byAge, where: [[]], limit: 10))
        }
        let first = try #require(try await rows().first)
        #expect(first.sealed != nil && first.recordNumbers.count == 2)
        shop.vendor.clock.advance(seconds: 86_400)
        #expect(try await rows() == [first])
        shop.vendor.clock.advance(seconds: 1)
        var rest = first
        rest.sealed = nil
        #expect(try await rows() == [rest])
        shop.vendor.clock.advance(seconds: 119 * 86_400)
        #expect(try await rows().isEmpty)
    }

    @Test(
        arguments: [
            (#"{"a": 1, "b": [true, null]}"#, #" {"b":[ true ,null ],"a":1e0}"#, true), ("", "{}", true),
            (#"{"a": "\u00e9"}"#, #"{"a": "é"}"#, true), (#"{"a": "é"}"#, #"{"a": "e\u0301"}"#, false),
            (#"{"a": 1}"#, #"{"a": "1"}"#, false), (#"{"a": [1, 2]}"#, #"{"a": [2, 1]}"#, false),
            (#"{"a": null}"#, "{}", false), (#"{"a": {"b": 1}}"#, #"{"a": {"b": 2}}"#, false),
            (#"{"a": "b", "c": "d"}"#, #"{"a": "bs1:cs1:d"}"#, false), (#"{"a": 0.1}"#, #"{"a": 1e-1}"#, true),
            ("{", "[", false),
        ] as [(String, String, Bool)])
    func `request bodies have the same idempotency fingerprint if and only if their members and values match`(
        one: String, other: String, isSame: Bool
    ) {
        let acme = TenantID("acme")!
        func fingerprint(_ body: String, _ path: String = "/v1/acme/licenses") -> Digest {
            RepeatableRequest("POST", path, Array(body.utf8), of: acme, by: .time, named: "k").fingerprint
        }
        #expect((fingerprint(one) == fingerprint(other)) == isSame)
        #expect(fingerprint(one) != fingerprint(one, "/v1/acme/licenses/x"))
    }
}

extension Shop {
    /// Makes another token with these scopes; returns its text.
    fileprivate func token(_ scopes: String...) async throws -> String {
        try await FeatureContext(vendor.store, clock: vendor.clock).makeToken(
            for: TenantID("acme")!, name: "other", scopes: scopes, expiresAt: nil
        ).text
    }
}
