import TenureCommandLine
import TenureCore
import TenureStore
import TenureTesting
import Testing

@testable import TenureServerKit

@Suite("Event numbers after a restoration") struct ContinueEventsTests {
    private let gone = TenantID("gone")!
    private let fresh = TenantID("fresh")!

    @Test func `after a restore, each tenant's event numbers continue after those of the replaced store`() async throws
    {
        let vendor = try await Vendor()
        _ = await vendor.activate("NOTE-PRO0-0000-0001")
        let own = try await ContinueEvents.last(of: vendor.store)
        let tenant = try #require(own.keys.first)
        let last = try #require(own[tenant])
        let first = try await ContinueEvents(in: vendor.store).recordRestore(
            after: [tenant: last + 40, gone: 57], at: vendor.clock.now(), by: .commandLine)
        #expect(first == [tenant: last + 41, gone: 58])
        #expect(try await ContinueEvents.last(of: vendor.store) == first)
        try await vendor.store.save([.event(event(of: gone, at: vendor.clock.now()))])
        let events = try await vendor.store.events(EventFilter(tenant: gone), after: 57, limit: 10)
        #expect(events.map(\.sequence) == [58, 59])
        #expect(try await faults(in: vendor) == [])
    }

    @Test func `after a restore without the replaced store, event numbers skip a million`() async throws {
        let vendor = try await Vendor()
        _ = await vendor.activate("NOTE-PRO0-0000-0001")
        let own = try await ContinueEvents.last(of: vendor.store)
        let first = try await ContinueEvents(in: vendor.store).recordRestore(
            after: nil, at: vendor.clock.now(), by: .commandLine)
        #expect(first == own.mapValues { $0 + 1_000_001 })
        try await vendor.apply(#"{"tenants":[{"id":"fresh","name":"Fresh","products":[]}]}"#)
        let events = try await vendor.store.events(EventFilter(tenant: fresh), after: 0, limit: 10)
        #expect(events.first?.event.kind == .storeRestored)
        #expect(events.first.map { $0.sequence > (own.values.max() ?? 0) + 1_000_000 } == true)
        #expect(try await faults(in: vendor) == [])
    }

    private func event(of tenant: TenantID, at now: Timestamp) -> Event {
        Event(.storeRestored, at: now, actor: .commandLine, about: .init(tenant: tenant), facts: [])
    }

    private func faults(in vendor: Vendor) async throws -> [String] {
        let check = SettingRecord(name: MasterKey.checkValueSetting, value: try vendor.master.checkValue())
        try await vendor.store.adopt([check.stored, StoreID.fresh().stored], of: SettingRecord.table.shape)
        return try await InspectStore(vendor.store, of: .tenure).inspect(at: vendor.clock.now(), under: vendor.master) {
            _, _ in
        }
        .faults.map { "\($0.table) \($0.row) \($0.column ?? ""): \($0.sentence)" }
    }
}
