import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureMarketplace
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@testable import TenureMarketplaceServer

@Suite struct AppLicenseTests {
    @Test func `an app license is found by its number or id, except in a look-up limited to another tenant`()
        async throws
    {
        let vendor = try await vendor([GivenMart.license(4711, from: Timestamp(seconds: 1_799_999_000))])
        let context = FeatureContext(vendor.store, clock: vendor.clock)
        let id = LicenseID(number: 4711)!
        for text in ["4711", id.description, id.description.uppercased()] {
            #expect(try await context.findAppLicense(text)?.id == id, "\(text)")
            #expect(try await context.findAppLicense(text, tenant: GivenMart.tenant)?.id == id)
            #expect(try await context.findAppLicense(text, tenant: TenantID("bolt")!) == nil)
        }
        for text in ["", "4712", "-4711", "4711 ", "9223372036854775808", "NOTE-4711"] {
            #expect(try await context.findAppLicense(text) == nil, "\(text)")
        }
    }

    @Test func `a repeated operator action changes an app license once, with one event`() async throws {
        let vendor = try await vendor([GivenMart.license(1, from: Timestamp(seconds: 1_799_999_000))])
        let context = MarketplaceContext(
            catalog: try await CatalogCache(store: vendor.store, master: vendor.master), clock: vendor.clock, pool: nil)
        let id = LicenseID(number: 1)!
        let foreign = try await context.perform(.revoke, on: id, of: TenantID("bolt")!, by: .operator("test"))
        #expect(refusal(foreign) == Refusal(.appLicenseForeign))
        for (step, state) in [
            (AppLicense.Act.suspend, License.State.suspended), (.reinstate, .active), (.revoke, .revoked),
        ] {
            for isFirst in [true, false] {
                let outcome = try await context.perform(step, on: id, of: GivenMart.tenant, by: .operator("test"))
                guard case .done(let license, let changed) = outcome else {
                    Issue.record("\(outcome)")
                    return
                }
                #expect(license.recordedState == state)
                #expect(changed == (isFirst ? 1 : 0))
                #expect(try await vendor.store.appLicense(id) == license)
            }
        }
        let refused = try await context.perform(.reinstate, on: id, of: GivenMart.tenant, by: .operator("test"))
        #expect(refusal(refused)?.first.code == .licenseRevoked)
        #expect(
            try await vendor.store.events(EventFilter(tenant: GivenMart.tenant, license: id), after: 0, limit: 10).map(
                \.event.kind) == [
                    .appLicenseSuspended, .appLicenseReinstated, .appLicenseRevoked,
                ])
    }

    @Test func `the explanation of an app license has the reasons for which a renewal would be refused`() async throws {
        let vendor = try await vendor([
            GivenMart.license(1, from: Timestamp(seconds: 1_799_999_000)),
            GivenMart.license(2, version: 9, device: 2, from: Timestamp(seconds: 1_799_999_000)),
        ])
        let catalog = try await CatalogCache(store: vendor.store, master: vendor.master)
        let context = MarketplaceContext(catalog: catalog, clock: vendor.clock, pool: nil)
        func codes(_ number: Int64) async throws -> [Reason.Kind] {
            let license = try #require(try await vendor.store.appLicense(LicenseID(number: number)!))
            return try await context.explain(license).reasons.map(\.code)
        }
        #expect(try await codes(1).isEmpty)
        #expect(try await codes(2) == [.appKeyMissing])
        _ = try await context.endAppGrant(GivenMart.item, of: GivenMart.ada, by: .operator("test"))
        #expect(try await codes(1) == [.appGrantEnded])
        vendor.clock.advance(days: 500)
        #expect(try await codes(1) == [.appGrantEnded, .appRenewalTooLate])
    }

    private func vendor(_ licenses: [AppLicense]) async throws -> Vendor {
        let vendor = try await Vendor(#"{"tenants": []}"#)
        try await vendor.apply(GivenMart.catalog())
        try await vendor.save(licenses.map { .insert($0) })
        return vendor
    }

    private func refusal(_ outcome: AppLicenseActOutcome) -> Refusal? {
        if case .refused(let refusal) = outcome { refusal } else { nil }
    }
}
