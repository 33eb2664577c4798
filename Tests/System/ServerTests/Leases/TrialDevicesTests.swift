import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@testable import TenureLicensingServer

/// The names and systems that devices on trial report.
@Suite struct TrialDevicesTests {
    private let device = String(repeating: "a", count: 64)

    private func report(_ name: String, _ version: String? = "15.1", to shop: Shop) async {
        let system = version.map { #","system":"macOS","systemVersion":"\#($0)""# } ?? ""
        let answer = await shop.vendor.post(
            "/v1/acme/notes/leases/trial",
            #"{"nonce":"\#(LeaseApp.nonce())","device":"\#(device)","name":"\#(name)"\#(system)}"#)
        #expect(answer.status == 200)
    }

    /// The name and system version that the operator API shows, as `name, version`.
    private func shown(by shop: Shop) async -> String? {
        let trial = await shop.get("trials").first("trials")
        return trial?.text("name").map { name in "\(name), \(trial?.text("systemVersion") ?? "none")" }
    }

    @Test func `the operator's list of trials shows a device's name and system`() async throws {
        let shop = try await Shop()
        await report("Mia’s Mac", to: shop)
        #expect(await shown(by: shop) == "Mia’s Mac, 15.1")
        let trial = await shop.get("trials").first("trials")
        #expect(trial?.text("system") == "macOS" && trial?.text("code") == "aaaa-aaaa-aaaa")
    }

    @Test func `a trial request without a name keeps the device's stored name`() async throws {
        let shop = try await Shop()
        await report("", nil, to: shop)
        #expect(await shown(by: shop) == nil)
        await report("Mac", nil, to: shop)
        #expect(await shown(by: shop) == "Mac, none")
        shop.vendor.clock.advance(days: 1)
        await report("", nil, to: shop)
        #expect(await shown(by: shop) == "Mac, none")
    }

    @Test
    func `a trial request without a name or without an operating system keeps the stored value and updates the other`()
        async throws
    {
        let shop = try await Shop()
        await report("Mac", to: shop)
        shop.vendor.clock.advance(days: 1)
        await report("Other", nil, to: shop)
        #expect(await shown(by: shop) == "Other, 15.1")
        shop.vendor.clock.advance(days: 1)
        await report("", "15.2", to: shop)
        #expect(await shown(by: shop) == "Other, 15.2")
    }

    @Test func `a renamed device is shown by its new name, which is written at most once an hour`() async throws {
        let shop = try await Shop()
        await report("Mac", to: shop)
        await report("Other", to: shop)
        #expect(await shown(by: shop) == "Mac, 15.1")
        shop.vendor.clock.advance(seconds: 3_600)
        await report("Other", "15.2", to: shop)
        #expect(await shown(by: shop) == "Other, 15.2")
        let events = try await shop.vendor.store.all(EventRecord.table.all).map(\.event)
        #expect(events.count { $0.kind == .trialStarted } == 1)
    }

    @Test func `a device's name is deleted 90 days after its trial ends`() async throws {
        let shop = try await Shop()
        await report("Mac", to: shop)
        shop.vendor.clock.advance(days: 14 + 90)
        while try await RetentionRule.trialDevices.group(in: shop.vendor.store, at: shop.vendor.clock.now()) {}
        #expect(await shown(by: shop) == "Mac, 15.1")
        shop.vendor.clock.advance(seconds: 1)
        while try await RetentionRule.trialDevices.group(in: shop.vendor.store, at: shop.vendor.clock.now()) {}
        #expect(await shown(by: shop) == nil)
        await report("Mac", to: shop)
        #expect(await shown(by: shop) == nil)
        #expect(await shop.get("trials").all("trials").count == 1)
    }

    @Test func `the name of a device with an extended trial is still stored 89 days after the new end`() async throws {
        let shop = try await Shop()
        await report("Mac", to: shop)
        #expect(await shop.post("trials/aaaa-aaaa-aaaa/extend", #"{"days": 30}"#).text("name") == "Mac")
        shop.vendor.clock.advance(days: 14 + 90 + 29)
        while try await RetentionRule.trialDevices.group(in: shop.vendor.store, at: shop.vendor.clock.now()) {}
        #expect(await shown(by: shop) == "Mac, 15.1")
    }
}
