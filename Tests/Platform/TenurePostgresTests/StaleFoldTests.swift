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

@Suite("PostgreSQL, stale folds") struct StaleFoldTests {
    @Test func `rows whose look-up text is out of date are reported, updated and then found`() async throws {
        let server = try PostgresServer.shared.get()
        let url = try server.makeDatabase()
        let store = try await PostgresStore.open(.tenure, url: url, mode: .create)
        try await store.saveCatalog(and: [.license(Sample.license(1, holder: "Mia@Example.com"))])
        try await store.save([
            .account(Account(ref: Sample.ref(Sample.ada), email: "É@example.com", createdAt: Sample.now))
        ])
        try server.sql(
            "UPDATE licenses SET holder_folded = 'Mia@Example.com'; UPDATE accounts SET email_folded = NULL", in: url)
        #expect(try await store.lookUpLicenses("mia@example.com", tenant: Sample.acme).licenses.isEmpty)
        let features = FeatureSet.tenure
        let outcome = try await InspectStore(store, of: features).inspect(at: Sample.now, under: nil) { _, _ in }
        #expect(outcome.staleFolds.sorted() == ["accounts, tenant acme, account ada", "licenses, id 1"])
        let rows = RefoldRows(store, of: features.schema)
        let refolded = try await rows.refold(isDry: true).map(\.description)
        #expect(
            refolded.sorted() == [
                "~ table accounts: 1 row folded again for look-ups",
                "~ table licenses: 1 row folded again for look-ups",
            ])
        #expect(try await rows.refold(isDry: false).count == 2)
        #expect(try await rows.refold(isDry: false).isEmpty)
        let found = try await store.lookUpLicenses("mia@example.com", tenant: Sample.acme).licenses
        #expect(found.map(\.holder) == ["Mia@Example.com"])
        #expect(try await store.account(email: "é@example.com", of: Sample.acme)?.email == "É@example.com")
        await store.close()
    }
}
