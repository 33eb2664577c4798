import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureLicensingServer
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@testable import TenureMarketplaceServer

/// Decisions use no randomness or encryption: ``WatchedStore`` makes each one twice, and both results must match.
///
/// Every other test with a ``Vendor`` checks this too.
@Suite struct PurityTests {
    private let acme = TenantID("acme")!

    @Test func `the tests' store refuses a transaction that draws random numbers for its rows or its result`()
        async throws
    {
        let store = try await Vendor().store
        func expectFound<Answer: Sendable>(_ decide: @escaping @Sendable () -> TransactionResult<Answer>) async {
            let error = await #expect(throws: StoreError.self) {
                try await store.perform(Transaction(decide: decide))
            }
            #expect(error?.code == .impureDecision)
        }
        await expectFound { TransactionResult(Int.random(in: 0...Int.max)) }
        await expectFound {
            TransactionResult(
                (), [.insert(SettingRecord(name: "drawn", value: (0..<8).map { _ in UInt8.random(in: 0...255) }))])
        }
        _ = try await store.perform(
            Transaction { TransactionResult(7, [.insert(SettingRecord(name: "same", value: [7]))]) })
        #expect(try await store.setting("same") == [7])
    }

    @Test func `a request that arrives twenty times concurrently with one idempotency key is carried out once`()
        async throws
    {
        let shop = try await Shop()
        let answers = await withTaskGroup(of: Answer.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    await shop.post("licenses", #"{"product": "notes", "policy": "pro", "holder": "ada"}"#, key: "one")
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(answers.map(\.bytes)).count == 1)
        #expect(answers.filter { $0.headers["Idempotent-Replayed"] == nil }.count == 1)
        #expect(await shop.get("licenses?holder=ada").all("licenses").count == 1)
    }

    @Test func `concurrent renewals with different idempotency keys are all carried out`()
        async throws
    {
        let shop = try await Shop()
        let id = try #require(
            await shop.post("licenses/find", #"{"licenseKey": "NOTE-RENT-0000-0002"}"#).first("licenses")?.text("id"))
        let ends = await withTaskGroup(of: String?.self) { group in
            for number in 0..<6 {
                group.addTask {
                    await shop.post("licenses/\(id)/renew", #"{"days": 1}"#, key: "renewal-\(number)").text("expiresAt")
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(ends.compactMap(\.self)).count == 6)
        #expect(await shop.get("licenses/\(id)").text("expiresAt") == ends.compactMap(\.self).max())
        let again = await shop.post("licenses/\(id)/renew", #"{"days": 1}"#, key: "renewal-0")
        #expect(again.headers["Idempotent-Replayed"] == "true")
        #expect(ends.contains(again.text("expiresAt")))
    }

    @Test func `concurrent rotations of a lease key create keys with different names`() async throws {
        let vendor = try await Vendor()
        let tenant = acme
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let catalog = try await CatalogCache(store: vendor.store, master: vendor.master)
                    let keys = try await LicensingContext(catalog: catalog, clock: vendor.clock)
                        .rotateLeaseKey(of: tenant)
                    #expect(keys?.last?.status == .primary)
                }
            }
            try await group.waitForAll()
        }
        let keys = try await vendor.store.signingKeys()
        #expect(keys.map { LeaseKey.number(of: $0.kid) } == [1, 2, 3, 4, 5])
        #expect(keys.filter { $0.status == .primary }.map { LeaseKey.number(of: $0.kid) } == [5])
        // Creating the cache decrypts every key. Decryption fails if a key has another name than when it was encrypted.
        _ = try await CatalogCache(store: vendor.store, master: vendor.master)
    }

    @Test func `a marketplace's first imported keys are used immediately, and later ones after five minutes`()
        async throws
    {
        let vendor = try await Vendor(#"{"tenants": []}"#)
        try await vendor.apply(GivenMart.catalog())
        let catalog = try await CatalogCache(store: vendor.store, master: vendor.master)
        let context = MarketplaceContext(catalog: catalog, clock: vendor.clock, pool: nil)
        func bring(_ files: AssetFiles) async throws -> KeyImport {
            try await context.importMarketplaceKeys(files, for: acme, by: .operator("test"))
        }
        let now = vendor.clock.now()
        let (first, second) = (try files(at: now), try files(at: now))
        guard case .imported(_, let named) = try await bring(first) else {
            Issue.record("the files weren't imported")
            return
        }
        #expect(named == now)
        guard case .unchanged = try await bring(first), case .imported(_, let later) = try await bring(second) else {
            Issue.record("the files were imported twice or not at all")
            return
        }
        #expect(later == now.adding(seconds: 300))
        #expect(Set(try await vendor.store.marketplaceKeys().map(\.namedFrom)) == [now, later])
    }

    /// Returns asset files as Apple issues them, for a test marketplace.
    private func files(at now: Timestamp) throws -> AssetFiles {
        let created = try SigningAssets.makeSimulated(now: now)
        return AssetFiles(
            encryptionCertificate: created.encryptionKey.certificate.der,
            encryptionKey: try created.encryptionKey.privateKey.der(),
            signingCertificate: created.signingKey.certificate.der,
            signingKey: try created.signingKey.privateKey?.der(),
            pask: Array(#"{"authorizationKey": "\#(Base64.encode(created.pask))"}"#.utf8),
            distributionKey: try created.distributionKey.privateKey.der(), distributionKeyID: created.distributionKey.id
        )
    }
}
