import TenureCore
import TenureMarketplace
import TenureMarketplaceServer
import TenureStore
import TenureTesting
import Testing

@testable import TenureServerKit

@Suite struct ApplyAccountsTests {
    @Test func `applying a catalog file creates an account and its app grant, each with an event`() async throws {
        let vendor = try await Vendor(#"{"tenants": []}"#)
        try await vendor.apply(
            GivenMart.catalog(
                accounts: """
                    {"id": "ada", "email": "ada@mart.example", "apps": ["6483539426"],
                     "expiresAt": "2028-01-01T00:00:00Z"}
                    """))
        let account = try #require(try await vendor.store.account(GivenMart.ada))
        #expect(account == Account(ref: GivenMart.ada, email: "ada@mart.example", createdAt: vendor.clock.now()))
        let grant = try #require(try await vendor.store.appGrants(of: GivenMart.ada).first)
        #expect(grant.term.end == Timestamp(text: "2028-01-01T00:00:00Z"))
        let filter = EventFilter(tenant: GivenMart.tenant, account: GivenMart.ada.account)
        let events = try await vendor.store.events(filter, after: 0, limit: 10).map(\.event)
        #expect(events.map(\.kind) == [.accountAdded, .appGranted])
        #expect(events.map(\.subject.app) == [nil, GivenMart.item])
    }

    @Test func `an account that a catalog file doesn't name stays unchanged, even with pruning`() async throws {
        let vendor = try await Vendor(#"{"tenants": []}"#)
        try await vendor.apply(
            GivenMart.catalog(
                accounts: """
                    {"id": "ada", "email": "ada@mart.example", "apps": ["6483539426"],
                     "expiresAt": "2028-01-01T00:00:00Z"}, {"id": "bob"}
                    """))
        #expect(try await vendor.apply(GivenMart.catalog(accounts: #"{"id": "ada"}"#)).isEmpty)
        #expect(try await vendor.apply(GivenMart.catalog(), options: .init(prune: true)).isEmpty)
        #expect(try await vendor.store.accounts(of: GivenMart.tenant, after: nil, limit: 10).count == 2)
        #expect(try await vendor.store.account(GivenMart.ada)?.email == "ada@mart.example")
    }

    @Test func `a catalog file changes an account's e-mail address and its app grant's end, but not the grant's start`()
        async throws
    {
        let vendor = try await Vendor(#"{"tenants": []}"#)
        try await vendor.apply(GivenMart.catalog())
        let before = try #require(try await vendor.store.appGrants(of: GivenMart.ada).first)
        vendor.clock.advance(days: 1)
        let lines = try await vendor.apply(
            GivenMart.catalog(
                accounts: """
                    {"id": "ada", "email": "a@b", "apps": ["6483539426"], "expiresAt": "2028-01-01T00:00:00Z"}
                    """))
        #expect(
            lines.map(\.description) == [
                "~ account acme/ada: email", "~ grant acme/ada 6483539426: until never -> 2028-01-01T00:00:00Z",
            ])
        let after = try #require(try await vendor.store.appGrants(of: GivenMart.ada).first)
        #expect(after.grantedAt == before.grantedAt)
        #expect(after.term == Term(start: before.term.start, end: Timestamp(text: "2028-01-01T00:00:00Z")))
    }

    @Test(arguments: ["null", #""2040-01-01T00:00:00Z""#])
    func `a catalog file doesn't reopen an ended or expired app grant`(end: String) async throws {
        for isEnded in [true, false] {
            let vendor = try await Vendor(#"{"tenants": []}"#)
            try await vendor.apply(
                GivenMart.catalog(
                    accounts: """
                        {"id": "ada", "apps": ["6483539426"], "expiresAt": "2028-01-01T00:00:00Z"}
                        """))
            let grant = try #require(try await vendor.store.appGrants(of: GivenMart.ada).first)
            if isEnded {
                try await vendor.save(
                    [RowWrite](grant.end(by: .operator("test"), at: vendor.clock.now()), over: [], grant))
            } else {
                vendor.clock.advance(days: 3650)
            }
            let lines = try await vendor.apply(
                GivenMart.catalog(accounts: #"{"id": "ada", "apps": ["6483539426"], "expiresAt": \#(end)}"#))
            #expect(lines.map(\.verb) == [.keep])
            let after = try #require(try await vendor.store.appGrants(of: GivenMart.ada).first)
            #expect(!after.isOpen(at: vendor.clock.now()))
        }
    }
}
