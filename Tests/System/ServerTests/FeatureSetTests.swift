import TenureContentServer
import TenureCore
import TenureHTTP
import TenureLicensingServer
import TenureMarketplaceServer
import TenureStore
import TenureTesting
import Testing

@testable import TenureServerKit

/// A server is a list of features: removing one doesn't affect the others.
@Suite struct FeatureSetTests {
    @Test func `a server without the marketplace feature serves licenses and offline content`() async throws {
        let vendor = try await Vendor(Self.catalog, rooms: [.licensing, .content])
        try await licensesWork(at: vendor)
        try await contentsWork(at: vendor)
        #expect(await vendor.get("/.well-known/marketplace-kit", headers: ["Host": "mart.example"]).status == 404)
        #expect(await vendor.post("/marketplace/acme/licenses", "{}").status == 404)
        #expect(await vendor.get("/adp/acme/1/2/manifest.json").status == 404)
        #expect(await vendor.get("/ready").status == 200)
    }

    @Test func `a server without the content and package features serves the marketplace`() async throws {
        let vendor = try await Vendor(Self.catalog, rooms: [.licensing, .marketplace])
        try await licensesWork(at: vendor)
        #expect(await vendor.get("/.well-known/marketplace-kit", headers: ["Host": "mart.example"]).status != 404)
        #expect(await vendor.get("/content/acme/v1/keys").status == 404)
        #expect(await vendor.get("/adp/acme/1/2/manifest.json").status == 404)
    }

    @Test func `a server without the licensing feature serves offline content`() async throws {
        let vendor = try await Vendor(Self.catalog, rooms: [.content])
        try await contentsWork(at: vendor)
        #expect(await vendor.activate("NOTE-PRO0-0000-0001").status == 404)
        #expect(await vendor.get("/acme/.well-known/keylight-keys").status == 404)
    }

    @Test func `every table either has restore exclusions or states why a restore may bring its rows back`() {
        let excluded = Set(FeatureSet.tenure.restoreExclusions.map(\.table))
        let copied = FeatureSet.tenure.restoredAsCopied
        let tables = FeatureSet.tenure.schema.tables.map(\.name)
        for table in tables {
            let declarations = copied.count { $0.table == table } + (excluded.contains(table) ? 1 : 0)
            #expect(declarations == 1, "\(table) has \(declarations) declarations")
        }
        #expect(excluded.union(copied.map(\.table)).subtracting(tables).isEmpty)
        #expect(copied.allSatisfy { $0.why.hasSuffix(".") && $0.why.count >= 20 })
    }

    @Test func `a server without features responds to a health check`() async throws {
        let vendor = try await Vendor(Self.catalog, rooms: [])
        #expect(await vendor.get("/health").status == 200)
        #expect(await vendor.get("/ready").status == 200)
        #expect(await vendor.activate("NOTE-PRO0-0000-0001").status == 404)
    }

    private func licensesWork(at vendor: Vendor) async throws {
        let key = "NOTE-PRO0-0000-0001"
        let instance = try #require(await vendor.activate(key).text("instance_id"))
        #expect(await vendor.validate(key, instance).status == 200)
        #expect(await vendor.get("/acme/.well-known/keylight-keys").status == 200)
    }

    private func contentsWork(at vendor: Vendor) async throws {
        let learner = try await Learner("ada", at: vendor)
        try await learner.enrols()
        let token = try await learner.token(1)
        #expect(await learner.gets("mck-1", with: token).status == 200)
    }

    private static let catalog = """
        {"tenants": [{"id": "acme", "name": "Acme",
          "products": [{"id": "notes", "name": "Notes", "keyPrefix": "NOTE",
            "policies": [{"id": "pro", "name": "Pro"}],
            "licenses": [{"key": "NOTE-PRO0-0000-0001", "policy": "pro"}]}],
          "content": {
            "policies": [{"id": "rental", "expiresAfterDays": 30, "grantedPlays": 3, "deviceLimit": 2}],
            "items": [{"id": "mck-1", "title": "Lesson 1", "policy": "rental"}],
            "courses": [{"id": "algebra", "title": "Algebra", "items": ["mck-1"]}]},
          "marketplace": {"name": "Mart", "domain": "mart.example", "access": "open", "apps": []}}]}
        """
}
