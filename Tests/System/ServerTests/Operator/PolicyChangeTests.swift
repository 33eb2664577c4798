import TenureCore
import TenureFormats
import TenureLicensing
import TenureLicensingServer
import TenureServerKit
import TenureTesting
import Testing

/// A change of a license's policy over the operator API and by a catalog file.
///
/// The policy `rent` lasts 30 days, and `pro` has no duration.
@Suite struct PolicyChangeTests {
    private static let end = "2027-02-14T08:00:00Z"

    private func license(_ shop: Shop, _ key: String = "NOTE-RENT-0000-0002") async throws -> String {
        let found = await shop.post("licenses/find", #"{"licenseKey": "\#(key)"}"#)
        return try #require(found.first("licenses")?.text("id"))
    }

    @Test func `changing a license to an unknown policy is refused, and the license keeps its policy`() async throws {
        let shop = try await Shop()
        let id = try await license(shop)
        let refused = await shop.post("licenses/\(id)/change", #"{"policy": "none"}"#)
        #expect(refused.status == 422 && refused.code == "policy_unknown")
        #expect(await shop.get("licenses/\(id)").text("policy") == "rent")
    }

    @Test func `a policy change to another kind of term is refused unless it states what happens to the end date`()
        async throws
    {
        let shop = try await Shop()
        let id = try await license(shop)
        let refused = await shop.post("licenses/\(id)/change", #"{"policy": "pro"}"#)
        #expect(refused.status == 422)
        #expect(refused.text("detail")?.contains("keepEnd") == true)
        #expect(refused.text("detail")?.contains("licenses of pro never expire") == true)
        #expect(await shop.post("licenses/\(id)/change", #"{"policy": "pro", "keepEnd": false}"#).status == 422)
        #expect(await shop.get("licenses/\(id)").text("policy") == "rent")
        let both = await shop.post("licenses/\(id)/change", #"{"policy": "pro", "keepEnd": true, "expiresAt": null}"#)
        #expect(both.status == 422)
        let stored = await shop.post("licenses/\(id)/change", #"{"policy": "pro", "keepEnd": true}"#)
        #expect((stored.status, stored.text("policy")) == (200, "pro"))
        #expect((stored.text("previousExpiresAt"), stored.text("expiresAt")) == (Self.end, Self.end))
        let back = await shop.post("licenses/\(id)/change", #"{"policy": "rent"}"#)
        #expect(back.status == 422)
    }

    @Test func `a policy change can set a new end date, and its response has the former and the new one`() async throws
    {
        let shop = try await Shop()
        let id = try await license(shop)
        let upgraded = await shop.post("licenses/\(id)/change", #"{"policy": "pro", "expiresAt": null}"#)
        #expect(upgraded.text("previousExpiresAt") == Self.end && upgraded.body["expiresAt"] == .null)
        let rented = await shop.post("licenses/\(id)/change", #"{"policy": "rent", "expiresAt": "\#(Self.end)"}"#)
        #expect(rented.body["previousExpiresAt"] == .null && rented.text("expiresAt") == Self.end)
    }

    @Test func `a policy change to the same kind of term keeps the end date without further options`()
        async throws
    {
        let shop = try await Shop()
        let id = try await license(shop)
        let changed = await shop.post("licenses/\(id)/change", #"{"policy": "soft"}"#)
        #expect((changed.status, changed.text("policy"), changed.text("expiresAt")) == (200, "soft", Self.end))
    }

    @Test func `a policy change of a revoked license is refused with license_revoked even without a new end date`()
        async throws
    {
        let shop = try await Shop()
        let id = try await license(shop)
        _ = await shop.post("licenses/\(id)/revoke", "")
        let refused = await shop.post("licenses/\(id)/change", #"{"policy": "pro"}"#)
        #expect((refused.status, refused.reasons) == (409, ["license_revoked"]))
    }

    @Test(
        arguments: [
            ("NOTE-RENT-0000-0002", "pro", "", "its end stays: 14 February 2027"),
            ("NOTE-PRO0-0000-0001", "rent", "", "its end stays: never"),
            ("NOTE-RENT-0000-0002", "soft", "", nil),
            ("NOTE-RENT-0000-0002", "pro", #", "expiresAt": null"#, nil),
        ] as [(String, String, String, String?)])
    func `a catalog file that changes a license's policy keeps the license's end date unless the file sets one`(
        key: String, policy: String, end: String, expected: String?
    ) async throws {
        let vendor = try await Vendor()
        let before = try await vendor.store.findLicenses(key)[0]
        let changes = try await vendor.apply(
            Vendor.catalog.replacing(
                #"{"key": "\#(key)", "policy": "\#(before.policy)"}"#,
                with: #"{"key": "\#(key)", "policy": "\#(policy)"\#(end)}"#))
        #expect(changes.count == 1)
        let line = try #require(changes.first).description
        #expect(line.contains(expected ?? "policy \(policy)"))
        #expect(line.contains("expiresAt\" in the file") == (expected != nil))
        let after = try await vendor.store.findLicenses(key)[0]
        #expect(after.policy.text == policy)
        #expect(after.term.end == (end.isEmpty ? before.term.end : nil))
    }
}
