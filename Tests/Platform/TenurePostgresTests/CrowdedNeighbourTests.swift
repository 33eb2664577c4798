import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
import TenurePostgres
import TenureServerKit
import TenureStore
import Testing

@testable import TenureTesting

@Suite("PostgreSQL, a crowded neighbour") struct CrowdedNeighbourTests {
    @Test func `a tenant's look-ups and lists read fewer than 100 rows beside a tenant with 2,000 licenses`()
        async throws
    {
        let server = try PostgresServer.shared.get()
        let url = try server.makeDatabase()
        let crowded = try await PostgresStore.open(.tenure, url: url, mode: .create)
        try await crowded.saveCatalog(
            and: (1...2_000).map { .license(license($0, of: Sample.boltNotes)) } + [
                .license(license(10_000, of: Sample.notes))
            ])
        await crowded.close()
        try server.sql("SELECT pg_stat_reset()", in: url)
        let store = try await PostgresStore.open(.tenure, url: url)
        for text in ["cus", "CUS@example.com", "ord-1", "0001", "…0001", "nobody"] {
            _ = try await store.lookUpLicenses(text, tenant: Sample.acme)
        }
        var filters = (0..<4).map { _ in LicenseFilter(tenant: Sample.acme, now: Sample.now) }
        (filters[0].holder, filters[1].order) = ("cus@example.com", "ord-1")
        (filters[2].state, filters[3].expiresBefore) = (.revoked, Sample.now)
        for filter in filters { _ = try await store.licenses(filter, after: nil, limit: 100) }
        await store.close()
        // A session reports its statistics when it ends.
        let scans = "SELECT coalesce(sum(idx_scan), 0) FROM pg_stat_user_indexes WHERE relname = 'licenses'"
        try await waitUntil { Int(try server.sql(scans, in: url)) ?? 0 >= 12 }
        let rows = try server.sql(
            "SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_user_tables WHERE relname = 'licenses'", in: url)
        #expect(try #require(Int(rows)) < 100)
    }

    private func license(_ number: Int, of product: ProductRef) -> License {
        License(
            id: Sample.id(Int64(number)), product: product,
            key: LicenseKey(hash: Sample.hash(number), masked: "NOTE-****-****-0001"),
            terms: LicenseTerms(
                policy: Sample.pro, holder: "cus@example.com", term: Sample.license(1).term, order: "ord-1"),
            recordedState: .issued, issuedAt: Sample.now, firstActivatedAt: nil)
    }
}
