import TenureCore
import TenureLicensingServer
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

/// When the catalog changes, servers read only the affected tenant again.
@Suite struct TenantVersionTests {
    let vendor: Vendor
    let catalog: CatalogCache
    /// The cache of another server.
    let other: CatalogCache
    let acme = TenantID("acme")!
    let bolt = TenantID("bolt")!

    init() async throws {
        vendor = try await Vendor()
        try await vendor.apply(#"{"tenants": [{"id": "bolt", "products": []}]}"#)
        catalog = try await CatalogCache(store: vendor.store, master: vendor.master)
        other = try await CatalogCache(store: vendor.store, master: vendor.master)
    }

    @Test func `after a change to one tenant, a catalog refresh doesn't decrypt other tenants' keys again`()
        async throws
    {
        let before = try #require(catalog.current.keyRings[bolt]?.primary.record)
        try await spoil(before)
        let rotated = try await rotate(acme)
        let existing = catalog.current.version
        let after = try await catalog.refreshIfChanged()
        #expect(after.version == existing + 1)
        #expect(after.keyRings[acme]?.primary.kid == rotated.last?.kid)
        #expect(after.keyRings[bolt]?.primary.record == before)
    }

    @Test func `a refresh reads the whole catalog if the catalog's version changed but no tenant's version did`()
        async throws
    {
        try await spoil(try #require(catalog.current.keyRings[bolt]?.primary.record))
        // This simulates a change of the catalog with SQL.
        try await vendor.store.perform(
            Transaction(versionForm.bind()) { results in
                let version = results[versionForm.queries] ?? CatalogVersion(version: 0)
                return TransactionResult((), [.replace(version, by: CatalogVersion(version: version.version + 1))])
            })
        let error = await #expect(throws: ServerError.self) { try await catalog.refreshIfChanged() }
        #expect(error?.code == .masterKeyWrong)
    }

    @Test func `an applied catalog raises the versions of changed tenants only`() async throws {
        try await spoil(try #require(catalog.current.keyRings[bolt]?.primary.record))
        try await vendor.apply(
            #"""
            {"tenants": [
              {"id": "bolt", "products": []},
              {"id": "acme", "name": "Acme again", "products": []}]}
            """#)
        #expect(try await catalog.refreshIfChanged().catalog.tenants[acme]?.name == "Acme again")
    }

    @Test func `a hundred concurrent refreshes of the catalog need fewer than 140 queries`()
        async throws
    {
        _ = try await rotate(acme)
        let before = vendor.watched.queries
        let askers = 100
        let versions = try await withThrowingTaskGroup(of: Int64.self) { group in
            for _ in 0..<askers { group.addTask { try await catalog.refreshIfChanged().version } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(versions == [try await vendor.store.catalogVersion()])
        // Each caller reads the version with one query. Reading the catalog takes four, and a caller that comes right
        // after this read queries once more.
        #expect(vendor.watched.queries - before < askers + 40)
    }

    /// Damages a stored key without raising the catalog's version. Decrypting the key again fails.
    private func spoil(_ key: SigningKeyRecord) async throws {
        let spoilt = SigningKeyRecord(
            tenant: key.tenant, kid: key.kid, status: key.status, publicKey: key.publicKey,
            sealedSeed: key.sealedSeed.map { ~$0 }, createdAt: key.createdAt, publishedUntil: key.publishedUntil)
        try await vendor.store.perform(
            Transaction(versionForm.bind()) { _ in TransactionResult((), [.replace(key, by: spoilt)]) })
    }

    private func rotate(_ tenant: TenantID) async throws -> [SigningKeyRecord] {
        try #require(try await LicensingContext(catalog: other, clock: vendor.clock).rotateLeaseKey(of: tenant))
    }
}

private let versionForm = QueryPlan(isAlone: true) { query in query.row(CatalogVersion.table.key) }
