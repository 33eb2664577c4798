import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
import TenurePostgres
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@Suite struct `Query plans on PostgreSQL` {
    /// The planner has no statistics about a table that was filled just now.
    @Test func `a look-up by license key uses the key's index even without statistics`() async throws {
        let server = try PostgresServer.shared.get()
        let url = try server.makeDatabase()
        let store = try await PostgresStore.open(.tenure, url: url, mode: .create)
        let tenant = try #require(TenantID("acme"))
        let product = ProductRef(tenant: tenant, product: try #require(ProductID("notes")))
        let policy = try #require(PolicyID("pro"))
        let prefix = try #require(LicenseKeyPrefix("NOTE"))
        let now = Timestamp(seconds: 1_790_000_000)
        let key = try #require(Digest([UInt8](repeating: 7, count: 32)))
        let license = License(
            id: try #require(LicenseID(number: 1)), product: product, key: LicenseKey(hash: key, masked: "NOTE-7"),
            terms: LicenseTerms(policy: policy, term: .perpetual(from: now)), recordedState: .issued, issuedAt: now,
            firstActivatedAt: nil)
        try await store.perform(
            Transaction {
                TransactionResult(
                    (),
                    [
                        .insert(TenantRow(id: tenant, name: "Acme")),
                        .insert(Product(ref: product, name: "Notes", keyPrefix: prefix)),
                        .insert(PolicyRow(product: product, policy: Policy(id: policy, name: "Pro"))), .insert(license),
                    ])
            })
        struct Seat {
            let key: Digest
            let product: ProductRef
            let device: DeviceIdentity
        }
        let plan = QueryPlan(for: Seat.self) { query in
            let license = query.row(License.byKey) { [.of($0.key), .of($0.product.tenant), .of($0.product.product)] }
            return (
                license: license, taken: query.count(Activation.live, upTo: 9, .column("id", of: license)),
                own: query.row(Activation.liveOfDevice, .column("id", of: license), .request { .of($0.device.code) })
            )
        }
        let bound = plan.bind(.init(key: key, product: product, device: .machine("m")))
        let loaded = try await store.perform(
            Transaction(bound) { results in TransactionResult(results[plan.queries.license]) })
        #expect(loaded == license)
        let record = try await store.validation(of: ActivationID(high: 1, low: 1), for: key, in: product)
        #expect(record.license == license)
        await store.close()
        // A session reports its statistics when it ends.
        let used = "SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname ="
        try await waitUntil { Int(try server.sql("\(used) 'licenses_by_key'", in: url)) ?? 0 >= 4 }
        #expect(try server.sql("\(used) 'licenses_by_policy'", in: url) == "0")
        #expect(try server.sql("\(used) 'licenses_by_product'", in: url) == "0")
    }

    @Test func `a look-up of app licenses uses the account's or device's index even without statistics`()
        async throws
    {
        let server = try PostgresServer.shared.get()
        let url = try server.makeDatabase()
        let store = try await PostgresStore.open(.tenure, url: url, mode: .create)
        let tenant = try #require(TenantID("acme"))
        let item = try #require(AppleItemID(number: 5))
        let account = try #require(AccountID("ada"))
        let device = try #require(Digest([UInt8](repeating: 7, count: 32)))
        let asset = AssetRef(
            item: item, version: try #require(AppleVersionID(number: 1)), asset: try #require(AssetID("a")))
        let now = Timestamp(seconds: 1_790_000_000)
        let license = AppLicense(
            id: try #require(LicenseID(number: 1)), tenant: tenant, asset: asset, account: account, device: device,
            request: 1, issuedAt: now, term: .perpetual(from: now), termRequest: 1)
        try await store.perform(
            Transaction {
                TransactionResult(
                    (),
                    [
                        .insert(TenantRow(id: tenant, name: "Acme")),
                        .insert(
                            MarketplaceRow(
                                tenant: tenant, marketplace: Marketplace(name: "Mart", domain: "market.example"))),
                        .insert(AppRow(tenant: tenant, app: MarketplaceApp(item: item))),
                        .insert(Account(ref: AccountRef(tenant: tenant, account: account), createdAt: now)),
                        .insert(license),
                    ])
            })
        struct Wish {
            let license: AppLicense
            let account: AccountID
            let now: Timestamp
        }
        let plan = QueryPlan(for: Wish.self) { query in
            (
                named: query.each(AppLicense.table.key) { [.of($0.license.id)] },
                earlier: query.each(AppLicense.earlierOfAccount, upTo: 9) {
                    [.of($0.license.device), .of($0.license.tenant), .of($0.license.item), .of($0.account)]
                },
                holders: query.view(AppDevice.ofRights) {
                    [.of($0.license.tenant), .of($0.account), .of($0.license.item), .of($0.now)]
                }
            )
        }
        let bound = plan.bind(.init(license: license, account: account, now: now))
        let results = try await store.perform(Transaction(bound) { results in TransactionResult(results) })
        #expect(results[plan.queries.named] == [license])
        #expect(results[plan.queries.earlier] == [license])
        #expect(results[plan.queries.holders].map(\.device) == [device])
        await store.close()
        let used = "SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname ="
        for index in ["app_licenses_by_account", "app_licenses_by_device", "app_licenses_pkey"] {
            try await waitUntil { Int(try server.sql("\(used) '\(index)'", in: url)) ?? 0 >= 1 }
        }
        #expect(try server.sql("\(used) 'app_licenses_by_app'", in: url) == "0")
    }
}
