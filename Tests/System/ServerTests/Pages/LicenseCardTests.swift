import TenureCore
import TenureFormats
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore
import Testing

@Suite struct `A license's card` {
    @Test func `the card of an app license that couldn't be delivered shows a problem at the vendor`() {
        let issued = SampleApps.license(endsIn: 20)
        let undelivered = AppLicense(
            id: issued.id, tenant: issued.tenant, asset: issued.asset, account: issued.account, device: issued.device,
            request: issued.request, issuedAt: issued.issuedAt, term: issued.term, termRequest: issued.request,
            recordedState: .returned, stoppedAt: SampleApps.now, failedAt: SampleApps.now, isReplaced: true,
            failedKey: issued.device)
        let card = LicenseCard(SampleApps.explained(undelivered), of: SampleApps.app(), at: SampleApps.now)
        #expect(card.status == .vendorSide && card.light == .closed && !card.isDelivered)
        #expect(card.reasons.map(\.code) == [.appKeyUnusable])
        let json = JSONWriter.object { $0.appLicense(undelivered, at: SampleApps.now) }
        #expect(String(decoding: json, as: UTF8.self).contains(#""replaced":false"#))
    }

    @Test func `the sample licenses have every status that a license card can show`() {
        #expect(Set(SampleApps.standings.map(\.0)) == Set(LicenseStanding.allCases))
    }

    @Test(arguments: SampleApps.standings.indices)
    func `a license card shows the license's status and whether its app opens`(_ index: Int) {
        let (status, explained) = SampleApps.standings[index]
        #expect(LicenseStanding(of: explained) == status)
        let card = LicenseCard(explained, of: SampleApps.app(), at: SampleApps.now)
        #expect(card.status == status)
        switch status {
        case .fine: #expect(card.light == .opens)
        case .revoked, .released: #expect(card.light == .over)
        case .expired, .accessEnded, .notGranted, .deviceLimit, .tooLate: #expect(card.light == .closed)
        case .renewalFailed, .subscriptionEnded, .withdrawn, .suspended, .vendorSide:
            #expect(card.light == .opensUntil)
        }
    }

    @Test func `a license card identifies its device by four characters`() {
        let one = LicenseCard(SampleApps.explained(SampleApps.license(1)), of: SampleApps.app(), at: SampleApps.now)
        let other = LicenseCard(SampleApps.explained(SampleApps.license(2)), of: SampleApps.app(), at: SampleApps.now)
        #expect(one.device != other.device)
        #expect(one.device.wholeMatch(of: /Device [0-9A-HJKMNP-TV-Z]{4}/) != nil)
    }

    @Test(arguments: [
        (nil as String?, "com.example.camping"), ("Camping", "Camping"),
    ]) func `a page shows an app's name, or its bundle id without one, and the Apple item id of an unknown app`(
        _ name: String?, _ expected: String
    ) {
        let app = SampleApps.app(name: name)
        #expect(AppName(of: app, item: app.item).text == expected)
        #expect(AppName(of: nil, item: app.item).text == "App 6483539426")
    }

    @Test(
        arguments: [
            (0, "now"), (59, "now"), (60, "in 1 minute"), (89, "in 1 minute"), (90, "in 2 minutes"),
            (3569, "in 59 minutes"), (3570, "in 1 hour"), (3600, "in 1 hour"), (5399, "in 1 hour"),
            (5400, "in 2 hours"),
            (170_999, "in 47 hours"), (171_000, "in 2 days"), (86_400 * 30 - 43_200, "in 30 days"),
            (86_400 * 30 - 43_201, "in 29 days"), (86_400 * 365 - 5, "in 365 days"), (86_400 * 30, "in 30 days"),
            (.max, "in 106751991167301 days"),
        ] as [(Int64, String)])
    func `a future time is rounded to the nearest unit, or shown as now if it is less than a minute ahead`(
        _ seconds: Int64, _ expected: String
    ) {
        #expect(Timestamp(seconds: seconds).distance(from: Timestamp(seconds: 0)) == expected)
    }

    @Test(
        arguments: [
            (-59, "now"), (-119, "1 minute ago"), (-3599, "59 minutes ago"), (-7199, "1 hour ago"),
            (-172_799, "47 hours ago"), (-86_400 * 3 + 1, "2 days ago"), (-86_400 * 40, "40 days ago"),
        ] as [(Int64, String)])
    func `a past time is rounded down to a unit, or shown as now if it is less than a minute ago`(
        _ seconds: Int64, _ expected: String
    ) {
        #expect(SampleApps.now.adding(seconds: seconds).distance(from: SampleApps.now) == expected)
    }

    @Test func `by default, a date on a page has the English month's name and the time in UTC`() {
        #expect(Timestamp(seconds: 1_800_000_000).forPeople == "15 January 2027, 08:00 UTC")
        #expect(Timestamp(seconds: 0).forPeople == "1 January 1970, 00:00 UTC")
        #expect(Timestamp(seconds: .max).forPeople == Timestamp(seconds: .max).description)
    }
}
