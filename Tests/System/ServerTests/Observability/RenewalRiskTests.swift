import TenureCore
import TenureLicensingServer
import TenureMarketplaceServer
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct RenewalRiskTests {
    @Test func `the metrics of expiring app licenses are updated once a minute`() async throws {
        let vendor = try await vendor()
        #expect(try await sample(vendor, "tenure_app_licenses_expiring", "24h") == nil)
        try await vendor.save([
            .insert(GivenMart.license(1, from: vendor.clock.now(), days: 1)),
            .insert(GivenMart.license(2, device: 2, from: vendor.clock.now(), days: 6)),
            .insert(GivenMart.license(3, device: 3, from: vendor.clock.now(), days: 30)),
            .insert(GivenMart.license(4, device: 4, from: vendor.clock.now(), days: 1, state: .revoked)),
        ])
        vendor.clock.advance(seconds: 59)
        #expect(try await sample(vendor, "tenure_app_licenses_expiring", "24h") == nil)
        vendor.clock.advance(seconds: 1)
        #expect(try await sample(vendor, "tenure_app_licenses_expiring", "24h") == "1")
        #expect(try await sample(vendor, "tenure_app_licenses_expiring", "7d") == "2")
        #expect(try await sample(vendor, "tenure_app_licenses_expiring_failed", "7d") == "0")
    }

    @Test
    func `the store counts a tenant's expiring app licenses and reports the origin of the tenant's marketplace keys`()
        async throws
    {
        let vendor = try await vendor()
        try await vendor.save([.insert(GivenMart.license(1, from: vendor.clock.now(), days: 1))])
        let keys = { try await vendor.store.catalog().keyOrigins(try await vendor.store.marketplaceKeys()) }
        #expect(try await keys() == [GivenMart.tenant: KeyOrigin.none])
        for (origin, expected) in [
            (MarketplaceKeyRecord.Origin.simulated, KeyOrigin.simulated), (.imported, .imported),
        ] {
            try await vendor.save([
                .insert(
                    MarketplaceKeyRecord(
                        tenant: GivenMart.tenant, kid: origin.rawValue, purpose: .pask, origin: origin,
                        certificate: [], sealedSecret: [1], createdAt: vendor.clock.now(),
                        namedFrom: vendor.clock.now()))
            ])
            #expect(try await keys() == [GivenMart.tenant: expected])
        }
        let risks = try await vendor.store.renewalRisk(at: vendor.clock.now())
        #expect(
            risks == [
                RenewalRisk(tenant: GivenMart.tenant, day: .init(expiring: 1), week: .init(expiring: 1))
            ])
    }

    private func vendor() async throws -> Vendor {
        let vendor = try await Vendor(#"{"tenants": []}"#)
        try await vendor.apply(GivenMart.catalog())
        return vendor
    }

    /// Returns a gauge's value in `/metrics`, or `nil` if it is missing.
    private func sample(_ vendor: Vendor, _ name: String, _ within: String) async throws -> String? {
        let text = await vendor.text("/metrics")
        let line = #"\#(name){tenant="acme",within="\#(within)"} "#
        return text.split(separator: "\n").first { $0.hasPrefix(line) }.map { String($0.dropFirst(line.count)) }
    }
}
