import TenureCore
import TenureHTTP
import TenureMarketplace
import TenureServerKit
import TenureTesting
import Testing

@testable import TenureMarketplaceServer

/// Limits on new devices at an open marketplace.
@Suite struct NewDevicesTests {
    let shop: Market
    let clock = ManualSteadyClock()
    let limits: AppIssuanceLimits
    let context: MarketplaceContext

    init() async throws {
        shop = try await Market.open()
        context = MarketplaceContext(
            catalog: try await CatalogCache(store: shop.vendor.store, master: shop.vendor.master), clock: shop.clock,
            pool: nil)
        limits = AppIssuanceLimits(
            refused: RefusedApps(store: context.store, clock: shop.clock),
            newDevices: .init(perMinute: 2, waiting: 8, by: clock))
    }

    /// Requests a license, by default for the marketplace's app. Returns whether the license was issued.
    @discardableResult
    func send(_ device: UInt8, for item: AppleItemID = GivenMart.item) async throws -> Bool {
        let asset = AssetRef(
            item: item, version: try #require(AppleVersionID(text: "86001")),
            asset: try #require(AssetID("00000001-0000-4000-8000-000000000001")))
        let digest = try #require(Digest([UInt8](repeating: device, count: 32)))
        let requester = AppLicense.Requester(
            tenant: GivenMart.tenant, account: nil, device: digest, request: UInt64(device))
        let source = try #require(IPAddress("203.0.113.\(device)"))
        let answer = try await context.issueAppLicenses(
            [asset], sealed: [item], to: requester, from: .from(source), as: "r1", limits: limits)
        guard case .licensed = answer?.outcomes.first?.outcome else { return false }
        return true
    }

    @Test func `at the rate limit of new devices, a new device's license request waits and a known device's doesn't`()
        async throws
    {
        for device in [1, 2] as [UInt8] { #expect(try await send(device)) }
        let third = Task { try await send(3) }
        #expect(await clock.sleepers(1) == [.seconds(30)])
        for device in [1, 2, 1] as [UInt8] { #expect(try await send(device)) }
        #expect(try await shop.licenses().count == 2)
        clock.advance(by: .seconds(30))
        #expect(try await third.value)
        #expect(try await shop.licenses().count == 3)
    }

    @Test func `known devices and refused license requests don't use up the rate limit of new devices`() async throws {
        #expect(try await send(1))
        for _ in 0..<5 { #expect(try await send(1)) }
        let unknown = try #require(AppleItemID(text: "999"))
        for device in 10..<20 as Range<UInt8> { #expect(try await !send(device, for: unknown)) }
        #expect(try await send(2))
        #expect(!limits.newDevices.takeNow(in: GivenMart.tenant))
    }
}
