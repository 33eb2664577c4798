import Foundation
import TenureCore
import TenureMarketplaceClient
import Testing

/// When a marketplace app requests license news, and for which apps it renews licenses.
@Suite struct LicenseWatchTests {
    private static let day: Int64 = 86_400
    private static let installed: Set<AppleItemID> = [Given.game, Given.other]

    @Test func `license changes are requested when the app starts and a day after the last response`() {
        var watch = LicenseWatch()
        #expect(watch.isDue(isStart: false, at: Given.now))
        _ = watch.take(LicenseNews(cursor: "1"), installed: [], at: Given.now)
        #expect(watch.isDue(isStart: true, at: Given.now))
        #expect(!watch.isDue(isStart: false, at: Given.now.adding(seconds: Self.day - 1)))
        #expect(watch.isDue(isStart: false, at: Given.now.adding(seconds: Self.day)))
        #expect(watch.isDue(isStart: false, at: Given.now.adding(seconds: -1)))
    }

    @Test func `only installed apps are renewed, and only after the last page of license changes`() {
        var watch = LicenseWatch()
        #expect(watch.cursor == "0")
        let first = LicenseNews(cursor: "5", hasMore: true, renew: [Given.game, Given.item(3)])
        #expect(watch.take(first, installed: Self.installed, at: Given.now) == .askAgain)
        #expect(watch.cursor == "5")
        let last = LicenseNews(cursor: "8", renew: [Given.other])
        #expect(
            watch.take(last, installed: Self.installed, at: Given.now) == .renew([Given.game, Given.other]))
        #expect(watch.cursor == "8")
        #expect(watch.didRequest([Given.game]) == .renew([Given.other]))
        #expect(watch.didRequest([Given.other]) == .done)
    }

    @Test func `a renewal that wasn't requested before the app exited is requested after its next start`() throws {
        var watch = LicenseWatch()
        _ = watch.take(LicenseNews(cursor: "8", renew: [Given.game]), installed: Self.installed, at: Given.now)
        let stored = try JSONDecoder().decode(LicenseWatch.self, from: JSONEncoder().encode(watch))
        #expect(stored == watch)
        watch = stored
        #expect(watch.cursor == "8")
        #expect(watch.next == .renew([Given.game]))
        #expect(watch.take(LicenseNews(cursor: "8"), installed: Self.installed, at: Given.now) == .renew([Given.game]))
        // The apps have been uninstalled, so nothing needs to be renewed.
        #expect(watch.take(LicenseNews(cursor: "8"), installed: [], at: Given.now) == .done)
    }

    @Test func `an expired license of an installed app is requested once a week`() {
        var watch = LicenseWatch()
        let news = LicenseNews(cursor: "1", expired: [Given.game, Given.item(3)])
        var requests: [Int64] = []
        for day in 0..<15 as Range<Int64> {
            let now = Given.now.adding(seconds: day * Self.day)
            guard case .renew(let items) = watch.take(news, installed: Self.installed, at: now) else { continue }
            #expect(items == [Given.game])
            requests.append(day)
            #expect(watch.didRequest(items) == .done)
        }
        #expect(requests == [0, 7, 14])
    }

    @Test func `at most a hundred pages of license changes are read in a row`() {
        var watch = LicenseWatch()
        let same = LicenseNews(cursor: "0", hasMore: true)
        #expect(watch.take(same, installed: [], at: Given.now) == .done)
        var followed = 0
        while watch.take(LicenseNews(cursor: "\(followed + 1)", hasMore: true), installed: [], at: Given.now)
            == .askAgain,
            followed < 1000
        { followed += 1 }
        #expect(followed == 99)
        let long = LicenseNews(cursor: String(repeating: "9", count: 257), hasMore: true)
        #expect(watch.take(long, installed: [], at: Given.now) == .done)
        #expect(watch.cursor == "100")
    }

    @Test func `one renewal request contains at most two hundred licenses`() {
        var watch = LicenseWatch()
        let items = Set((1...250).map { Given.item($0) })
        guard
            case .renew(let first) = watch.take(LicenseNews(cursor: "1", renew: items), installed: items, at: Given.now)
        else {
            Issue.record("there was nothing to renew")
            return
        }
        #expect(first.count == 200)
        guard case .renew(let rest) = watch.didRequest(first) else {
            Issue.record("nothing was left")
            return
        }
        #expect(Set(first).union(rest) == items)
        #expect(rest.count == 50)
    }

    @Test func `a license state response is parsed, and one without its required members is refused`() throws {
        let json = """
            {"cursor":"8","hasMore":true,"renew":["6483539426","no id"],
             "licenses":[{"licenseID":"9061009452612661966","appleItemID":"6483539426","appleVersionID":"900000101",
                          "state":"active","expiresAt":"2026-12-21T16:27:28Z","cause":"due"},
                         {"licenseID":"2","appleItemID":"6497405838","appleVersionID":"1","state":"expired",
                          "expiresAt":null,"cause":"expired"},
                         {"licenseID":"3","appleItemID":"3","appleVersionID":"1","state":"active","cause":null}]}
            """
        let news = try JSONDecoder().decode(LicenseNews.self, from: Data(json.utf8))
        #expect(news == LicenseNews(cursor: "8", hasMore: true, renew: [Given.game], expired: [Given.other]))
        for broken in ["{}", #"{"cursor":8,"renew":[]}"#, #"{"cursor":"8"}"#] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(LicenseNews.self, from: Data(broken.utf8))
            }
        }
    }
}
