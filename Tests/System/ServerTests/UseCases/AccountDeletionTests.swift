import TenureCore
import TenureCrypto
import TenureHTTP
import TenureMarketplace
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@testable import TenureMarketplaceServer

@Suite struct AccountDeletionTests {
    @Test func `deleting an account ends its grants and licenses, removes its e-mail address and reserves its id`()
        async throws
    {
        let shop = try await Market.withAccounts()
        let token = try await shop.account()
        let phone = Phone(shop, token: token)
        let ids = [try await phone.install(), try await phone.install()]
        let context = try await context(of: shop)
        _ = try await context.addAccount(
            GivenMart.ada, email: "a@b", passwordHash: "$argon2id$...", by: .operator("test"))
        let before = try await shop.events().count
        let preview = try #require(try await context.deleteAccount(GivenMart.ada, by: .operator("test"), isDry: true))
        #expect(preview.licenseCount == 1 && preview.licenses.map { UInt64($0.id.number) } == [ids[1]])
        #expect(preview.grants.map(\.item) == [GivenMart.item] && preview.credentials == 1 && preview.wasOpen)
        #expect(try await shop.events().count == before)
        #expect(try await phone.send().status == 200, "a preview changes nothing")
        shop.clock.advance(seconds: 60)

        let deleted = try #require(try await context.deleteAccount(GivenMart.ada, by: .operator("test")))
        #expect(deleted.licenseCount == 1 && deleted.credentials == 1 && deleted.wasOpen)
        #expect(
            deleted.account == Account(ref: GivenMart.ada, createdAt: preview.account.createdAt, deletedAt: shop.now))
        #expect(try await shop.vendor.store.account(GivenMart.ada) == deleted.account)
        for id in ids { #expect(try await shop.license(id).recordedState == .revoked) }
        #expect(try await shop.vendor.store.appGrants(of: GivenMart.ada).allSatisfy { $0.endedAt == shop.now })
        #expect(try await shop.vendor.store.account(email: "a@b", of: GivenMart.tenant) == nil)

        let events = try await shop.events().count
        let at = shop.now
        shop.clock.advance(seconds: 60)
        let again = try #require(try await context.deleteAccount(GivenMart.ada, by: .operator("test")))
        #expect(again.account == deleted.account && !again.wasOpen && !again.hasRevoked)
        #expect(try await context.addAccount(GivenMart.ada, email: "c@d", by: .operator("test")) == .deleted(at: at))
        #expect(
            try await context.grantApp(GivenMart.item, to: GivenMart.ada, by: .operator("test")) == .unknownAccount)
        #expect(try await context.makeToken(for: GivenMart.ada, by: .operator("test")) == nil)
        let changes = try await shop.vendor.apply(GivenMart.catalog())
        #expect(changes.contains { $0.kind == "account" && $0.verb == .keep })
        #expect(!changes.contains { $0.kind == "grant" })
        #expect(try await shop.events().count == events)
        #expect(try await context.deleteAccount(Self.account("eve"), by: .operator("test")) == nil)
    }

    @Test func `deleting an account ends each of its credentials, and none of another account`() async throws {
        let shop = try await Market.withAccounts()
        let context = try await context(of: shop)
        let owned = try await Credentials(of: "ada", at: shop, context)
        let neighbors = try await Credentials(of: "bob", at: shop, context)
        let deleted = try #require(
            try await context.deleteAccount(Self.account("ada"), by: .operator("test")))
        #expect(deleted.credentials == 4)
        #expect(try await owned.working(context) == [])
        #expect(try await neighbors.working(context) == Credentials.all)
    }

    /// Without a check of the account, a request that read its credential before the deletion could commit after it.
    @Test func `a link or sign-in that outlived its deleted account is refused`() async throws {
        let shop = try await Market.withAccounts()
        let context = try await context(of: shop)
        let owned = try await Credentials(of: "ada", at: shop, context)
        let account = try #require(try await shop.vendor.store.account(Self.account("ada")))
        try await shop.vendor.save([.replace(account, by: account.deleted(at: shop.now))])
        #expect(try await context.sessions.open(owned.link, at: GivenMart.tenant) == nil)
        let code = try await Credentials.code(by: .link(owned.link), at: shop, context)
        #expect(code == .wrong)
        let origin = SignInText.Origin.random()
        let text = SignInText.random(.link, of: origin)
        try await shop.vendor.save([
            .insert(
                SignIn(
                    hash: origin.hash, account: account.ref, means: .link, stage: .link, secret: text.digest,
                    createdAt: shop.now, expiresAt: shop.now.adding(seconds: 600)))
        ])
        guard case .spent = try await context.openSession(byShopLink: text, at: GivenMart.tenant) else {
            Issue.record("the link opened a session")
            return
        }
    }

    @Test func `repeating an interrupted account deletion completes it, and its result lists at most 1,000 licenses`()
        async throws
    {
        let shop = try await Market.withAccounts()
        let context = try await context(of: shop)
        _ = try await shop.account()
        let licenses = try (1...2_100).map { number in
            AppLicense(
                id: try #require(LicenseID(number: Int64(number))), tenant: GivenMart.tenant,
                asset: AssetRef(
                    item: GivenMart.item, version: try #require(AppleVersionID(number: 86_001)),
                    asset: try #require(AssetID("00000001-0000-4000-8000-000000000001"))),
                account: GivenMart.ada.account, device: .sha256(of: "\(number)"), request: UInt64(number),
                issuedAt: shop.now, term: try #require(Term(start: shop.now, end: shop.now.adding(days: 30))),
                termRequest: UInt64(number))
        }
        try await shop.vendor.save(licenses.map { .insert($0) })
        let account = try #require(try await shop.vendor.store.account(GivenMart.ada))
        try await shop.vendor.save([.replace(account, by: account.deleted(at: shop.now))])

        let deleted = try #require(try await context.deleteAccount(GivenMart.ada, by: .operator("test")))
        #expect(!deleted.wasOpen && deleted.hasRevoked)
        #expect(deleted.licenseCount == 2_100 && deleted.licenses.count == DeletedAccount.licenseLimit)
        let stored = try await shop.vendor.store.all(
            AppLicense.ofAccount, [.of(GivenMart.tenant), .of(GivenMart.ada.account)])
        #expect(stored.count == 2_100 && stored.allSatisfy { $0.recordedState == .revoked })
        let again = try #require(try await context.deleteAccount(GivenMart.ada, by: .operator("test")))
        #expect(again.licenseCount == 0 && !again.hasRevoked)
    }

    @Test func `a token that outlived its deleted account gets no license for the marketplace's own app`()
        async throws
    {
        let shop = try await Market(
            GivenMart.catalog(members: #""access": "token", "appleItemID": "\#(GivenMart.item)""#, accounts: ""))
        let token = try await shop.account(granting: [])
        let phone = Phone(shop, token: token)
        _ = try await phone.install()
        let account = try #require(try await shop.vendor.store.account(GivenMart.ada))
        try await shop.vendor.save([.replace(account, by: account.deleted(at: shop.now))])
        #expect(try await phone.send().texts("unlicensedApps") == ["\(GivenMart.item)"])
        #expect(try await shop.licenses().count == 1)
    }

    @Test func `an app license left by an interrupted account deletion isn't renewed, even at an open marketplace`()
        async throws
    {
        let shop = try await Market.withAccounts()
        let id = try await Phone(shop, token: try await shop.account()).install()
        let account = try #require(try await shop.vendor.store.account(GivenMart.ada))
        try await shop.vendor.save([.replace(account, by: account.deleted(at: shop.now))])
        try await shop.vendor.apply(
            GivenMart.catalog(members: #""access": "open""#, accounts: ""), packages: GivenPackages())
        #expect(try await Phone(shop).renew([id]).texts("ineligibleLicenses") == ["\(id)"])
        #expect(try await shop.reasons() == ["license_revoked"])
        let context = try await context(of: shop)
        let left = try await context.explain(try await shop.license(id))
        #expect(left.reasons.map(\.cure).first?.contains("`tenure account delete ada`") == true)
        _ = try await context.deleteAccount(GivenMart.ada, by: .operator("test"))
        let revoked = try await context.explain(try await shop.license(id))
        #expect(revoked.reasons.map(\.code) == [.licenseRevoked])
        #expect(revoked.reasons.first?.cure.contains("--again") == false)
    }

    @Test func `an account can sign in with a name that, apart from letter case, is also a deleted account's id`()
        async throws
    {
        let person = try await Person()
        let hash = try PasswordHash.make(of: Array("another one".utf8), passes: 1, memory: 8192)
        func add(_ id: String, email: String? = nil, deletedAt: Timestamp? = nil) async throws {
            let ref = AccountRef(tenant: SampleApps.tenant, account: try #require(AccountID(id)))
            let account = Account(ref: ref, email: email, passwordHash: hash, createdAt: SampleApps.now)
            try await person.save(.insert(deletedAt.map(account.deleted) ?? account))
        }
        try await add("eve@example.com", deletedAt: SampleApps.now)
        #expect(await person.signIn("eve@example.com", "another one").status == 403)
        try await add("u-81", email: "eve@example.com")
        #expect(await person.signIn("Eve@Example.com", "another one").status == 303)
        try await add("Mary", deletedAt: SampleApps.now)
        try await add("mary")
        #expect(await person.signIn("MARY", "another one").status == 303)
        #expect(await person.signIn("Mary", "another one").status == 303)
    }

    private static func account(_ id: String) throws -> AccountRef {
        AccountRef(tenant: GivenMart.tenant, account: try #require(AccountID(id)))
    }

    private func context(of shop: Market) async throws -> MarketplaceContext {
        MarketplaceContext(
            catalog: try await CatalogCache(store: shop.vendor.store, master: shop.vendor.master), clock: shop.clock,
            pool: nil)
    }
}

/// A credential of each kind that an account can have.
private struct Credentials {
    let token: String
    let link: String
    let session: SessionToken
    let signIn: GivenTokens

    static let all = ["token", "link", "session", "access", "refresh"]

    init(of account: String, at shop: Market, _ context: MarketplaceContext) async throws {
        let ref = AccountRef(tenant: GivenMart.tenant, account: try #require(AccountID(account)))
        token = try await shop.account(account)
        let end = shop.now.adding(days: 1)
        link = try #require(try await context.makeLink(for: ref, expiresAt: end, by: .operator("test"))).text
        session = SessionToken.random()
        try await shop.vendor.save(session.opening(for: ref, by: "password", at: shop.now))
        let handoff = try #require(try await context.makeHandoff(for: ref, by: .operator("test")))
        let text = try #require(SignInText(handoff.text))
        guard case .given(let given) = try await context.giveTokens(handoff: text, of: "app", at: GivenMart.tenant)
        else { throw ServerError(.init("no_sign_in"), "The handoff gave no tokens.") }
        signIn = given
    }

    /// Returns the names of the credentials that work. Using the refresh token replaces the sign-in's tokens.
    func working(_ context: MarketplaceContext) async throws -> [String] {
        let tenant = GivenMart.tenant
        let works = [
            try await context.authenticateAccount(token, at: tenant).isAccount,
            try await context.sessions.isOpen(link, at: tenant),
            try await context.sessions.owner(of: session, at: tenant) != nil,
            try await context.authenticateAccount(signIn.access.text, at: tenant).isAccount,
            try await refreshes(context),
        ]
        return zip(Self.all, works).filter(\.1).map(\.0)
    }

    private func refreshes(_ context: MarketplaceContext) async throws -> Bool {
        let outcome = try await context.giveTokens(refresh: signIn.refresh, of: "app", at: GivenMart.tenant)
        return if case .given = outcome { true } else { false }
    }

    static func code(
        by proof: IdentityProof, at shop: Market, _ context: MarketplaceContext
    ) async throws -> CodeIssuance {
        let binding = SignIn.Binding(client: .sha256(of: "app"))
        let pending = PendingSignIn(
            origin: .random(), browser: .sha256(of: "browser"), until: shop.now.adding(seconds: 600),
            purpose: .app(binding, state: nil))
        return try await context.issueCode(pending, for: binding, by: proof, at: GivenMart.tenant)
    }
}

extension AccountAuthentication {
    fileprivate var isAccount: Bool { if case .account = self { true } else { false } }
}
