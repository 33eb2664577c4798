import TenureCore
import TenureFormats
import TenureHTTP
import TenureLicensing
import TenureLicensingServer
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

/// The access of a license's former holder after a transfer or another change.
@Suite struct `A transferred license` {
    static let key = "NOTE-PRO0-0000-0001"

    let shop: Shop
    let id: LicenseID

    init() async throws {
        shop = try await Shop()
        id = try #require(try await shop.vendor.store.findLicenses(Self.key).first).id
    }

    /// Opens the license's page and makes a second link; returns the person with the session, and the link.
    func former() async throws -> (holder: Holder, link: String) {
        let holder = Holder(at: shop.vendor)
        try await holder.enter()
        return (holder, try await holder.link())
    }

    /// Whether neither the session nor the link works any more.
    func isClosed(_ former: (holder: Holder, link: String)) async -> Bool {
        let page = await former.holder.get("/portal/acme")
        let opened = await Holder(at: shop.vendor).post("/portal/acme/link", ["link": former.link])
        return page.status == 403 && opened.status == 410
    }

    @Test func `a transfer releases the devices, ends links and sessions, and replaces the key`() async throws {
        let instance = try #require(await shop.vendor.activate(Self.key).text("instance_id"))
        let former = try await former()
        let answer = await shop.post("licenses/\(id)/transfer", #"{"holder": "eve@example.com"}"#)
        #expect(answer.status == 200 && answer.text("holder") == "eve@example.com")
        let new = try #require(answer.text("licenseKey"))
        #expect(await isClosed(former))
        #expect(await shop.vendor.validate(Self.key, instance).reasons == ["license_rekeyed"])
        #expect(await shop.vendor.validate(new, instance).reasons == ["activation_released"])
        #expect(await shop.vendor.activate(Self.key).reasons == ["license_rekeyed"])
        #expect(await shop.vendor.activate(new).status == 200)
        let events = try await shop.vendor.store.all(EventRecord.table.all).map(\.event)
        let event = try #require(events.first { $0.kind == .licenseTransferred })
        #expect(event.facts.map(\.name) == ["previousKey", "key", "devices"])
        #expect(events.count { $0.kind == .activationReleased } == 1)
    }

    @Test(arguments: [
        ("change", #"{"holder": "eve@example.com"}"#), ("rekey", "{}"), ("rekey", #"{"keepDevices": true}"#),
    ])
    func `changing a license's holder or key ends its links and sessions`(_ act: String, _ body: String) async throws {
        let former = try await former()
        #expect(await shop.post("licenses/\(id)/\(act)", body).status == 200)
        #expect(await isClosed(former))
    }

    @Test func `a catalog file that changes a license's holder ends its links and sessions`() async throws {
        let former = try await former()
        try await shop.vendor.apply(
            Vendor.catalog.replacing(
                #"{"key": "NOTE-PRO0-0000-0001", "policy": "pro"}"#,
                with: #"{"key": "NOTE-PRO0-0000-0001", "policy": "pro", "holder": "eve@example.com"}"#))
        #expect(await isClosed(former))
    }

    @Test func `changing a license's order keeps its sessions`() async throws {
        let former = try await former()
        #expect(await shop.post("licenses/\(id)/change", #"{"order": "A-17"}"#).status == 200)
        #expect(await former.holder.get("/portal/acme").status == 200)
    }

    @Test func `a revoked license's page still opens and says that the license is revoked`() async throws {
        let former = try await former()
        #expect(await shop.post("licenses/\(id)/revoke", "").status == 200)
        let page = await former.holder.get("/portal/acme")
        #expect(page.status == 200 && page.text.contains("revoked"))
    }

    @Test func `the operator can list and end a license's links and sessions`() async throws {
        let former = try await former()
        let listed = await shop.get("licenses/\(id)/links").all("links")
        #expect(listed.compactMap { $0.text("kind") }.sorted() == ["link", "session"])
        #expect(await shop.get("licenses/\(id)/links").text("links") == nil)
        let ended = await shop.delete("licenses/\(id)/links")
        #expect(ended.body["links"] == .integer(1) && ended.body["sessions"] == .integer(1))
        #expect(await isClosed(former))
        #expect(await shop.delete("licenses/\(id)/links").body["links"] == .integer(0), "again")
        let events = try await shop.vendor.store.all(EventRecord.table.all).map(\.event)
        #expect(events.count { $0.kind == .licenseLinksEnded } == 1)
        let other = try await Shop()
        #expect(await other.delete("licenses/\(LicenseID(number: 99)!)/links").status == 404)
    }
}

extension Shop {
    func delete(_ path: String) async -> Answer {
        let request = Request(
            method: "DELETE", path: "/v1/acme/\(path)", headers: ["Authorization": "Bearer \(token.text)"], id: "r1")
        return Answer(await vendor.server.handler.respond(to: request))
    }
}
