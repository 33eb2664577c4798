import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureTesting
import Testing

/// Which licenses a device may renew, and when, as Apple documents it.
@Suite struct RenewalTests {
    private static let day: Int64 = 86_400

    @Test(arguments: [1, 2, 200])
    func `a renewal of 1, 2 or 200 licenses returns all of them in one response`(count: Int)
        async throws
    {
        let shop = try await LicenseRequestTests.shop(apps: count)
        let phone = Phone(shop)
        let ids = try await phone.read(phone.send((1...UInt64(count)).map { Phone.Wish(item: $0) })).map(\.licenseID)
        shop.clock.advance(seconds: 29 * Self.day)
        let answer = try await phone.renew(ids)
        let renewed = try await phone.read(answer)
        #expect(answer.texts("ineligibleLicenses").isEmpty)
        #expect(Set(renewed.map(\.licenseID)) == Set(ids))
        let now = UInt64(shop.now.seconds)
        #expect(renewed.allSatisfy { $0.issuedTime == now && $0.duration == 2_592_000 })
        #expect(try await shop.events().count { $0.kind == .appLicenseRenewed } == count)
    }

    @Test func `a renewal of more than 4096 licenses is refused as a whole`() async throws {
        let shop = try await Market.open()
        let answer = try await Phone(shop).renew((1...4097).map { $0 })
        #expect(answer.status == 400)
        #expect(try await shop.events().allSatisfy { $0.kind != .appLicenseIneligible })
    }

    @Test func `a license id that a renewal request repeats is in the response once`() async throws {
        let shop = try await Market.open()
        let phone = Phone(shop)
        let id = try await phone.install()
        #expect(try await phone.read(phone.renew([id, id, id])).map(\.licenseID) == [id])
        #expect(try await phone.renew([77, 77]).texts("ineligibleLicenses") == ["77"])
    }

    @Test(arguments: [
        UInt64(0), 1, 1 << 53, 1 << 62, .init(Int64.max), .init(Int64.max) + 1, .max,
    ]) func `a renewal lists an unknown app license id of any size as ineligible`(id: UInt64) async throws {
        let shop = try await Market.open()
        let phone = Phone(shop)
        let stored = try await phone.install()
        let answer = try await phone.renew([id, stored])
        #expect(answer.texts("ineligibleLicenses") == ["\(id)"])
        #expect(try await phone.read(answer).map(\.licenseID) == [stored])
    }

    @Test func `a response to a renewal lists each license as renewed or ineligible`() async throws {
        let shop = try await LicenseRequestTests.shop(apps: 5)
        let (phone, other) = (Phone(shop, id: 1), Phone(shop, id: 2))
        var ids: [UInt64] = []
        for item in 1...5 as ClosedRange<UInt64> { ids.append(try await phone.install(Phone.Wish(item: item))) }
        let foreign = try await other.install(Phone.Wish(item: 1))
        try await shop.act(.revoke, on: ids[1])
        try await shop.act(.suspend, on: ids[2])
        try await shop.act(.giveBack, on: ids[3])
        let answer = try await phone.renew(ids + [foreign, 9])
        let renewed = Set(try await phone.read(answer).map(\.licenseID))
        let ineligible = Set(answer.texts("ineligibleLicenses"))
        #expect(renewed == [ids[0], ids[4]])
        #expect(ineligible == Set((ids[1...3] + [foreign, 9]).map { "\($0)" }))
        // Ids of other devices' licenses leave no events, because any caller can send any number.
        let reasons = Set(try await shop.reasons())
        #expect(reasons == ["license_revoked", "license_suspended", "license_returned"])
    }

    @Test(arguments: [
        // Days and seconds since the license was issued. The license lasts 30 days and can be renewed until 90 days
        // after its end.
        (0, 0, true), (28, -1, true), (29, 0, true), (29, 86_399, true), (30, 0, true), (30, 1, true),
        (119, 86_399, true), (120, 0, false), (120, 1, false), (4000, 0, false),
    ]) func `an app license can be renewed for as many days after its end as the app's rules allow`(
        days: Int64, seconds: Int64, renews: Bool
    ) async throws {
        let shop = try await Market.open(#""durationDays": 30, "jitterPercent": 0, "renewAfterExpiryDays": 90"#)
        let phone = Phone(shop)
        let id = try await phone.install()
        shop.clock.advance(seconds: days * Self.day + seconds)
        let answer = try await phone.renew([id])
        let starts = try await phone.read(answer).map(\.issuedTime)
        let expected = renews ? [UInt64(shop.now.seconds)] : []
        #expect(starts == expected)
        #expect(answer.texts("ineligibleLicenses") == (renews ? [] : ["\(id)"]))
        #expect(try await shop.reasons() == (renews ? [] : ["app_renewal_too_late"]))
    }

    @Test(arguments: [UInt64(0), 1, 1 << 31, 1 << 32, .init(Int64.max), .max])
    func `an app license and its renewal don't depend on the device's clock`(time: UInt64) async throws {
        let shop = try await Market.open(#""jitterPercent": 0"#)
        let phone = Phone(shop)
        let license = try #require(try await phone.read(phone.send(time: time)).first)
        #expect(license.issuedTime == UInt64(shop.now.seconds))
        #expect(license.duration == 2_592_000)
        #expect(try await phone.read(phone.renew([license.licenseID], time: time)).count == 1)
    }

    @Test func `only a perpetual app license is written with a duration of 0`() async throws {
        let forever = try await Market.open(#""durationDays": null"#)
        #expect(try await Phone(forever).read(Phone(forever).send()).map(\.duration) == [0])

        let shop = try await Market.withAccounts(#""jitterPercent": 0"#)
        let phone = Phone(shop, token: try await shop.account(until: shop.now.adding(seconds: 1)))
        let license = try #require(try await phone.read(phone.send()).first)
        #expect(license.duration == 1)
        shop.clock.advance(seconds: 1)
        #expect(try await phone.renew([license.licenseID]).texts("ineligibleLicenses") == ["\(license.licenseID)"])
        #expect(try await phone.send().status == 402)
    }

    @Test func `an encrypted request that is sent to the wrong endpoint gets the response of an unreadable one`()
        async throws
    {
        let shop = try await Market.open()
        let phone = Phone(shop)
        let id = try await phone.install()
        let create = try await phone.seal(.create, items: [GivenMart.item.number])
        let renew = try await phone.seal(.renew, licenses: [id])
        let apps = #""appsById": {\#(Phone.Wish.game.json)}"#
        let garbage = RequestEnvelope(request: "AAAA", requestKey: "AAAA")
        let answers = [
            await phone.post("licenseRenewalURL", Phone.renewalBody(create)),
            await phone.post(
                "dynamicLicenseURL",
                #"{"licenseRequest": "\#(renew.request)", "licenseKey": "\#(renew.requestKey)", \#(apps)}"#),
            await phone.post("licenseRenewalURL", Phone.renewalBody(garbage)),
        ]
        #expect(answers.map(\.status) == [400, 400, 400])
        #expect(Set(answers.map(\.bytes)).count == 1)
        #expect(answers.first?.code == "request_unreadable")
    }

    @Test(arguments: [
        "", "{}", "[]", "null", "{", #"{"renewalRequest": 1, "licenseKey": "A"}"#, #"{"licenseKey": "A"}"#,
        #"{"renewalRequest": "A"}"#, #"{"renewalRequest": "A", "licenseKey": "A", "licenseKey": "B"}"#,
        #"{"renewalRequest": "A", "licenseKey": null}"#, "\u{FEFF}{}", "<html></html>",
    ]) func `a renewal request with a malformed body gets 400 with a JSON or field error`(body: String) async throws {
        let answer = await Phone(try await Market.open()).post("licenseRenewalURL", body)
        #expect(answer.status == 400)
        #expect(answer.code?.hasPrefix("field_") == true || answer.code?.hasPrefix("json_") == true)
    }

    @Test(arguments: ["dynamicLicenseURL", "licenseRenewalURL"])
    func `a license or renewal request over 256 KiB is refused as too large`(endpoint: String) async throws {
        let phone = Phone(try await Market.open())
        let long = await phone.post(endpoint, String(repeating: "[", count: 256 << 10 + 1))
        #expect(long.status == 413 && long.code == "body_too_large")
        let fitting = await phone.post(endpoint, String(repeating: " ", count: 256 << 10 - 2) + "[]")
        #expect(fitting.status == 400 && fitting.code == "json_not_an_object")
    }

    @Test func `a repeated renewal request gets the same licenses and changes nothing`() async throws {
        let shop = try await Market.open()
        let phone = Phone(shop)
        let id = try await phone.install()
        shop.clock.advance(seconds: 20 * Self.day)
        let first = try await phone.read(phone.renew([id], request: 7))
        let events = try await shop.events().count
        shop.clock.advance(seconds: 60)
        #expect(try await phone.read(phone.renew([id], request: 7)) == first)
        #expect(try await shop.events().count == events)
    }

    @Test func `a suspended app license can't be renewed until it is reinstated`() async throws {
        let shop = try await Market.open()
        let phone = Phone(shop)
        let id = try await phone.install()
        try await shop.act(.suspend, on: id)
        #expect(try await phone.renew([id]).texts("ineligibleLicenses") == ["\(id)"])
        #expect(try await phone.send().texts("unlicensedApps") == ["\(GivenMart.item)"])
        try await shop.act(.reinstate, on: id)
        #expect(try await phone.read(phone.renew([id])).map(\.licenseID) == [id])
    }
}
