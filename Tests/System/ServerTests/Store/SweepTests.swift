import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureStore
import TenureTesting
import Testing

@testable import TenureServerKit

/// The expiry sweep may have to expire hundreds of licenses after a night, and must not delay devices.
@Suite struct SweepTests {
    @Test(.timeLimit(.minutes(1)))
    func `the expiry sweep saves the licenses of a batch concurrently, then continues with the next batch`()
        async throws
    {
        let vendor = try await Vendor()
        let notes = ProductRef(tenant: try #require(TenantID("acme")), product: try #require(ProductID("notes")))
        let order = LicenseOrder(product: notes, policy: try #require(PolicyID("rent")), count: 500)
        let issued = try await vendor.licensing().issueLicenses(order, by: .operator("test"))
        #expect(issued?.count == 500)
        vendor.clock.advance(days: 40)

        let before = vendor.watched.changes
        vendor.watched.hold()
        try vendor.server.supervisor.start()
        while vendor.watched.changes - before < LicensingContext.expiryBatch { await Task.yield() }
        #expect(try await expiries(vendor) == 0)
        vendor.watched.letGo()
        while try await expiries(vendor) < 500 { await Task.yield() }
        #expect(await vendor.server.supervisor.stop(within: .seconds(60)))
        // Two licenses of the catalog expire as well.
        #expect(try await expiries(vendor) == 502)
        // The server may have reported its master key at the start, and have removed the report at the end.
        #expect((502...504).contains(vendor.watched.changes - before))
    }

    @Test func `an expiry sweep whose server is no longer the leader records nothing`() async throws {
        let vendor = try await Vendor()
        let lead = try #require(await vendor.store.lead(.expirySweep))
        let licensing = try await vendor.licensing()
        vendor.clock.advance(days: 40)
        let next = LeaderTerm(role: .expirySweep, term: lead.term + 1)
        try await vendor.save([.replace(lead, by: next)])
        #expect(try await licensing.expireLicenses(as: lead) == 0)
        #expect(try await expiries(vendor) == 0)
        #expect(try await licensing.expireLicenses(as: next) > 0)
        #expect(try await expiries(vendor) > 0)
    }

    @Test func `a transaction that fails doesn't prevent the other transactions of its batch`() async throws {
        let vendor = try await Vendor()
        let ref = ProductRef(tenant: try #require(TenantID("acme")), product: try #require(ProductID("notes")))
        let notes = try #require(try await vendor.store.catalog()[ref])
        let changes = (0..<5).map { number in
            Transaction {
                TransactionResult(
                    (), number == 2 ? [.remove(notes)] : [.insert(SettingRecord(name: "\(number)", value: [7]))])
            }
        }
        let error = await #expect(throws: StoreError.self) { try await vendor.store.performTogether(changes) }
        #expect(error?.code == .inUse)
        for number in [0, 1, 3, 4] { #expect(try await vendor.store.setting("\(number)") == [7]) }
    }

    private func expiries(_ vendor: Vendor) async throws -> Int {
        try await vendor.store.all(EventRecord.table.all).count { $0.event.kind == .licenseExpired }
    }
}
