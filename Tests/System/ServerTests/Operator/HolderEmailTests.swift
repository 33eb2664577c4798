import TenureCore
import TenureFormats
import TenureHTTP
import TenureLicensing
import TenureLicensingServer
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

/// The holder's e-mail address and name, which letters about a license use.
@Suite struct HolderEmailTests {
    let shop: Shop

    init() async throws { shop = try await Shop() }

    /// Issues a license with these further members and returns it.
    private func issue(_ members: String) async throws -> Entry {
        let answer = await shop.post("licenses", #"{"product": "notes", "policy": "pro", \#(members)}"#)
        return try #require(answer.first("licenses"), "\(answer.status)")
    }

    @Test func `a holder's e-mail address is stored as it was typed, without the white space around it`() async throws {
        let license = try await issue(#""holderEmail": " Ada@Example.com ", "holderName": "Ada Mu\u0308ller""#)
        #expect(license.text("holderEmail") == "Ada@Example.com")
        #expect(license.text("holderName") == "Ada Mu\u{308}ller")
        #expect(license.body["holder"] == .null)
    }

    @Test(arguments: [
        "ada", "ada@", "a,b@example.com", "Ada <ada@example.com>", "ada@example.com\\r\\nBcc: eve@example.com",
        "ada\\u0000@example.com", "ada@example.com\\u200b",
    ])
    func `text that isn't an e-mail address is refused as a holder's e-mail address`(text: String) async throws {
        let issued = await shop.post(
            "licenses", #"{"product": "notes", "policy": "pro", "holderEmail": "\#(text)"}"#)
        #expect(issued.status == 422)
        let id = try #require(try await issue(#""holder": "ada""#).text("id"))
        #expect(await shop.post("licenses/\(id)/change", #"{"holderEmail": "\#(text)"}"#).status == 422)
    }

    @Test(arguments: ["null", #""""#])
    func `removing a holder's e-mail address also removes the name`(empty: String) async throws {
        let id = try #require(
            try await issue(#""holderEmail": "ada@example.com", "holderName": "Ada""#).text("id"))
        let changed = await shop.post("licenses/\(id)/change", #"{"holderEmail": \#(empty)}"#)
        #expect(changed.status == 200)
        #expect(changed.body["holderEmail"] == .null && changed.body["holderName"] == .null)
    }

    @Test func `a look-up finds a holder's e-mail address in any letter case, and lists can be filtered by it`()
        async throws
    {
        let first = try await issue(#""holder": "Ada", "holderEmail": "Ada@Example.com""#).text("id")
        let second = try await issue(#""holder": "ada@example.com""#).text("id")
        for text in ["ada@example.com", "ADA@EXAMPLE.COM", "ada@ex"] {
            let found = await shop.post("licenses/find", #"{"text": "\#(text)"}"#)
            #expect(Set(found.all("licenses").map { $0.text("id") }) == [first, second], "\(text)")
            #expect(found.body["certain"] == .bool(false))
        }
        let listed = await shop.get("licenses?holderEmail=ada@EXAMPLE.com").all("licenses")
        #expect(listed.map { $0.text("id") } == [first])
        let other = await shop.get("licenses?holderEmail=eve@example.com").all("licenses")
        #expect(other.isEmpty)
    }

    @Test func `changing a holder's e-mail address ends the license's sessions, and changing the name doesn't`()
        async throws
    {
        let key = "NOTE-PRO0-0000-0001"
        let id = try #require(try await shop.vendor.store.findLicenses(key).first).id
        #expect(await shop.post("licenses/\(id)/change", #"{"holder": "ada@example.com"}"#).status == 200)
        let holder = Holder(at: shop.vendor)
        try await holder.enter()
        // The member `holder` is the same address, so letters were already sent to this address.
        let same = #"{"holderEmail": "ada@example.com", "holderName": "Ada"}"#
        #expect(await shop.post("licenses/\(id)/change", same).status == 200)
        #expect(await holder.get("/portal/acme").status == 200)
        #expect(await shop.post("licenses/\(id)/change", #"{"holderEmail": "eve@example.com"}"#).status == 200)
        #expect(await holder.get("/portal/acme").status == 403)
    }

    @Test func `a transfer removes the former holder's e-mail address and name`() async throws {
        let id = try #require(
            try await issue(#""holderEmail": "ada@example.com", "holderName": "Ada""#).text("id"))
        let transferred = await shop.post("licenses/\(id)/transfer", #"{"holder": "eve"}"#)
        #expect(transferred.status == 200)
        #expect(transferred.body["holderEmail"] == .null && transferred.body["holderName"] == .null)
    }

    @Test func `an event about a changed holder names the fields, and no event contains an address or a name`()
        async throws
    {
        let id = try #require(
            try await issue(#""holderEmail": "ada@example.com", "holderName": "Ada Muster""#).text("id"))
        let changes = #"{"holder": "x", "holderEmail": "eve@example.com", "holderName": "Eve Muster"}"#
        #expect(await shop.post("licenses/\(id)/change", changes).status == 200)
        let events = try await shop.vendor.store.all(EventRecord.table.all).map(\.event)
        let changed = try #require(events.first { $0.kind == .licenseChanged })
        #expect(changed.facts == [.init("changed", .text("holder, holderEmail, holderName"))])
        let texts = events.flatMap(\.facts).map(\.value.text)
        #expect(!texts.contains { $0.contains("@example.com") || $0.contains("Muster") })
    }

    @Test func `the response to an activation contains neither the holder's e-mail address nor name`() async throws {
        let license = try await issue(#""holderEmail": "ada@example.com", "holderName": "Ada Muster""#)
        let key = try #require(license.text("licenseKey"))
        let answer = await shop.vendor.activate(key)
        #expect(answer.status == 200)
        let text = String(decoding: answer.bytes, as: UTF8.self)
        #expect(!text.contains("ada@example.com") && !text.contains("Muster"))
    }

    @Test func `a catalog file sets a holder's e-mail address, and an invalid one is refused`() async throws {
        func catalog(_ address: String) -> String {
            Vendor.catalog.replacing(
                #"{"key": "NOTE-PRO0-0000-0001", "policy": "pro"}"#,
                with: #"{"key": "NOTE-PRO0-0000-0001", "policy": "pro", "holderEmail": "\#(address)"}"#)
        }
        try await shop.vendor.apply(catalog("Ada@example.com"))
        let license = try #require(try await shop.vendor.store.findLicenses("NOTE-PRO0-0000-0001").first)
        #expect(license.terms.holderEmail == "Ada@example.com")
        #expect(license.terms.letterAddress == "Ada@example.com")
        await #expect(throws: (any Error).self) { try await shop.vendor.apply(catalog("ada")) }
    }
}
