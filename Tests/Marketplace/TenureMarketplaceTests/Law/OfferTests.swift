import TenureCore
import TenureMarketplace
import Testing

/// Which versions a marketplace offers, depending on the account's grant and the device's system.
@Suite struct OfferTests {
    private static let now = Timestamp(seconds: 1_800_000_000)
    private static let own = AppleItemID(text: "1000")!
    private static let game = AppleItemID(text: "2000")!
    private static let phone = AppleSystem(platform: .iOS, version: SystemVersion("18.1")!)
    private static let account = AccountRef(tenant: TenantID("mart")!, account: AccountID("ada")!)

    private static func version(
        _ id: UInt64, _ short: String, build: String = "1", needs: String? = "17.0", isHeld: Bool = false
    ) -> AppVersion {
        let lowest = needs.map { [ApplePlatform.iOS: SystemVersion($0)!] } ?? [:]
        return AppVersion(
            id: AppleVersionID(number: id)!, shortVersion: short, bundleVersion: build, lowestSystems: lowest,
            isHeld: isHeld)
    }

    private static func mart(
        _ versions: [AppVersion], packageURL: String? = "https://cdn.example/game", isWithdrawn: Bool = false
    ) -> Marketplace {
        func app(_ item: AppleItemID) -> MarketplaceApp {
            MarketplaceApp(
                item: item, bundleID: "com.example.app", packageURL: packageURL, isDelisted: isWithdrawn,
                versions: Dictionary(uniqueKeysWithValues: versions.map { ($0.id, $0) }))
        }
        return Marketplace(
            name: "Mart", domain: "mart.example", appleItemID: own, access: .token,
            apps: [own: app(own), game: app(game)])
    }

    private static func grant(until end: Timestamp? = nil, endedAt: Timestamp? = nil) -> AppOffer.Right {
        let start = now.adding(days: -30)
        return .account(
            AppGrant(
                account: account, item: game, term: Term(start: start, end: end)!, grantedAt: start, endedAt: endedAt))
    }

    private static func id(_ number: UInt64) -> AppleVersionID { AppleVersionID(number: number)! }

    /// The marketplace, the app, the account's right, the system version, and the first applicable reason, which is the
    /// only one reported.
    @Test(
        arguments: [
            (mart([]), AppleItemID(text: "3")!, grant(), "18.1", "app_unknown"),
            (mart([version(1, "1")], isWithdrawn: true), game, .account(nil), "18.1", "app_withdrawn"),
            (mart([version(1, "1")]), game, .account(nil), "18.1", "not_granted"),
            (mart([version(1, "1")]), game, grant(until: now, endedAt: now), "18.1", "not_granted"),
            (mart([version(1, "1")]), game, grant(until: now), "18.1", "subscription_expired"),
            (mart([version(1, "1")]), game, grant(until: now.adding(seconds: 1)), "18.1", nil),
            (mart([version(2, "1")]), game, grant(), "18.1", "version_unknown"),
            (mart([version(1, "1", needs: "99", isHeld: true)]), game, grant(), "18.1", "version_held"),
            (mart([version(1, "1", needs: nil)]), game, grant(), "18.1", "package_not_ready"),
            (mart([version(1, "1")], packageURL: nil), game, grant(), "18.1", "package_not_ready"),
            (mart([version(1, "1")]), game, grant(), "16.7", "system_too_old"),
            (mart([version(1, "1")]), game, grant(), "17", nil),
            (mart([version(1, "1")]), game, .everybody, "18.1", nil),
            (mart([version(1, "1")]), own, .account(nil), "18.1", nil),
        ] as [(Marketplace, AppleItemID, AppOffer.Right, String, String?)])
    func `a restore is refused for the first applicable reason`(
        mart: Marketplace, item: AppleItemID, right: AppOffer.Right, system: String, reason: String?
    ) throws {
        let system = AppleSystem(platform: .iOS, version: try #require(SystemVersion(system)))
        let decision = mart.restore(item, Self.id(1), written: "1", on: system, right: right, at: Self.now)
        #expect(decision.refusal?.first.code.text == reason)
        #expect((decision.outcome != nil) == (reason == nil))
    }

    @Test func `the refusal of a malformed version id quotes it, unless the app itself is refused`() {
        let mart = Self.mart([Self.version(1, "1")])
        func reason(_ right: AppOffer.Right) -> Reason? {
            mart.restore(Self.game, nil, written: "0", on: Self.phone, right: right, at: Self.now).refusal?.first
        }
        #expect(reason(.account(nil))?.code.text == "not_granted")
        #expect(reason(Self.grant())?.code.text == "version_unknown")
        #expect(reason(Self.grant())?.message.contains("version 0") == true)
    }

    @Test func `a tablet isn't offered versions that were made for phones only`() {
        let tablet = AppleSystem(platform: .iPadOS, version: SystemVersion("18.1")!)
        let decision = Self.mart([Self.version(1, "1")])
            .restore(Self.game, Self.id(1), written: "1", on: tablet, right: Self.grant(), at: Self.now)
        #expect(decision.refusal?.first.code.text == "platform_unsupported")
    }

    /// The installed version, whether 41.10 is held back, and the version that is offered out of 31.00.1 (868184258),
    /// 31.00.2 (868272229) and 41.10 (886847075).
    @Test(
        arguments: [
            (868_184_258, false, 886_847_075), (868_184_258, true, 868_272_229), (868_272_229, true, nil),
            (886_847_075, false, nil), (nil, false, 886_847_075), (1, true, 868_272_229), (999_999_999, false, nil),
        ] as [(UInt64?, Bool, UInt64?)])
    func `an update is the newest offered version if it is newer than the installed one`(
        installed: UInt64?, isHeld: Bool, offered: UInt64?
    ) {
        let mart = Self.mart([
            Self.version(868_184_258, "31.00.1"), Self.version(868_272_229, "31.00.2"),
            Self.version(886_847_075, "41.10", isHeld: isHeld),
        ])
        let decision = mart.updates(of: Self.game, on: Self.phone, right: Self.grant(), at: Self.now)
        #expect(decision.outcome?.update(from: installed.map(Self.id))?.version.id.number == offered)
    }

    /// Versions are ordered by their display version, then the build, then Apple's number. The list is oldest first.
    @Test func `app versions are ordered by display version, build and Apple's number, part by part`() {
        let ordered = [
            Self.version(9, "1.9", build: "7"), Self.version(8, "1.10", build: "1"),
            Self.version(7, "1.10", build: "2"),
            Self.version(10, "1.10", build: "2"), Self.version(1, "1.10b"), Self.version(2, "2.0"),
            Self.version(3, "2"), Self.version(4, "2.0.1"),
        ]
        for (index, version) in ordered.enumerated() {
            for (other, older) in ordered.enumerated() { #expect(version.isNewer(than: older) == (index > other)) }
        }
    }

    @Test
    func `an update check offers no version that needs a newer system, and is refused for an account without a grant`()
    {
        let mart = Self.mart([Self.version(2, "2", needs: "19")])
        let fits = mart.updates(of: Self.game, on: Self.phone, right: Self.grant(), at: Self.now)
        #expect(fits.refusal == nil)
        #expect(fits.outcome?.update(from: Self.id(1)) == nil)
        let refused = mart.updates(of: Self.game, on: Self.phone, right: .account(nil), at: Self.now)
        #expect(refused.refusal?.first.code.text == "not_granted")
    }

    @Test
    func `an installation request gets the newest version for the device's system, or the reason for its refusal`() {
        let mart = Self.mart([Self.version(1, "1", needs: "17"), Self.version(2, "2", needs: "19")])
        let some = mart.install(Self.game, nil, on: Self.phone, right: Self.grant(), at: Self.now)
        #expect(some.outcome?.version.id.number == 1)
        #expect(some.outcome?.packageURL(orBelow: "https://mart.example/adp/acme") == "https://cdn.example/game/1")
        let blind = mart.install(Self.game, nil, on: nil, right: Self.grant(), at: Self.now)
        #expect(blind.outcome?.version.id.number == 2)
        let old = AppleSystem(platform: .iOS, version: SystemVersion("16")!)
        let none = mart.install(Self.game, nil, on: old, right: Self.grant(), at: Self.now)
        #expect(none.refusal?.first.code.text == "system_too_old")
    }

    @Test func `a stored package is offered from this server, and can be downloaded while its version is held back`() {
        var version = Self.version(1, "1", needs: "17")
        var mart = Self.mart([version])
        mart.apps[Self.game]?.packageURL = nil
        let bare = mart.install(Self.game, nil, on: nil, right: .everybody, at: Self.now)
        #expect(bare.refusal?.first.code.text == "package_not_ready")
        let fetched = mart.fetch(Self.game, version.id, right: .everybody, at: Self.now)
        #expect(fetched.refusal?.first.code.text == "package_not_ready")
        version.package = HeldPackage(revision: 2)
        mart.apps[Self.game]?.versions[version.id] = version
        let offer = mart.install(Self.game, nil, on: nil, right: .everybody, at: Self.now).outcome
        #expect(offer?.packageURL(orBelow: "https://m.example/adp/acme") == "https://m.example/adp/acme/\(Self.game)/1")
        mart.apps[Self.game]?.versions[version.id]?.isHeld = true
        #expect(mart.fetch(Self.game, version.id, right: .everybody, at: Self.now).outcome?.revision == 2)
        let unpaid = mart.fetch(Self.game, version.id, right: .account(nil), at: Self.now)
        #expect(unpaid.refusal?.first.code.text == "not_granted")
        mart.apps[Self.game]?.isDelisted = true
        let withdrawn = mart.fetch(Self.game, version.id, right: .everybody, at: Self.now)
        #expect(withdrawn.refusal?.first.code.text == "app_withdrawn")
    }
}
