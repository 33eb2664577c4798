import TenureCore
import TenureMarketplace
import Testing

/// Where apps and packages are offered, when notifications arrive late, twice or in any order.
@Suite struct AvailabilityTests {
    private static let irl = Territory(alpha3: "IRL")!
    private static let mlt = Territory(alpha3: "MLT")!
    private static let jpn = Territory(alpha3: "JPN")!
    private static let all = Availability.Extent.everywhere

    private static func close(_ package: String? = nil, _ extent: Availability.Extent = all, at time: Int64)
        -> AppAvailability.Word
    { .init(package: package, isOpen: false, extent: extent, time: time) }

    private static func open(_ package: String? = nil, _ extent: Availability.Extent = all, at time: Int64)
        -> AppAvailability.Word
    { .init(package: package, isOpen: true, extent: extent, time: time) }

    /// Notifications in their order of arrival; a letter for each (`o` for outdated, `s` for no change, `c` for a
    /// change); whether the app, and whether the package `p`, is offered.
    @Test(
        arguments: [
            ([], "", true, true),
            ([close(at: 5)], "c", false, true),
            ([close("p", at: 5)], "c", true, false),
            // A notification older than the last one for the same package or for the app is outdated or changes
            // nothing.
            ([close(at: 5), open(at: 4)], "co", false, true),
            ([open(at: 5), close(at: 4)], "so", true, true),
            ([close(at: 5), close("p", at: 4)], "co", false, true),
            ([close("p", at: 5), close(at: 4)], "cc", false, false),
            ([open("p", at: 5), close("p", at: 4)], "so", true, true),
            // A later opening lists the app or package again.
            ([close(at: 5), open(at: 6)], "cc", true, true),
            ([close("p", at: 5), open("p", at: 6)], "cc", true, true),
            ([close(at: 5), open("p", at: 6)], "cc", true, true),
            ([close("p", at: 5), open(at: 6)], "cs", true, false),
            // Of two notifications with the same time the closing wins, in either order.
            ([close(at: 5), open(at: 5)], "co", false, true),
            ([open(at: 5), close(at: 5)], "sc", false, true),
            ([close("p", at: 5), open("p", at: 5)], "co", true, false),
            ([close(at: 5), open("p", at: 5)], "co", false, true),
            ([close("p", at: 5), close(at: 5)], "cc", false, false),
            // A repeated notification changes nothing, and the later of the two counts as the last.
            ([close(at: 5), close(at: 5)], "cs", false, true),
            ([close(at: 5), close(at: 9), open(at: 7)], "cso", false, true),
        ] as [([AppAvailability.Word], String, Bool, Bool)])
    func `availability notifications take effect in the order of their own times, not of their arrival`(
        words: [AppAvailability.Word], counted: String, isAppOffered: Bool, isPackageOffered: Bool
    ) {
        var availability = AppAvailability()
        var result = ""
        for word in words {
            switch availability.hearing(word, among: ["p"]) {
            case .outdated: result += "o"
            case .same(let after): (availability, result) = (after, result + "s")
            case .changed(let after): (availability, result) = (after, result + "c")
            }
        }
        #expect(result == counted)
        #expect(availability.app.isWithdrawn != isAppOffered)
        #expect(availability.packages["p"]?.isWithdrawn ?? false != isPackageOffered)
    }

    @Test func `after a takedown, a notification that opens one package leaves the other packages closed`() {
        var availability = AppAvailability()
        for word in [Self.close(at: 5), Self.open("p", at: 6)] {
            if case .changed(let after) = availability.hearing(word, among: ["p", "q"]) { availability = after }
        }
        #expect(!availability.app.isWithdrawn)
        #expect(availability.packages["p"]?.isWithdrawn == false)
        #expect(availability.packages["q"]?.isWithdrawn == true)
        guard case .changed(let after) = availability.hearing(Self.open("q", at: 7)) else {
            Issue.record("q stayed closed")
            return
        }
        #expect(after.packages["q"]?.isWithdrawn == false)
    }

    private static func hear(_ words: [(Bool, Availability.Extent, Int64)]) -> Availability {
        var availability = Availability()
        for (isOpen, extent, time) in words {
            switch availability.hearing(isOpen: isOpen, extent, at: time) {
            case .outdated: continue
            case .same(let after), .changed(let after): availability = after
            }
        }
        return availability
    }

    @Test func `an app that is closed in some territories is open in the others`() {
        let availability = Self.hear([(false, .within([Self.irl, Self.mlt]), 1), (true, .within([Self.mlt]), 2)])
        #expect(availability.isClosed(in: Self.irl))
        #expect(!availability.isClosed(in: Self.mlt))
        #expect(!availability.isClosed(in: nil))
        #expect(!availability.isWithdrawn)
    }

    @Test func `an app closed in the whole European Union is withdrawn unless it is open elsewhere`() {
        let union = Availability.Extent.within(Territory.europeanUnion)
        #expect(Territory.europeanUnion.count == 27)
        #expect(Self.hear([(false, union, 1)]).isWithdrawn)
        #expect(!Self.hear([(false, .within(Territory.europeanUnion.subtracting([Self.mlt])), 1)]).isWithdrawn)
        #expect(!Self.hear([(true, .within([Self.jpn]), 1), (false, union, 2)]).isWithdrawn)
        #expect(
            Self.hear([(true, .within([Self.jpn]), 1), (false, union, 2), (false, .within([Self.jpn]), 3)]).isWithdrawn)
        #expect(!Self.hear([(false, union, 1), (true, .within([Self.irl]), 2)]).isWithdrawn)
    }

    @Test func `an app that is closed everywhere opens again only in the territories that a notification names`() {
        let availability = Self.hear([(false, .everywhere, 1), (true, .within([Self.irl]), 2)])
        #expect(!availability.isWithdrawn)
        #expect(!availability.isClosed(in: Self.irl))
        #expect(availability.isClosed(in: Self.mlt))
        #expect(!Self.hear([(false, .everywhere, 1), (true, .everywhere, 2)]).isClosed(in: Self.mlt))
    }

    @Test func `a closing takes precedence over an opening of the same time in the territories that both name`() {
        for words in [
            [(false, Availability.Extent.within([Self.irl]), Int64(5)), (true, .within([Self.irl, Self.mlt]), 5)],
            [(true, .within([Self.irl, Self.mlt]), 5), (false, .within([Self.irl]), 5)],
        ] {
            let availability = Self.hear(words)
            #expect(availability.isClosed(in: Self.irl))
            #expect(!availability.isClosed(in: Self.mlt))
            #expect(availability.open == [Self.mlt])
        }
    }

    @Test(
        arguments: [
            ("ie", "IRL"), ("IE", "IRL"), ("irl", "IRL"), ("XKS", "XKS"), ("xk", "XKS"), ("ZZ", "ZZ"), ("Q", nil),
            ("", nil), ("I3", nil), ("IRLX", nil), ("ÄT", nil),
        ] as [(String, String?)])
    func `a territory is named by two or three letters`(text: String, code: String?) {
        #expect(Territory(named: text)?.code == code)
    }

    private static func version(_ id: UInt64, _ availability: Availability) -> AppVersion {
        AppVersion(
            id: AppleVersionID(number: id)!, shortVersion: "\(id)", bundleVersion: "1",
            lowestSystems: [.iOS: SystemVersion("17")!], package: HeldPackage(revision: 1, id: "p\(id)"),
            availability: availability)
    }

    private static let item = AppleItemID(number: 7)!
    private static let phone = AppleSystem(platform: .iOS, version: SystemVersion("18.1")!)

    /// The availability of the app and of its version 2, the caller's territory, and the first reason for refusing to
    /// restore version 2.
    @Test(
        arguments: [
            (hear([]), hear([]), irl, nil),
            (hear([(false, .everywhere, 1)]), hear([]), nil, "app_withdrawn"),
            (hear([(false, .within([irl]), 1)]), hear([]), irl, "territory_closed"),
            (hear([(false, .within([irl]), 1)]), hear([]), mlt, nil),
            (hear([(false, .within([irl]), 1)]), hear([]), nil, nil),
            (hear([]), hear([(false, .everywhere, 1)]), nil, "version_withdrawn"),
            (hear([]), hear([(false, .within([irl]), 1)]), irl, "territory_closed"),
            (hear([]), hear([(false, .within([irl]), 1)]), nil, nil),
        ] as [(Availability, Availability, Territory?, String?)])
    func `an app or version that is closed in the device's territory isn't offered`(
        app: Availability, version: Availability, territory: Territory?, reason: String?
    ) {
        let mart = Marketplace(
            name: "Mart", domain: "mart.example",
            apps: [
                Self.item: MarketplaceApp(
                    item: Self.item, bundleID: "b", availability: app,
                    versions: [
                        AppleVersionID(number: 1)!: Self.version(1, Availability()),
                        AppleVersionID(number: 2)!: Self.version(2, version),
                    ])
            ])
        let now = Timestamp(seconds: 1_800_000_000)
        let decision = mart.restore(
            Self.item, AppleVersionID(number: 2)!, written: "2", on: Self.phone, right: .everybody, in: territory,
            at: now)
        #expect(decision.refusal?.first.code.text == reason)
        // An update skips a closed version, but a closed app has no updates.
        let updates = mart.updates(of: Self.item, on: Self.phone, right: .everybody, in: territory, at: now)
        let isAppClosed = app.isWithdrawn || territory.map { app.isClosed(in: $0) } ?? false
        #expect((updates.refusal == nil) == !isAppClosed)
        if case .granted(let apps) = updates {
            #expect(apps.update(from: nil)?.version.id.number == (reason == nil ? 2 : 1))
        }
        // Downloads depend on withdrawals only, not on territories.
        let fetch = mart.fetch(Self.item, AppleVersionID(number: 2)!, right: .everybody, at: now)
        #expect((fetch.refusal == nil) == (!app.isWithdrawn && !version.isWithdrawn))
    }
}
