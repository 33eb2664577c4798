import TenureCore
import TenureMarketplace
import Testing

/// Notifications whose own time is later than their receipt.
@Suite struct AvailabilityAheadTests {
    /// A notification: whether it opens or closes, its package, its own time, and its time of receipt, in seconds.
    struct Told: Sendable {
        let opens: Bool
        let package: String?
        let ownTime: Int64
        let receipt: Int64

        func notice() -> MarketplaceNotice {
            MarketplaceNotice(
                id: "n", type: "t", marketplace: nil, item: nil, time: ownTime * 1_000_000,
                act: .availability(packages: [package].compactMap { $0 }, isOpen: opens, extent: .everywhere))
        }
    }

    private static func close(_ ownTime: Int64, came receipt: Int64, _ package: String? = nil) -> Told {
        Told(opens: false, package: package, ownTime: ownTime, receipt: receipt)
    }

    private static func open(_ ownTime: Int64, came receipt: Int64, _ package: String? = nil) -> Told {
        Told(opens: true, package: package, ownTime: ownTime, receipt: receipt)
    }

    /// Processes notifications in this order. Returns the availability, their words, and a letter for each word: `o`
    /// for outdated, `s` for no change, `c` for a change.
    private static func hear(_ all: [Told]) -> (standing: AppAvailability, words: [AppAvailability.Word], told: String)
    {
        var availability = AppAvailability()
        var (received, text): ([AppAvailability.Word], String) = ([], "")
        for one in all {
            let (notice, receipt) = (one.notice(), one.receipt * 1_000_000)
            let counted =
                !one.opens && notice.isAhead(ofReceipt: receipt)
                ? availability.time(ofClosingAhead: one.ownTime * 1_000_000, receivedAt: receipt, of: notice.packages)
                : nil
            for word in notice.words(receivedAt: receipt, countedFrom: counted) {
                received.append(word)
                switch availability.hearing(word, among: ["p"]) {
                case .outdated: text += "o"
                case .same(let after): (availability, text) = (after, text + "s")
                case .changed(let after): (availability, text) = (after, text + "c")
                }
            }
        }
        return (availability, received, text)
    }

    @Test(
        arguments: [
            // A closing that is dated in the future takes effect immediately. A later opening with a true time wins,
            // even in the same second.
            ([close(9_000, came: 1_000)], "c", false),
            ([close(9_000, came: 1_000), open(1_005, came: 1_006)], "cc", true),
            ([close(9_000, came: 1_000), open(1_000, came: 1_000)], "cc", true),
            // An opening whose time is before the closing's receipt doesn't win.
            ([close(9_000, came: 1_000), open(999, came: 1_006)], "co", false),
            // The closing takes effect immediately after an opening in the same second, or from a sender whose clock is
            // slightly ahead.
            ([open(1_000, came: 1_000), close(9_000, came: 1_000)], "sc", false),
            ([open(1_300, came: 1_000), close(9_000, came: 1_000)], "sc", false),
            // Processing the closing again after an opening with a true time changes nothing.
            (
                [
                    close(9_000, came: 1_000), open(1_600, came: 1_600),
                    close(9_000, came: 1_000),
                ], "cco", true
            ),
            // If a notification is at most 300 s ahead, its own time counts.
            ([close(1_300, came: 1_000), open(1_299, came: 1_299)], "co", false),
            // Two notifications that are dated in the future are compared by their own times, in either order.
            ([close(9_000, came: 1_000), open(8_999, came: 1_001)], "co", false),
            ([close(9_000, came: 1_000), open(9_000, came: 1_001)], "co", false),
            ([close(9_000, came: 1_000), open(9_001, came: 1_001)], "cc", true),
            ([open(9_001, came: 1_001), close(9_000, came: 1_000)], "so", true),
            // The app's closing also counts against an opening of its package, and of two closings the later one
            // counts.
            (
                [
                    close(9_000, came: 1_000), close(8_000, came: 1_001),
                    open(8_500, came: 1_002, "p"),
                ], "cso", false
            ),
            (
                [close(9_000, came: 1_000), open(9_500, came: 1_002, "p")], "cc",
                true
            ),
        ] as [([Told], String, Bool)])
    func `a takedown dated far ahead is ordered by its receipt time, unless the opening is also dated far ahead`(
        all: [Told], counted: String, isOffered: Bool
    ) {
        let received = Self.hear(all)
        #expect(received.told == counted)
        #expect(received.standing.app.isWithdrawn != isOffered)
    }

    @Test func `replaying availability notifications without a wrong takedown gives the result of the remaining ones`()
    {
        let all = [
            Self.close(100, came: 100, "p"), Self.open(200, came: 200, "p"),
            Self.close(9_000, came: 1_000), Self.close(300, came: 1_100, "q"),
        ]
        let words = Self.hear(all).words
        let whole = AppAvailability.replaying(words, among: ["p", "q"])
        #expect(whole.availability.app.isWithdrawn)
        #expect(whole.counted == [true, true, true, true])
        let without = AppAvailability.replaying(words.filter { $0.package != nil }, among: ["p", "q"]).availability
        #expect(without.app == Availability())
        #expect(without.packages["p"]?.isWithdrawn == false)
        #expect(without.packages["q"]?.isWithdrawn == true)
    }

    @Test func `a replay of availability notifications orders them by time, with the takedown last among equal times`()
    {
        let open = AppAvailability.Word(package: nil, isOpen: true, extent: .everywhere, time: 5)
        let close = AppAvailability.Word(package: nil, isOpen: false, extent: .everywhere, time: 5)
        let later = AppAvailability.Word(package: nil, isOpen: true, extent: .everywhere, time: 6)
        #expect(AppAvailability.replaying([close, open], among: []).availability.app.isWithdrawn)
        #expect(!AppAvailability.replaying([later, close, open], among: []).availability.app.isWithdrawn)
    }
}
