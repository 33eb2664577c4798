import Synchronization
import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
import TenureSQLite
import TenureServerKit
import TenureStore
import TestProcesses
import Testing

@testable import TenureTesting

/// Tests how much a tenant's look-ups read while another tenant has thousands of licenses with the same holder, order
/// and end of the key.
@Suite struct CrowdedNeighbourTests {
    private static let neighbours = 3_000

    /// Returns a store in which tenant `bolt` has thousands of rows and tenant `acme` has one license and one account.
    private static func store(in folder: TemporaryFolder) async throws -> SQLiteStore {
        let store = try SQLiteStore.open(.tenure, path: folder.file())
        try await store.saveCatalog(
            and: (1...neighbours).map { .license(license($0, of: Sample.boltNotes)) } + [
                .license(license(10_000, of: Sample.notes))
            ])
        try await store.save(
            (1...neighbours).map { number in
                .account(
                    Account(
                        ref: Sample.ref(Sample.account("a\(number)"), tenant: Sample.bolt), email: "cus@example.com",
                        createdAt: Sample.now))
            } + [
                .account(Account(ref: Sample.ref(Sample.ada), email: "cus@example.com", createdAt: Sample.now))
            ])
        return store
    }

    private static func license(_ number: Int, of product: ProductRef) -> License {
        License(
            id: Sample.id(Int64(number)), product: product,
            key: LicenseKey(hash: Sample.hash(number), masked: "NOTE-****-****-0001"),
            terms: LicenseTerms(
                policy: Sample.pro, holder: "cus@example.com", term: Sample.license(1).term, order: "ord-1"),
            recordedState: .issued, issuedAt: Sample.now, firstActivatedAt: nil)
    }

    @Test(arguments: [
        "cus", "CUS@example.com", "ord-1", "0001", "…0001", "NOTE-****-0001", "nobody", "KEY-1", "lic_0000000000001",
    ])
    func `a license look-up takes fewer than 500 SQLite steps beside a tenant with 3,000 similar licenses`(text: String)
        async throws
    {
        let folder = try TemporaryFolder()
        let store = try await Self.store(in: folder)
        let recorder = ListingRecorder(store)
        _ = try await recorder.lookUpLicenses(text, tenant: Sample.acme)
        try await expectFewRows(recorder, folder)
        await store.close()
    }

    @Test func `lists of licenses and accounts take fewer than 500 SQLite steps beside a tenant with 3,000 of each`()
        async throws
    {
        let folder = try TemporaryFolder()
        let store = try await Self.store(in: folder)
        let recorder = ListingRecorder(store)
        var filters = (0..<5).map { _ in LicenseFilter(tenant: Sample.acme, now: Sample.now) }
        filters[1].holder = "cus@example.com"
        filters[2].order = "ord-1"
        filters[3].state = .revoked
        filters[4].expiresBefore = Sample.now
        for filter in filters { _ = try await recorder.licenses(filter, after: nil, limit: 100) }
        _ = try await recorder.account(email: "cus@example.com", of: Sample.acme)
        _ = try await recorder.accounts(email: "cus@example.com", of: Sample.acme, after: nil, limit: 100)
        _ = try await recorder.accounts(of: Sample.acme, after: nil, limit: 100)
        try await expectFewRows(recorder, folder)
        await store.close()
    }

    /// Expects that SQLite needs fewer than 500 steps for every listing. The other tenant's rows would need thousands.
    private func expectFewRows(_ recorder: ListingRecorder, _ folder: TemporaryFolder) async throws {
        #expect(!recorder.listings.isEmpty)
        for listing in recorder.listings {
            let statement = ListingStatement(listing, in: .sqlite)
            var text = statement.text
            for (index, value) in statement.values.enumerated().reversed() {
                text.replace("?\(index + 1)", with: SQLDialect.sqlite.literal(value))
            }
            let output = try ChildProcess.run(["sqlite3", folder.file(), ".stats vmstep", text]).output
            let steps = output.split(separator: "VM-steps: ").last.flatMap { Int($0.prefix { $0.isNumber }) }
            #expect(try #require(steps, "\(output)") < 500, "\(text)")
        }
    }
}

/// Records the listings that a store's callers read.
private final class ListingRecorder: StoreDecorator {
    let inner: any Store
    private let recorded = Mutex<[ListingShape]>([])

    init(_ inner: any Store) { self.inner = inner }

    var listings: [ListingShape] { recorded.withLock { $0 } }

    func perform<Answer: Sendable>(_ change: Transaction<Answer>) async throws(StoreError) -> Answer {
        try await inner.perform(change)
    }

    func rows(_ listing: ListingShape) async throws(StoreError) -> [StoredRow] {
        recorded.withLock { $0.append(listing) }
        return try await inner.rows(listing)
    }
}
