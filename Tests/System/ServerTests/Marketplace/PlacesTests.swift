import TenureCore
import TenureLicensingServer
import TenureMarketplace
import TenureServerKit
import TenureTesting
import Testing

/// How many devices of an account may have an app at once, and which accounts may have the app.
@Suite struct PlacesTests {
    @Test func `revoking or returning a device's app license lets another device get one within the device limit`()
        async throws
    {
        for act in [AppLicense.Act.revoke, .giveBack] {
            let shop = try await Market.withAccounts(#""deviceLimit": 2"#)
            let token = try await shop.account()
            let phones = (1...3).map { Phone(shop, id: $0, token: token) }
            let first = try await phones[0].install()
            _ = try await phones[1].install()
            let refused = try await phones[2].send()
            #expect(refused.texts("unlicensedApps") == ["6483539426"])
            #expect(try await phones[2].read(refused).isEmpty)
            #expect(try await shop.reasons() == ["device_limit_reached"])
            try await shop.act(act, on: first)
            _ = try await phones[2].install()
        }
    }

    @Test(arguments: [true, false])
    func `revoking or returning either of a device's two licenses for an app makes room for another device`(
        isOlder: Bool
    ) async throws {
        for act in [AppLicense.Act.revoke, .giveBack] {
            let shop = try await Market.withAccounts(#""deviceLimit": 1"#)
            let token = try await shop.account()
            let (phone, other) = (Phone(shop, id: 1, token: token), Phone(shop, id: 2, token: token))
            let (older, current) = (try await phone.install(), try await phone.install())
            #expect(try await other.send().texts("unlicensedApps").count == 1)
            try await shop.act(act, on: isOlder ? older : current)
            let renewed = try await phone.renew([older, current])
            #expect(renewed.texts("ineligibleLicenses").sorted() == ["\(older)", "\(current)"].sorted())
            _ = try await other.install()
        }
    }

    @Test func `reinstating one of a device's two licenses for an app makes both renewable again`() async throws {
        let shop = try await Market.withAccounts()
        let phone = Phone(shop, token: try await shop.account())
        let (older, current) = (try await phone.install(), try await phone.install())
        try await shop.act(.suspend, on: older)
        #expect(try await phone.renew([older, current]).texts("ineligibleLicenses").count == 2)
        try await shop.act(.reinstate, on: current)
        #expect(try await phone.read(phone.renew([older, current])).count == 2)
    }

    @Test func `at an open marketplace, revoking a license revokes all licenses of its device for the app`()
        async throws
    {
        let shop = try await Market.open()
        let (phone, other) = (Phone(shop), Phone(shop, id: 2))
        let (older, current) = (try await phone.install(), try await phone.install())
        let third = try await other.install()
        try await shop.act(.revoke, on: current)
        #expect(try await phone.renew([older, current]).texts("ineligibleLicenses").count == 2)
        #expect(try await other.read(other.renew([third])).count == 1)
    }

    @Test func `a suspended app license counts towards the device limit until its term ends`() async throws {
        let shop = try await Market.withAccounts(#""deviceLimit": 1, "jitterPercent": 0"#)
        let token = try await shop.account()
        let (one, other) = (Phone(shop, id: 1, token: token), Phone(shop, id: 2, token: token))
        let id = try await one.install()
        try await shop.act(.suspend, on: id)
        #expect(try await other.send().texts("unlicensedApps").count == 1)
        shop.clock.advance(seconds: 30 * 86_400 - 1)
        #expect(try await other.send().texts("unlicensedApps").count == 1)
        shop.clock.advance(seconds: 1)
        _ = try await other.install()
        // A reinstated license must fit the device limit like any other.
        try await shop.act(.reinstate, on: id)
        #expect(try await one.renew([id]).texts("ineligibleLicenses") == ["\(id)"])
    }

    @Test func `of two devices that compete for an app under a device limit of one, exactly one gets a license`()
        async throws
    {
        let shop = try await Market.withAccounts(#""deviceLimit": 1"#)
        for round in 0..<20 {
            let token = try await shop.account("racer \(round)")
            let answers = try await withThrowingTaskGroup(of: Answer.self) { racers in
                for id in 1...2 {
                    let phone = Phone(shop, id: UInt8(id), token: token)
                    let body = try await phone.licenseBody()
                    racers.addTask { await phone.post("dynamicLicenseURL", body) }
                }
                return try await racers.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.map { $0.texts("unlicensedApps").count }.sorted() == [0, 1], "round \(round)")
        }
        #expect(try await shop.licenses().count == 20)
        #expect(try await shop.reasons() == [String](repeating: "device_limit_reached", count: 20))
    }

    @Test func `of two expired app licenses renewed concurrently under a device limit of one, exactly one is renewed`()
        async throws
    {
        let shop = try await Market.withAccounts(#""deviceLimit": 1, "jitterPercent": 0"#)
        for round in 0..<20 {
            let token = try await shop.account("racer \(round)")
            var bodies: [(Phone, String)] = []
            for id in 1...2 {
                let phone = Phone(shop, id: UInt8(id), token: token)
                bodies.append((phone, try await phone.renewalBody([try await phone.install()])))
                shop.clock.advance(days: 31)
            }
            let answers = await withTaskGroup(of: Answer.self) { racers in
                for (phone, body) in bodies { racers.addTask { await phone.post("licenseRenewalURL", body) } }
                return await racers.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.map { $0.texts("ineligibleLicenses").count }.sorted() == [0, 1], "round \(round)")
        }
    }

    @Test func `a device at the device limit can request its app again, and the new license replaces the old one`()
        async throws
    {
        let shop = try await Market.withAccounts(#""deviceLimit": 1"#)
        let phone = Phone(shop, token: try await shop.account())
        let first = try await phone.install()
        let second = try await phone.install()
        #expect(first != second)
        #expect(try await shop.license(first).isReplaced)
        #expect(try await !shop.license(second).isReplaced)
    }

    @Test func `an app that isn't granted to the account isn't licensed, even if another account has it`() async throws
    {
        let shop = try await Market.withAccounts()
        _ = try await shop.account("ada")
        let phone = Phone(shop, token: try await shop.account("bob", granting: []))
        #expect(try await phone.send().texts("unlicensedApps") == ["6483539426"])
        #expect(try await shop.reasons() == ["app_not_granted"])
    }

    @Test func `the end, expiry or renewal of an app grant takes effect with the next request`() async throws {
        let shop = try await Market.withAccounts(#""durationDays": 30, "jitterPercent": 0"#)
        let end = shop.now.adding(days: 10)
        let phone = Phone(shop, token: try await shop.account(until: end))
        let license = try #require(try await phone.read(phone.send()).first)
        #expect(license.issuedTime + license.duration == UInt64(end.seconds), "never later than the grant's end")
        let id = license.licenseID

        shop.clock.advance(days: 10)
        #expect(try await phone.renew([id]).texts("ineligibleLicenses") == ["\(id)"])
        try await shop.grant(until: shop.now.adding(days: 3))
        #expect(try await phone.read(phone.renew([id])).first?.duration == 3 * 86_400)

        let time = shop.now
        try await shop.changeGrant { $0.end(by: .operator("test"), at: time) }
        #expect(try await phone.renew([id]).texts("ineligibleLicenses") == ["\(id)"])
        #expect(try await phone.send().status == 402)
        try await shop.changeGrant { $0.again(by: .operator("test"), at: time) }
        #expect(try await phone.read(phone.renew([id])).map(\.licenseID) == [id])
        #expect(
            try await shop.reasons() == [
                "app_grant_expired", "app_grant_ended", "app_grant_ended",
            ])
    }

    @Test func `an open marketplace licenses more devices than the device limit`() async throws {
        let shop = try await Market.open(#""deviceLimit": 1"#)
        for id in 1...3 { _ = try await Phone(shop, id: UInt8(id)).install() }
        #expect(try await shop.licenses().count == 3)
    }
}
