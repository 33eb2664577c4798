import Synchronization
import TenureCore
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore
import Testing

@Suite struct PagedAppLicensesTests {
    @Test func `finding the only current app license after 1,499 replaced ones takes two reads`() async throws {
        let shop = try await Market.open()
        let count = 1_500
        try await shop.vendor.save(
            (1...count).map { number in
                var license = GivenMart.license(Int64(number), account: nil, from: shop.now)
                license = AppLicense(
                    id: license.id, tenant: license.tenant, asset: license.asset, account: nil,
                    device: license.device, request: license.request, issuedAt: license.issuedAt, term: license.term,
                    termRequest: license.termRequest, isReplaced: number < count)
                return .insert(license)
            })
        let store = CountingStore(inner: shop.vendor.store)
        let filter = AppLicenseFilter(
            tenant: GivenMart.tenant, item: GivenMart.item, includesReplaced: false, now: shop.now)
        let page = try await store.pagedAppLicenses(filter, of: GivenMart.tenant, after: nil, limit: 1)
        #expect(page?.licenses.map(\.id.number) == [Int64(count)])
        #expect(store.pages.load(ordering: .relaxed) == 2)
    }
}

/// A store that counts the pages that are read.
private final class CountingStore: StoreDecorator {
    let inner: any Store
    let pages = Atomic(0)

    init(inner: any Store) { self.inner = inner }

    func rows(_ listing: ListingShape) async throws(StoreError) -> [StoredRow] {
        pages.add(1, ordering: .relaxed)
        return try await inner.rows(listing)
    }

    func perform<Answer: Sendable>(_ change: Transaction<Answer>) async throws(StoreError) -> Answer {
        try await inner.perform(change)
    }
}
