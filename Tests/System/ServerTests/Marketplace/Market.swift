import TenureCore
import TenureCrypto
import TenureHTTP
import TenureMarketplace
import TenureStore
import TenureTesting
import Testing

@testable import TenureMarketplaceServer
@testable import TenureServerKit

/// The marketplace of ``GivenMart`` on a complete server, as its operator and its devices see it.
struct Market {
    let vendor: Vendor

    /// Applies a catalog, with signing assets that all marketplaces share, because generating RSA keys takes a second.
    init(_ catalog: String, packages: GivenPackages = GivenPackages(), keys: Bool = true) async throws {
        vendor = try await Vendor(#"{"tenants": []}"#)
        try await vendor.apply(catalog, packages: packages)
        if keys { try await vendor.save(try await SharedKeys.records.value.map { .insert($0) }) }
    }

    /// Creates a marketplace that is open to everyone, with one app and these license rules.
    static func open(
        _ license: String = "", members: String = "", packages: GivenPackages = GivenPackages()
    ) async throws -> Market {
        let members = #""access": "open""# + (members.isEmpty ? "" : ", \(members)")
        return try await Market(
            GivenMart.catalog(members: members, license: license, accounts: ""), packages: packages)
    }

    /// Creates a marketplace that requires tokens, with one app and these license rules.
    static func withAccounts(_ license: String = "") async throws -> Market {
        try await Market(GivenMart.catalog(license: license, accounts: ""))
    }

    var clock: ManualClock { vendor.clock }
    var now: Timestamp { vendor.clock.now() }

    /// Adds an account with grants, by default for the marketplace's app, and returns the text of its token.
    func account(
        _ name: String = "ada", until end: Timestamp? = nil, granting items: [AppleItemID] = [GivenMart.item],
        tenant: TenantID = GivenMart.tenant, tokenEnds: Timestamp? = nil
    ) async throws -> String {
        let ref = AccountRef(tenant: tenant, account: try #require(AccountID(name)))
        let text = "token of \(name) at \(tenant)"
        try await vendor.save([
            .insert(Account(ref: ref, createdAt: now)), .insert(try credential(text, of: ref, until: tokenEnds)),
        ])
        for item in items { try await grant(item, to: ref, until: end) }
        return text
    }

    func credential(
        _ text: String, of account: AccountRef, kind: AccountCredential.Kind = .token, until end: Timestamp? = nil,
        endedAt: Timestamp? = nil
    ) throws -> AccountCredential {
        AccountCredential(
            hash: try digest(text), account: account, kind: kind, createdAt: now, expiresAt: end, endedAt: endedAt)
    }

    /// Returns whether a credential with this text is stored.
    func remembers(_ text: String) async throws -> Bool {
        try await vendor.store.credential(try digest(text)) != nil
    }

    private func digest(_ text: String) throws -> Digest {
        try #require(Digest(SHA256.hash(Array(text.utf8))))
    }

    func grant(
        _ item: AppleItemID = GivenMart.item, to account: AccountRef = GivenMart.ada, until end: Timestamp? = nil
    ) async throws {
        let before = try await vendor.store.appGrants(of: account).first { $0.item == item }
        try await vendor.save(
            [RowWrite](
                AppGrant.grant(item, to: account, [.end(end)], over: before, by: .operator("test"), at: now),
                over: [], before))
    }

    /// Saves the result of a decision about Ada's grant.
    func changeGrant(_ decide: (AppGrant) -> AppLicense.Consequences) async throws {
        let grant = try #require(try await vendor.store.appGrants(of: GivenMart.ada).first)
        try await vendor.save([RowWrite](decide(grant), over: [], grant))
    }

    /// Performs an operator's action on a license.
    func act(_ act: AppLicense.Act, on id: UInt64) async throws {
        let context = MarketplaceContext(
            catalog: try await CatalogCache(store: vendor.store, master: vendor.master), clock: clock, pool: nil)
        let license = try #require(LicenseID(number: Int64(id)))
        let outcome = try await context.perform(
            act, on: license, of: GivenMart.tenant, by: .operator("test"))
        guard case .done = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    func license(_ id: UInt64) async throws -> AppLicense {
        let id = try #require(LicenseID(number: Int64(id)))
        return try #require(try await vendor.store.appLicense(id))
    }

    /// Returns the tenant's stored licenses, at most 1,000.
    func licenses() async throws -> [AppLicense] {
        try await vendor.store.appLicenses(
            AppLicenseFilter(tenant: GivenMart.tenant, now: now), after: nil, limit: 1000)
    }

    /// Returns the tenant's first 1,000 events, oldest first.
    func events() async throws -> [Event] {
        try await vendor.store.events(EventFilter(tenant: GivenMart.tenant), after: 0, limit: 1000).map(\.event)
    }

    /// Returns why apps were refused or licenses were ineligible, in the order of the events.
    func reasons() async throws -> [String] {
        try await events().filter { [.appLicenseRefused, .appLicenseIneligible].contains($0.kind) }
            .flatMap(\.facts).compactMap { fact in
                if fact.name == "reason", case .text(let text) = fact.value { text } else { nil }
            }
    }

    /// Returns the configuration as a device reads it.
    func configuration(host: String = "mart.example") async -> Answer {
        await vendor.get("/.well-known/marketplace-kit", headers: ["Host": host])
    }
}

/// Signing assets of the tenant `acme`, generated once.
enum SharedKeys {
    static let records = Task { () async throws -> [MarketplaceKeyRecord] in
        let vendor = try await Vendor(#"{"tenants": [{"id": "acme", "marketplace": {"domain": "mart.example"}}]}"#)
        let catalog = try await CatalogCache(store: vendor.store, master: vendor.master)
        let context = MarketplaceContext(catalog: catalog, clock: vendor.clock, pool: nil)
        #expect(try await context.makeMarketplaceKeys(by: .operator("test")) == [GivenMart.tenant])
        return try await vendor.store.marketplaceKeys()
    }
}
