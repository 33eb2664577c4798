import TenureCore
import TenureFormats
import TenureHTTP
import TenureLicensing
import TenureLicensingServer
import TenureServerKit
import TenureTesting
import Testing

/// The operator API's list, extension and reset of trials.
@Suite struct TrialEndpointsTests {
    private static let device = DeviceHash("3f2b7c1e90ab" + String(repeating: "0", count: 52))

    private func shop() async throws -> Shop {
        let shop = try await Shop()
        try await begin(try #require(Self.device), shop)
        return shop
    }

    private func begin(_ device: DeviceHash, _ shop: Shop) async throws {
        let body = #"{"nonce": "AAAAAAAAAAAAAAAAAAAAAA", "device": "\#(device.text)"}"#
        let started = await shop.vendor.post(
            "/v1/acme/notes/leases/trial", body, headers: ["Content-Type": "application/json"])
        #expect(started.status == 200)
    }

    @Test func `a trial is listed with the code that its app shows`() async throws {
        let shop = try await shop()
        let listed = await shop.get("trials")
        #expect(listed.all("trials").map { $0.text("code") } == ["3f2b-7c1e-90ab"])
        #expect(listed.first("trials")?.text("product") == "notes" && listed.body["next"] == .null)
        #expect(await shop.get("trials?product=draw").all("trials").isEmpty)
        #expect(await shop.get("trials?product=none").code == "product_unknown")
        #expect(await shop.get("trials?after=soon").status == 422)
    }

    @Test func `pages of trials continue where the previous one ended`() async throws {
        let shop = try await shop()
        for digit in ["1", "2", "3", "4"] {
            shop.vendor.clock.advance(seconds: 60)
            try await begin(try #require(DeviceHash(String(repeating: digit, count: 64))), shop)
        }
        let first = await shop.get("trials?limit=3")
        let rest = await shop.get("trials?limit=3&after=\(first.text("next") ?? "")")
        let codes = (first.all("trials") + rest.all("trials")).compactMap { $0.text("code") }
        #expect(codes == ["4444-4444-4444", "3333-3333-3333", "2222-2222-2222", "1111-1111-1111", "3f2b-7c1e-90ab"])
        #expect(rest.body["next"] == .null)
    }

    @Test(arguments: ["3f2b-7c1e-90ab", "3F2B7C1E", "3f2b7c1e90ab"])
    func `a trial found by its device's code is extended once for each idempotency key`(code: String) async throws {
        let shop = try await shop()
        for _ in 0..<2 {
            let extended = await shop.post("trials/\(code)/extend", #"{"days": 7}"#, key: "support-1")
            #expect(extended.status == 200)
            #expect(extended.body["days"] == .integer(21) && extended.body["extraDays"] == .integer(7))
        }
        let again = await shop.post("trials/\(code)/extend", #"{"days": 7, "product": "notes"}"#, key: "support-2")
        #expect(again.body["days"] == .integer(28))
    }

    @Test func `an extension that is repeated after a day returns the trial's current state`() async throws {
        let shop = try await shop()
        #expect(await shop.post("trials/3f2b-7c1e-90ab/extend", #"{"days": 7}"#, key: "support-1").status == 200)
        #expect(await shop.post("trials/3f2b-7c1e-90ab/extend", #"{"days": 5}"#, key: "support-2").status == 200)
        shop.vendor.clock.advance(days: 3)
        let repeated = await shop.post("trials/3f2b-7c1e-90ab/extend", #"{"days": 7}"#, key: "support-1")
        #expect(repeated.status == 200 && repeated.body["repeated"] == .bool(true))
        #expect(repeated.body["days"] == .integer(26) && repeated.text("code") == "3f2b-7c1e-90ab")
    }

    @Test func `a reset restarts a trial and records an event`() async throws {
        let shop = try await shop()
        shop.vendor.clock.advance(days: 20)
        let reset = await shop.post("trials/3f2b-7c1e-90ab/reset", #"{"reason": "crashed all week"}"#)
        #expect(reset.text("state") == "running" && reset.text("startedAt") == shop.vendor.clock.now().description)
        let event = await shop.get("events?kind=trial.reset").first("events")
        #expect(event != nil)
    }

    @Test func `the extension of a trial is refused for an unknown or ambiguous code and for zero days`() async throws {
        let shop = try await shop()
        #expect(await shop.post("trials/ffff-ffff-ffff/extend", #"{"days": 7}"#).status == 404)
        #expect(await shop.post("trials/3f2b/extend", #"{"days": 7}"#).status == 404)
        #expect(await shop.post("trials/3f2b-7c1e-90ab/extend", #"{"days": 0}"#).status == 422)
        try await begin(try #require(DeviceHash("3f2b7c1e" + String(repeating: "1", count: 56))), shop)
        #expect(await shop.post("trials/3f2b7c1e/extend", #"{"days": 7}"#).status == 422)
        #expect(await shop.post("trials/3f2b-7c1e-90ab/extend", #"{"days": 7}"#).status == 200)
    }

    @Test func `a product can't have the id trials`() async throws {
        let vendor = try await Vendor()
        await #expect(throws: (any Error).self) {
            try await vendor.apply(
                #"{"tenants": [{"id": "acme", "products": [{"id": "trials", "policies": []}]}]}"#)
        }
    }
}
