import TenureCore
import TenureHTTP
import TenureMarketplace
import TenureServerKit
import TenureTesting
import Testing

@Suite struct `What one phone can make the server store` {
    @Test func `a device that exceeds 120 renewals a minute gets 429 and keeps its license`() async throws {
        let shop = try await Market.open()
        let phone = Phone(shop)
        let id = try await phone.install()
        shop.clock.advance(seconds: 60)
        for _ in 0..<120 { #expect(try await phone.renew([id]).status == 200) }
        let events = try await shop.events().count
        let refused = try await phone.renew([id])
        #expect(refused.status == 429 && refused.code == "try_again" && refused.headers["Retry-After"] == "60")
        #expect(try await phone.send().status == 429)
        #expect(try await shop.events().count == events)
        #expect(try await Phone(shop, id: 2).send().status == 200, "another phone")
        shop.clock.advance(seconds: 60)
        #expect(try await phone.read(phone.renew([id])).map(\.licenseID) == [id])
    }

    @Test func `a device may request licenses for 1,000 apps an hour`() async throws {
        let shop = try await LicenseRequestTests.shop(apps: 200)
        let phone = Phone(shop)
        let wishes = (1...200 as ClosedRange<UInt64>).map { Phone.Wish(item: $0) }
        for _ in 0..<5 { #expect(try await phone.send(wishes).status == 200) }
        let refused = try await phone.send([wishes[0]])
        #expect(refused.status == 429 && refused.headers["Retry-After"] == "3600")
        #expect(try await shop.licenses().count <= 1_000)
        shop.clock.advance(seconds: 3_600)
        #expect(try await phone.send([wishes[0]]).status == 200)
    }
}
