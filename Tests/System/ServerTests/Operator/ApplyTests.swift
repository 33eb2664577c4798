import TenureCore
import TenureFormats
import TenureLicensing
import TenureLicensingServer
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct ApplyTests {
    @Test func `applying the same catalog file twice changes nothing`() async throws {
        let vendor = try await Vendor()
        let before = try await EventCounter.all(in: vendor.store)
        #expect(try await vendor.apply(Vendor.catalog).isEmpty)
        #expect(try await EventCounter.all(in: vendor.store) == before)
    }

    @Test func `a dry run of apply lists the same changes as apply and saves nothing`() async throws {
        let vendor = try await Vendor(#"{"tenants": []}"#)
        let dry = try await vendor.apply(Vendor.catalog, options: .init(dryRun: true))
        #expect(try await vendor.store.catalog().tenants.isEmpty)
        #expect(try await EventCounter.all(in: vendor.store).isEmpty)
        #expect(try await vendor.apply(Vendor.catalog) == dry)
    }

    @Test(
        arguments: [
            (nil, "suspended", License.State.suspended), (.suspend, "active", .suspended),
            (.suspend, "revoked", .revoked),
            (.revoke, "active", .revoked), (.revoke, "suspended", .revoked), (.giveBack, "revoked", .returned),
            (.suspend, nil, .suspended),
        ] as [(OperatorAct?, String?, License.State)])
    func `a catalog file can suspend or revoke a license, but not reinstate it or revoke a returned one`(
        act: OperatorAct?, named: String?, expected: License.State
    )
        async throws
    {
        let vendor = try await Vendor()
        if let act { _ = try await vendor.act(act, on: "NOTE-PRO0-0000-0001") }
        try await vendor.apply(catalog(named.map { #", "state": "\#($0)""# } ?? ""))
        #expect(try await license(vendor).state(at: vendor.clock.now()) == expected)
    }

    @Test func `a catalog file doesn't renew an expired license`() async throws {
        let vendor = try await Vendor()
        _ = try await vendor.act(.change([.end(.at(vendor.clock.now()))]), on: "NOTE-PRO0-0000-0001")
        let changes = try await vendor.apply(catalog(#", "expiresAt": null"#))
        #expect(changes.filter { $0.kind == "license" }.map(\.verb) == [.keep])
        #expect(try await license(vendor).state(at: vendor.clock.now()) == .expired)
    }

    @Test func `applying a catalog file changes a running license's end and its policy's entitlements`()
        async throws
    {
        let vendor = try await Vendor()
        let instance = try #require(await vendor.activate("NOTE-PRO0-0000-0001").text("instance_id"))
        try await vendor.apply(catalog(#", "expiresAt": "2027-01-18T08:00:00Z""#))
        let answer = await vendor.validate("NOTE-PRO0-0000-0001", instance)
        #expect(answer.lease("expiresAt") == .integer(1_800_000_000 + 3 * 86_400))
        #expect(answer.lease("entitlements") == .array([.string("new")]))
    }

    @Test
    func `a new SDK key is required from the next activation, and a request without it saves nothing`()
        async throws
    {
        let vendor = try await Vendor()
        try await vendor.apply(
            #"{"tenants": [{"id": "acme", "products": [{"id": "notes", "sdkKey": "sdk_live_3", "policies": []}]}]}"#)
        let answer = await vendor.activate("NOTE-PRO0-0000-0001")
        #expect((answer.status, answer.code) == (401, "sdk_key_required"))
        let license = try await license(vendor).id
        #expect(try await vendor.store.activations(of: license, includingReleased: true).isEmpty)
    }

    @Test func `pruning removes an unused product, and keeps products with licenses`() async throws {
        let vendor = try await Vendor()
        let changes = try await vendor.apply(
            #"{"tenants": [{"id": "acme", "name": "Acme", "products": []}]}"#, options: .init(prune: true))
        #expect(changes.allSatisfy { $0.verb == .keep })
        let before = try await vendor.store.catalog()
        #expect(before.tenants.values.first?.products.count == 2)
        try await vendor.apply(
            #"{"tenants": [{"id": "bolt", "products": [{"id": "n", "policies": [{"id": "p"}]}]}]}"#)
        let pruned = try await vendor.apply(
            #"{"tenants": [{"id": "bolt", "products": []}]}"#, options: .init(prune: true))
        #expect(pruned.map(\.description) == ["- product bolt/n"])
    }

    private func catalog(_ members: String) -> String {
        """
        {"tenants": [{"id": "acme", "name": "Acme", "products": [
          {"id": "notes", "keyPrefix": "NOTE", "trialDays": 14, "freeTier": true,
           "policies": [{"id": "pro", "activationLimit": 2, "entitlements": ["new"]}],
           "licenses": [{"key": "NOTE-PRO0-0000-0001", "policy": "pro"\(members)}]}]}]}
        """
    }

    private func license(_ vendor: Vendor) async throws -> License {
        try await vendor.store.findLicenses("NOTE-PRO0-0000-0001")[0]
    }
}
