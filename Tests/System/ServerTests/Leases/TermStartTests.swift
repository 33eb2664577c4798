import TenureCore
import TenureFormats
import TenureLicensing
import TenureLicensingServer
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

/// Licenses whose term starts at their first activation, seen through the APIs.
@Suite struct TermStartTests {
    private static let key = "BOXD-0000-0000-0001"
    private static let start = "2027-01-15T08:00:00Z"

    private static func catalog(_ members: String = "") -> String {
        """
        {"tenants": [{"id": "acme", "products": [{"id": "notes", "keyPrefix": "NOTE",
          "policies": [{"id": "boxed", "duration": "P1Y", "termStarts": "activation"\(members)}],
          "licenses": [{"key": "\(key)", "policy": "boxed"}]}]}]}
        """
    }

    private func shop(_ members: String = "") async throws -> Shop {
        let shop = try await Shop()
        try await shop.vendor.apply(Self.catalog(members))
        return shop
    }

    private func shown(_ shop: Shop) async throws -> Answer {
        let found = await shop.post("licenses/find", #"{"licenseKey": "\#(Self.key)"}"#)
        return await shop.get("licenses/\(try #require(found.first("licenses")?.text("id")))")
    }

    @Test func `the operator API shows a duration for a license whose term starts at activation, then its dates`()
        async throws
    {
        let shop = try await shop()
        let waiting = try await shown(shop)
        #expect(waiting.body["startsAt"] == .null && waiting.body["expiresAt"] == .null)
        #expect(waiting.text("duration") == "P1Y" && waiting.body["startBy"] == .null)
        shop.vendor.clock.advance(days: 500)
        let first = try await LeaseApp(shop.vendor).activated(Self.key)
        let now = shop.vendor.clock.now()
        #expect(first.lease.term == Term(start: now, end: now.adding(months: 12)))
        #expect(first.lease.status == .active)
        let running = try await shown(shop)
        #expect(running.text("startsAt") == now.description)
        #expect(running.text("expiresAt") == now.adding(months: 12).description)
        #expect(running.body["duration"] == .null)
        let events = try await shop.vendor.store.all(EventRecord.table.all).map(\.event)
        #expect(events.suffix(2).map(\.kind) == [.activationCreated, .licenseStarted])
    }

    @Test func `neither a device's release nor a new license key restarts a license's term`() async throws {
        let shop = try await shop()
        let app = try await LeaseApp(shop.vendor)
        let (lease, activation) = try await app.activated(Self.key)
        shop.vendor.clock.advance(days: 20)
        #expect(try await app.release(Self.key, activation).yes != nil)
        let id = try #require(try await shown(shop).text("id"))
        let key = try #require(await shop.post("licenses/\(id)/rekey", "{}").text("licenseKey"))
        shop.vendor.clock.advance(days: 20)
        #expect(try await app.activated(key).lease.term == lease.term)
    }

    @Test func `a refused activation doesn't start a license's term`() async throws {
        let shop = try await shop()
        let id = try #require(try await shown(shop).text("id"))
        _ = await shop.post("licenses/\(id)/suspend", "")
        #expect(try await LeaseApp(shop.vendor).activate(Self.key).no == "403 license_suspended")
        #expect(try await shown(shop).text("duration") == "P1Y")
    }

    @Test func `a Keylight app receives a license's end only after its term has started`()
        async throws
    {
        let shop = try await shop()
        let none = ActivationID(high: 1, low: 1).description
        let now = shop.vendor.clock.now()
        let end = JSONValue.integer(now.adding(months: 12).seconds)
        let refused = await shop.vendor.validate(Self.key, none)
        #expect(refused.reasons == ["activation_released"] && refused.body["license_expires_at"] == nil)
        let id = try #require(try await shown(shop).text("id"))
        _ = await shop.post("licenses/\(id)/suspend", "")
        #expect(await shop.vendor.activate(Self.key).body["license_expires_at"] == nil)
        _ = await shop.post("licenses/\(id)/reinstate", "")
        #expect(await shop.vendor.activate(Self.key).body["license_expires_at"] == end)
    }

    @Test func `a license's term starts at the policy's latest start date, even without an activation`() async throws {
        let shop = try await shop(#", "startBy": "P1M""#)
        let start = shop.vendor.clock.now().adding(months: 1)
        #expect(try await shown(shop).text("startBy") == start.description)
        shop.vendor.clock.advance(seconds: shop.vendor.clock.now().seconds(until: start))
        let running = try await shown(shop)
        #expect(running.text("startsAt") == start.description)
        #expect(running.text("expiresAt") == start.adding(months: 12).description)
        #expect(running.body["startBy"] == .null && running.body["duration"] == .null)
        shop.vendor.clock.advance(days: 10)
        let lease = try await LeaseApp(shop.vendor).activated(Self.key).lease
        #expect(lease.term == Term(start: start, end: start.adding(months: 12)))
    }

    @Test func `a license can be renewed before its term starts`() async throws {
        let shop = try await shop()
        let id = try #require(try await shown(shop).text("id"))
        #expect(await shop.post("licenses/\(id)/renew", "").text("duration") == "P2Y")
        #expect(await shop.post("licenses/\(id)/renew", #"{"days": 14}"#).text("duration") == "P2Y14D")
        let fixed = await shop.post("licenses/\(id)/change", #"{"expiresAt": "2027-03-01T00:00:00Z"}"#)
        #expect(fixed.text("startsAt") == Self.start && fixed.body["duration"] == .null)
    }

    @Test(
        arguments: [
            (#"{"id": "p", "duration": "P0D"}"#, "/duration", "P14D"),
            (#"{"id": "p", "duration": 365}"#, "/duration", "P14D"),
            (#"{"id": "p", "duration": "P1Y", "durationDays": 365}"#, "/durationDays", "not both"),
            (#"{"id": "p", "termStarts": "activation"}"#, "/termStarts", "needs a \"duration\""),
            (#"{"id": "p", "termStarts": "later"}"#, "/termStarts", "\"issue\" or \"activation\""),
            (#"{"id": "p", "duration": "P1Y", "startBy": "P1M"}"#, "/startBy", "has no effect"),
            (#"{"id": "p", "duration": "P1Y", "termStarts": "activation", "startBy": "soon"}"#, "/startBy", "P14D"),
        ]) func `a policy with an invalid duration or start of its terms is refused`(
            policy: String, pointer: String, message: String
        ) throws
    {
        let file = #"{"tenants": [{"id": "acme", "products": [{"id": "notes", "policies": [\#(policy)]}]}]}"#
        let error = #expect(throws: CatalogFileError.self) {
            try FeatureSet.tenure.catalogFile(parsing: Array(file.utf8))
        }
        #expect(error?.problems.map(\.pointer) == ["/tenants/0/products/0/policies/0\(pointer)"])
        #expect(error?.problems.first?.message.contains(message) == true)
    }
}
