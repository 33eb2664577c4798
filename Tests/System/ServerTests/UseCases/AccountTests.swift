import TenureCore
import TenureCrypto
import TenureMarketplace
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

@testable import TenureMarketplaceServer

@Suite struct AccountTests {
    @Test func `adding an existing account changes only the members that the request names`() async throws {
        let vendor = try await Vendor(GivenMart.catalog(apps: #"{"appleItemID": "6483539426"}"#, accounts: ""))
        let context = try await context(vendor)
        let new = Account(ref: GivenMart.ada, email: "a@b", createdAt: vendor.clock.now())
        #expect(try await context.addAccount(GivenMart.ada, email: "a@b", by: .operator("test")) == .created(new))
        var changed = new
        changed.passwordHash = "$argon2id$..."
        #expect(
            try await context.addAccount(GivenMart.ada, passwordHash: "$argon2id$...", by: .operator("test"))
                == .existing(changed, changed: true))
        #expect(
            try await context.addAccount(GivenMart.ada, email: "a@b", by: .operator("test"))
                == .existing(changed, changed: false))
        let events = try await events(vendor)
        #expect(events.map(\.kind) == [.accountAdded, .accountChanged])
        #expect(events[1].facts == [.init("changed", .text("password"))])
    }

    @Test func `an account can't get another's e-mail address, but two accounts that already share one keep it`()
        async throws
    {
        let vendor = try await Vendor(
            GivenMart.catalog(apps: "", accounts: #"{"id": "ada", "email": "a@b"}, {"id": "bob"}"#))
        let context = try await context(vendor)
        let bob = AccountRef(tenant: GivenMart.tenant, account: AccountID("bob")!)
        let eve = AccountRef(tenant: GivenMart.tenant, account: AccountID("eve")!)
        for ref in [bob, eve] {
            #expect(
                try await context.addAccount(ref, email: "A@B", by: .operator("test"))
                    == .emailTaken(by: GivenMart.ada.account))
        }
        #expect(try await vendor.store.account(eve) == nil)
        let changes = try await vendor.apply(
            GivenMart.catalog(apps: "", accounts: #"{"id": "bob", "email": "a@B"}, {"id": "eve", "email": "a@b"}"#))
        #expect(changes.filter { $0.verb == .keep }.count == 2)
        #expect(try await vendor.store.account(email: "a@b", of: GivenMart.tenant)?.ref == GivenMart.ada)
        // Two accounts with the same e-mail address, from an earlier version.
        let before = try #require(try await vendor.store.account(bob))
        var pair = before
        pair.email = "a@b"
        try await vendor.save([.replace(before, by: pair)])
        #expect(
            try await context.addAccount(bob, email: "a@b", by: .operator("test")) == .existing(pair, changed: false))
        #expect(
            try await context.addAccount(bob, passwordHash: "x", by: .operator("test"))
                != .emailTaken(by: GivenMart.ada.account))
    }

    @Test func `apply warns once of an account id that is an e-mail address`() async throws {
        let vendor = try await Vendor(#"{"tenants": []}"#)
        let catalog = GivenMart.catalog(apps: "", accounts: #"{"id": "ada@example.com"}"#)
        let notes = try await vendor.apply(catalog).filter { $0.kind == "account" && $0.verb == .note }
        #expect(notes.count == 1 && notes[0].detail.contains("events keep ids"))
        #expect(try await vendor.apply(catalog).isEmpty)
    }

    @Test func `adding an account to a tenant without a marketplace is refused`() async throws {
        let vendor = try await Vendor()
        let context = try await context(vendor)
        #expect(try await context.addAccount(GivenMart.ada, by: .operator("test")) == .noMarketplace)
    }

    @Test func `an app grant can be added, ended and added again`() async throws {
        let vendor = try await Vendor(
            GivenMart.catalog(apps: #"{"appleItemID": "6483539426"}"#, accounts: #"{"id": "ada"}"#))
        let context = try await context(vendor)
        let end = vendor.clock.now().adding(days: 10)
        let first = try done(
            await context.grantApp(GivenMart.item, to: GivenMart.ada, [.end(end)], by: .operator("test")), changed: true
        )
        #expect(first.term.end == end)
        vendor.clock.advance(days: 1)
        #expect(
            try done(await context.grantApp(GivenMart.item, to: GivenMart.ada, by: .operator("test")), changed: false)
                == first)
        let longer = try done(
            await context.grantApp(GivenMart.item, to: GivenMart.ada, [.end(nil)], by: .operator("test")), changed: true
        )
        #expect(longer.term.end == nil)
        #expect(longer.grantedAt == first.grantedAt)
        let again = try done(
            await context.grantApp(GivenMart.item, to: GivenMart.ada, again: true, by: .operator("test")), changed: true
        )
        #expect(again.grantedAt == vendor.clock.now().adding(seconds: 1))
        #expect(again.term == longer.term)
        let ended = try done(
            await context.endAppGrant(GivenMart.item, of: GivenMart.ada, by: .operator("test")), changed: true)
        #expect(ended.endedAt == vendor.clock.now())
        _ = try done(
            await context.endAppGrant(GivenMart.item, of: GivenMart.ada, by: .operator("test")), changed: false)
        let opened = try done(
            await context.grantApp(GivenMart.item, to: GivenMart.ada, by: .operator("test")), changed: true)
        #expect(opened.isOpen(at: vendor.clock.now()))
        #expect(
            try await events(vendor).map(\.kind) == [
                .accountAdded, .appGranted, .appGranted, .appGranted, .appGrantEnded, .appGranted,
            ])
    }

    @Test func `an unknown account, an unknown app and a missing app grant get different refusals`() async throws {
        let vendor = try await Vendor(
            GivenMart.catalog(apps: #"{"appleItemID": "6483539426"}"#, accounts: #"{"id": "ada"}"#))
        let context = try await context(vendor)
        let eve = AccountRef(tenant: GivenMart.tenant, account: AccountID("eve")!)
        let other = AppleItemID(number: 7)!
        #expect(try await context.grantApp(GivenMart.item, to: eve, by: .operator("test")) == .unknownAccount)
        #expect(
            try await context.grantApp(other, to: GivenMart.ada, by: .operator("test"))
                == .refused(Refusal(.appUnknown(other))))
        #expect(
            try await context.endAppGrant(GivenMart.item, of: GivenMart.ada, by: .operator("test"))
                == .refused(Refusal(.appNotGranted(GivenMart.item))))
    }

    @Test func `an account's token and link are stored under their digests, each with its kind`() async throws {
        let vendor = try await Vendor(
            GivenMart.catalog(apps: #"{"appleItemID": "6483539426"}"#, accounts: #"{"id": "ada"}"#))
        let context = try await context(vendor)
        let end = vendor.clock.now().adding(days: 1)
        let token = try #require(try await context.makeToken(for: GivenMart.ada, by: .operator("test")))
        let link = try #require(try await context.makeLink(for: GivenMart.ada, expiresAt: end, by: .operator("test")))
        #expect(token.text.hasPrefix("tenure_at_"))
        #expect(token.text.utf8.count == "tenure_at_".utf8.count + 43)
        #expect(link.text.utf8.count == 43)
        for (created, kind, expiresAt) in [(token, AccountCredential.Kind.token, nil), (link, .link, end)] {
            let stored = try await vendor.store.credential(Digest(SHA256.hash(Array(created.text.utf8)))!)
            #expect(stored == created.credential)
            #expect(stored?.kind == kind)
            #expect(stored?.expiresAt == expiresAt)
        }
        let eve = AccountRef(tenant: GivenMart.tenant, account: AccountID("eve")!)
        #expect(try await context.makeToken(for: eve, by: .operator("test")) == nil)
        #expect(try await context.makeToken(for: GivenMart.ada, by: .operator("test"))?.text != token.text)
        #expect(try await events(vendor).map(\.kind).suffix(2) == [.accountTokenMade, .accountTokenMade])
    }

    private func context(_ vendor: Vendor) async throws -> MarketplaceContext {
        MarketplaceContext(
            catalog: try await CatalogCache(store: vendor.store, master: vendor.master), clock: vendor.clock, pool: nil)
    }

    private func events(_ vendor: Vendor) async throws -> [Event] {
        let filter = EventFilter(tenant: GivenMart.tenant, account: GivenMart.ada.account)
        return try await vendor.store.events(filter, after: 0, limit: 100).map(\.event)
    }

    private func done(_ outcome: AppGrantOutcome, changed: Bool) throws -> AppGrant {
        guard case .done(let grant, changed) = outcome else {
            Issue.record("\(outcome)")
            throw Unexpected()
        }
        return grant
    }

    private struct Unexpected: Error {}
}
