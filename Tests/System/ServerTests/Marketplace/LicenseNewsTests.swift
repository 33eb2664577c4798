import TenureCore
import TenureFormats
import TenureHTTP
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore
import TenureTesting
import Testing

/// How the license state endpoint lists an account's licenses that are due, expired or refused.
@Suite struct LicenseNewsTests {
    /// Days after a license's end, the reported causes, and whether the license must be renewed.
    @Test(
        arguments: [
            (-8, ["null"], false), (-7, ["due"], true), (0, ["due"], true), (13, ["due"], true),
            (14, ["expired"], false), (89, ["expired"], false), (90, [], false),
        ] as [(Int, [String], Bool)])
    func `the license state endpoint lists an app license as due from 7 days before its end to 14 days after it`(
        days: Int, causes: [String], isToRenew: Bool
    ) async throws {
        try await expect(causes, isToRenew, days, rules: "")
    }

    @Test(
        arguments: [
            (#""renewAfterExpiryDays": 20"#, 19, ["expired"], false), (#""renewAfterExpiryDays": 20"#, 20, [], false),
            (#""renewAfterExpiryDays": 5"#, 4, ["due"], true), (#""renewAfterExpiryDays": 5"#, 5, [], false),
            (#""renewAfterExpiryDays": null"#, 89, ["expired"], false),
            (#""renewAfterExpiryDays": null"#, 90, [], false),
        ] as [(String, Int, [String], Bool)])
    func `the license state endpoint lists an expired license while the app's rules allow renewal, up to 90 days`(
        rules: String, days: Int, causes: [String], isToRenew: Bool
    ) async throws {
        try await expect(causes, isToRenew, days, rules: rules)
    }

    /// Requests the license state. Returns each license's cause and whether any app must be renewed.
    private func send(_ shop: Market, _ token: String, since cursor: String? = nil) async throws -> (
        causes: [String], cursor: String, isToRenew: Bool
    ) {
        let query = cursor.map { "?since=\($0)" } ?? ""
        let answer = await shop.vendor.get(
            "/marketplace/acme/licenses/state\(query)", headers: ["Authorization": "Bearer \(token)"])
        guard case .array(let licenses)? = answer.body["licenses"], case .array(let renew)? = answer.body["renew"],
            case .string(let cursor)? = answer.body["cursor"]
        else { throw Unexpected(answer: "\(answer)") }
        let causes = licenses.map { license in
            if case .object(let members) = license, case .string(let cause)? = members["cause"] {
                cause
            } else {
                "null"
            }
        }
        return (causes, cursor, !renew.isEmpty)
    }

    private struct Unexpected: Error { let answer: String }

    @Test(arguments: [0, 3600])
    func `the first license issued under an app grant isn't due for renewal at the first poll`(
        seconds: Int64
    ) async throws {
        let shop = try await Market.withAccounts()
        let token = try await shop.account()
        shop.clock.advance(seconds: seconds)
        _ = try await Phone(shop, token: token).install()
        let first = try await send(shop, token)
        #expect(first.causes == ["null"] && !first.isToRenew)
        // Granting the app again makes the first device's license due, although another device gets a newer license.
        shop.clock.advance(seconds: 60)
        try await shop.changeGrant { $0.again(by: .operator("test"), at: shop.now) }
        shop.clock.advance(seconds: 60)
        _ = try await Phone(shop, id: 2, token: token).install()
        let second = try await send(shop, token, since: first.cursor)
        #expect(second.causes.sorted() == ["changed", "null"] && second.isToRenew)
    }

    @Test func `an app license that failed to renew for an empty key blob can be renewed after the blob is replaced`()
        async throws
    {
        let shop = try await Market.withAccounts(#""jitterPercent": 0"#)
        let token = try await shop.account()
        let phone = Phone(shop, token: token)
        let id = try await phone.install()
        let term = try await shop.license(id).term
        try await LicenseRequestTests.breakKeys(of: GivenMart.item, at: shop)
        for _ in 1...2 {
            shop.clock.advance(seconds: 60)
            #expect(try await phone.renew([id]).texts("ineligibleLicenses") == ["\(id)"])
        }
        #expect(try await shop.license(id).term == term, "no attempt extends the term")
        #expect(try await send(shop, token).causes == ["null"])
        shop.clock.advance(days: 25)
        #expect(try await send(shop, token).causes == ["null"])
        let risk = try await shop.vendor.store.renewalRisk(at: shop.now)
        #expect(risk.map(\.week) == [RenewalRisk.Count(expiring: 1, failed: 1)])
        try await LicenseRequestTests.mendKeys(of: GivenMart.item, at: shop)
        #expect(try await send(shop, token).causes == ["renewable"])
        #expect(try await phone.read(try await phone.renew([id])).map(\.licenseID) == [id])
        #expect(try await send(shop, token).causes == ["null"])
    }

    @Test func `the license state endpoint doesn't list an app license that couldn't be delivered`() async throws {
        let shop = try await Market.withAccounts()
        let token = try await shop.account()
        try await LicenseRequestTests.breakKeys(of: GivenMart.item, at: shop)
        let phone = Phone(shop, token: token)
        #expect(try await phone.send().texts("unlicensedApps") == ["\(GivenMart.item)"])
        #expect(try await send(shop, token).causes == [])
    }

    /// Refuses a phone's renewal, then removes the cause, and expects that the license is listed until it's renewed.
    private func expectRenewable(
        _ rules: String = "", after days: Int = 1, refuse: (Market) async throws -> Void,
        permit: (Market) async throws -> Void
    ) async throws {
        let shop = try await Market.withAccounts(#""jitterPercent": 0\#(rules.isEmpty ? "" : ", ")\#(rules)"#)
        let token = try await shop.account()
        let phone = Phone(shop, token: token)
        let id = try await phone.install()
        shop.clock.advance(days: days)
        try await refuse(shop)
        #expect(try await phone.renew([id]).texts("ineligibleLicenses") == ["\(id)"])
        let refused = try await send(shop, token)
        #expect(!refused.causes.contains("renewable"))
        try await permit(shop)
        // With the latest cursor, the response omits the changes, but still lists the renewable license.
        let cursor = try await send(shop, token).cursor
        for _ in 1...2 {
            let permitted = try await send(shop, token, since: cursor)
            #expect(permitted.causes.contains("renewable") && permitted.isToRenew)
        }
        #expect(try await phone.read(phone.renew([id])).count == 1)
        #expect(try await !send(shop, token, since: cursor).causes.contains("renewable"))
    }

    @Test func `an app license refused while its app was withdrawn is listed as renewable once the app is available`()
        async throws
    {
        let rules = #""revokeOnTakedown": true"#
        func apply(_ withdrawn: Bool, to shop: Market) async throws {
            let app =
                #"{"appleItemID": "6483539426", "package": "game-1", "withdrawn": \#(withdrawn), "license": {\#(rules), "jitterPercent": 0}}"#
            try await shop.vendor.apply(GivenMart.catalog(apps: app, accounts: ""))
        }
        try await expectRenewable(
            rules, refuse: { try await apply(true, to: $0) }, permit: { try await apply(false, to: $0) })
    }

    @Test func `an app license refused while its grant had ended is listed as renewable once the app is granted again`()
        async throws
    {
        try await expectRenewable(
            refuse: { shop in try await shop.changeGrant { $0.end(by: .operator("test"), at: shop.now) } },
            permit: { shop in try await shop.changeGrant { $0.again(by: .operator("test"), at: shop.now) } })
    }

    @Test func `a reinstated app license is listed as renewable until its device renews it`() async throws {
        try await expectRenewable(
            refuse: { shop in try await shop.act(.suspend, on: UInt64(try await shop.licenses()[0].id.number)) },
            permit: { shop in try await shop.act(.reinstate, on: UInt64(try await shop.licenses()[0].id.number)) })
    }

    @Test func `an app license refused for the device limit is listed as renewable once another device's is returned`()
        async throws
    {
        try await expectRenewable(
            #""deviceLimit": 1"#, after: 31,
            refuse: { shop in _ = try await Phone(shop, id: 2, token: "token of ada at acme").install() },
            permit: { shop in
                let other = try #require(try await shop.licenses().max { $0.issuedAt < $1.issuedAt })
                try await shop.act(.giveBack, on: UInt64(other.id.number))
            })
    }

    @Test func `an older app license whose renewal was refused is listed as renewable until a new license is issued`()
        async throws
    {
        let shop = try await Market.withAccounts()
        let token = try await shop.account()
        let phone = Phone(shop, token: token)
        let (older, newer) = (try await phone.install(), try await phone.install())
        shop.clock.advance(seconds: 60)
        try await shop.changeGrant { $0.end(by: .operator("test"), at: shop.now) }
        #expect(try await phone.renew([older]).texts("ineligibleLicenses") == ["\(older)"])
        try await shop.changeGrant { $0.again(by: .operator("test"), at: shop.now) }
        let cursor = try await send(shop, token).cursor
        #expect(try await send(shop, token, since: cursor).causes.sorted() == ["null", "renewable"])
        #expect(try await shop.license(newer).failedAt == nil)
        shop.clock.advance(seconds: 60)
        _ = try await phone.install()
        #expect(try await send(shop, token, since: cursor).causes == ["null"])
    }

    @Test func `an app license without an end is due for renewal once its app gets a license duration`()
        async throws
    {
        let shop = try await Market.withAccounts(#""durationDays": null"#)
        let token = try await shop.account()
        let ids = [try await Phone(shop, token: token).install(), try await Phone(shop, id: 2, token: token).install()]
        let cursor = try await send(shop, token).cursor
        #expect(try await send(shop, token, since: cursor).causes == ["null", "null"])
        let catalog = GivenMart.catalog(license: #""durationDays": 30"#, accounts: "")
        let notes = try await shop.vendor.apply(catalog).filter { $0.verb == .note }.map(\.detail)
        #expect(notes.count == 1 && notes[0].hasPrefix("2 licenses have no end"))
        #expect(try await send(shop, token, since: cursor).causes == ["due", "due"])
        _ = try await Phone(shop, token: token).renew([ids[0]])
        #expect(try await send(shop, token, since: cursor).causes.sorted() == ["due", "null"])
    }

    @Test func `an app license without an end is due for renewal once its app grant gets an end`() async throws {
        let shop = try await Market.withAccounts(#""durationDays": null"#)
        let token = try await shop.account()
        let phone = Phone(shop, token: token)
        let id = try await phone.install()
        try await shop.grant(until: shop.now.adding(days: 90))
        let cursor = try await send(shop, token).cursor
        #expect(try await send(shop, token, since: cursor).causes == ["due"])
        _ = try await phone.renew([id])
        #expect(try await send(shop, token, since: cursor).causes == ["null"])
    }

    private func expect(_ causes: [String], _ isToRenew: Bool, _ days: Int, rules: String) async throws {
        let shop = try await Market.withAccounts(rules)
        let token = try await shop.account()
        let start = shop.now.adding(days: -30 - days)
        try await shop.vendor.save([.insert(GivenMart.license(1, from: start, days: 30))])
        let bearer: Headers = ["Authorization": "Bearer \(token)"]
        let granted = await shop.vendor.get("/marketplace/acme/licenses/state", headers: bearer)
        guard case .string(let cursor)? = granted.body["cursor"] else { return #expect(Bool(false), "\(granted)") }
        let answer = await shop.vendor.get("/marketplace/acme/licenses/state?since=\(cursor)", headers: bearer)
        guard case .array(let licenses)? = answer.body["licenses"], case .array(let renew)? = answer.body["renew"]
        else {
            return #expect(Bool(false), "\(answer)")
        }
        let result = licenses.map { license in
            if case .object(let members) = license, case .string(let cause)? = members["cause"] {
                cause
            } else {
                "null"
            }
        }
        #expect(result == causes)
        #expect(!renew.isEmpty == isToRenew)
    }
}
