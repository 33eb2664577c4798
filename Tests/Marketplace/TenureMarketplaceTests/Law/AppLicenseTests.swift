import TenureCore
import TenureMarketplace
import Testing

@Suite struct AppLicenseTests {
    private let now = GivenApps.now

    @Test func `an app license's term varies within the jitter and never outlasts the grant`() {
        let rules = AppLicense.Rules(durationDays: 30, jitterPercent: 10)
        let day: Int64 = 86_400
        #expect(rules.term(from: now, grantEnd: nil, draw: 0).end == now.adding(days: 30))
        #expect(rules.term(from: now, grantEnd: nil, draw: -1000).end == now.adding(days: 27))
        #expect(rules.term(from: now, grantEnd: nil, draw: 1000).end == now.adding(days: 33))
        #expect(rules.term(from: now, grantEnd: nil, draw: 99_999).end == now.adding(days: 33))
        #expect(rules.term(from: now, grantEnd: now.adding(seconds: day), draw: 0).end == now.adding(days: 1))
        #expect(AppLicense.Rules(durationDays: nil).term(from: now, grantEnd: nil, draw: 5).end == nil)
        #expect(
            AppLicense.Rules(durationDays: nil).term(from: now, grantEnd: now.adding(days: 3), draw: 5).end
                == now.adding(days: 3))
    }

    @Test(arguments: [Int64(0), 1, 59, 86_400, .max])
    func `an app license that ends is never written with duration 0, even with no time left`(
        left: Int64
    ) {
        let rules = AppLicense.Rules(durationDays: 30)
        let term = rules.term(from: now, grantEnd: now.adding(seconds: left), draw: 0)
        #expect(term.asIssuedAndDuration.duration > 0)
    }

    @Test(arguments: [
        (Timestamp(seconds: 0), Timestamp(seconds: .max)), (Timestamp(seconds: -5), Timestamp(seconds: 5)),
        (Timestamp(seconds: .max - 1), Timestamp(seconds: .max)), (Timestamp(seconds: 7), Timestamp(seconds: 7)),
    ]) func `an app license's issued time and duration add up to at most the largest signed 64-bit integer`(
        start: Timestamp, end: Timestamp
    ) throws {
        let written = try #require(Term(start: start, end: end)).asIssuedAndDuration
        #expect(written.duration > 0)
        #expect(written.duration < UInt64(Int64.max))
        #expect(!written.issuedTime.addingReportingOverflow(written.duration).overflow)
        #expect(written.issuedTime + written.duration <= UInt64(Int64.max))
    }

    @Test func `a perpetual license is written with duration 0`() {
        #expect(Term.perpetual(from: now).asIssuedAndDuration == (UInt64(now.seconds), 0))
    }

    @Test func `at the device limit, a device that requests an app again gets a license that replaces its earlier one`()
        throws
    {
        let right = AppGrant.Right(grant: GivenApps.grant(), active: [GivenApps.phone, GivenApps.device(2)])
        let decision = GivenApps.marketplace(GivenApps.app()).issue(
            GivenApps.wish(), to: GivenApps.requester(), right: right, earlier: [GivenApps.license()], at: now)
        let granted = try #require(decision.outcome)
        #expect(granted.consequences.licenses.map(\.id) == [GivenApps.newID, GivenApps.id])
        #expect(granted.consequences.licenses.map(\.isReplaced) == [false, true])
        #expect(granted.consequences.events.map(\.kind) == [.appLicenseIssued])
    }

    @Test func `a new device is refused an app license while other devices use up the device limit`() {
        let full = AppGrant.Right(grant: GivenApps.grant(), active: [GivenApps.device(2), GivenApps.device(3)])
        let decision = GivenApps.marketplace(GivenApps.app()).issue(
            GivenApps.wish(), to: GivenApps.requester(), right: full, earlier: [], at: now)
        #expect(decision.refusal?.reasons.map(\.code) == [.deviceLimitReached])
    }

    @Test func `a new device is refused while too many different devices recently had the app`() throws {
        let market = GivenApps.marketplace(GivenApps.app())
        func decision(lately: Int, _ own: Timestamp? = nil) -> Refusal? {
            var counted = Dictionary(
                uniqueKeysWithValues: (0..<lately).map { (GivenApps.device(UInt8(10 + $0)), now.adding(days: $0 + 1)) })
            if let own { counted[GivenApps.phone] = own }
            let right = AppGrant.Right(grant: GivenApps.grant(), active: [GivenApps.device(2)], recent: counted)
            return market.issue(GivenApps.wish(), to: GivenApps.requester(), right: right, earlier: [], at: now).refusal
        }
        #expect(decision(lately: 5) == nil)
        let refusal = try #require(decision(lately: 6))
        #expect(refusal.reasons.map(\.code) == [.deviceLimitReached])
        #expect(refusal.first.changesAt == now.adding(days: 1))
        #expect(refusal.first.evidence.map(\.value) == [.number(7), .number(2), .number(5)])
        #expect(decision(lately: 8)?.first.changesAt == now.adding(days: 3))
        #expect(decision(lately: 6, now.adding(days: 2)) == nil, "this device is already counted")
    }

    @Test
    func `a device with a valid license counts for at least 30 days after its release, unless an operator released it`()
    {
        let own = GivenApps.license().perform(
            .giveBack, with: [], by: .account(GivenApps.requester().account!), at: now
        ).outcome
        let end = GivenApps.license().term.end!
        #expect(own?.licenses.first?.countsUntil == max(end, now.adding(days: 30)))
        let over = GivenApps.license().perform(
            .giveBack, with: [], by: .account(GivenApps.requester().account!), at: end.adding(seconds: 1)
        ).outcome
        #expect(over?.licenses.first?.state(at: end) == .returned && over?.licenses.first?.countsUntil == nil)
        let result = GivenApps.license().perform(.giveBack, with: [], by: .operator("ada"), at: now).outcome
        #expect(result?.licenses.first?.state(at: now) == .returned && result?.licenses.first?.countsUntil == nil)
    }

    @Test(arguments: AppLicense.Act.allCases)
    func `an action on an app license also changes the device's other licenses of the app`(
        act: AppLicense.Act
    ) throws {
        let state: LifecycleState = act == .reinstate ? .suspended : .active
        let (older, current) = (GivenApps.license(state), GivenApps.license(state, id: GivenApps.newID))
        for (named, other) in [(older, current), (current, older)] {
            let decision = named.perform(act, with: [older, current], by: GivenApps.operatorAda, at: now)
            let consequences = try #require(decision.outcome)
            #expect(consequences.licenses.map(\.id) == [named.id, other.id])
            #expect(Set(consequences.licenses.map(\.recordedState)).count == 1)
            #expect(consequences.events.map(\.subject.license) == [named.id, other.id])
        }
    }

    @Test func `an action on an app license doesn't change licenses of another device, account, app or tenant`() throws
    {
        let own = GivenApps.license()
        func license(
            _ tenant: String = "acme", device: Digest = GivenApps.phone, account: AccountID? = GivenApps.ada,
            item: UInt64 = 100
        ) -> AppLicense {
            AppLicense(
                id: GivenApps.newID, tenant: TenantID(tenant)!,
                asset: AssetRef(
                    item: AppleItemID(number: item)!, version: GivenApps.version, asset: GivenApps.asset.asset),
                account: account, device: device, request: 3, issuedAt: own.issuedAt, term: own.term, termRequest: 3)
        }
        let foreign = [
            license("bolt"), license(device: GivenApps.device(2)), license(account: AccountID("bob")!),
            license(account: nil), license(item: 200),
        ]
        for other in foreign {
            let consequences = own.perform(.revoke, with: [own, other], by: GivenApps.operatorAda, at: now).outcome
            #expect(consequences?.licenses.map(\.id) == [own.id])
        }
        #expect(own.perform(.revoke, with: [license()], by: GivenApps.operatorAda, at: now).outcome?.events.count == 2)
    }

    @Test func `a repeated revocation or return of an app license doesn't change the device's newer licenses`() throws {
        let newer = GivenApps.license(id: GivenApps.newID)
        for (state, act) in [(LifecycleState.revoked, AppLicense.Act.revoke), (.returned, .giveBack)] {
            let decision = GivenApps.license(state).perform(act, with: [newer], by: GivenApps.operatorAda, at: now)
            #expect(decision.outcome?.isEmpty == true)
        }
    }

    @Test func `reinstating an app license doesn't reinstate a license that was suspended at another time`() throws {
        let other = GivenApps.license(.suspended, id: GivenApps.newID)
        let suspended = try #require(
            GivenApps.license().perform(.suspend, with: [other], by: GivenApps.operatorAda, at: now).outcome)
        #expect(suspended.licenses.map(\.id) == [GivenApps.id])
        let reinstated = suspended.licenses[0].perform(
            .reinstate, with: [other], by: GivenApps.operatorAda, at: now)
        #expect(reinstated.outcome?.licenses.map(\.id) == [GivenApps.id])
    }

    @Test func `a replaced app license is current again once its device renews it`() throws {
        let market = GivenApps.marketplace(GivenApps.app())
        let right = AppGrant.Right(grant: GivenApps.grant(), active: [GivenApps.phone])
        let update = try #require(
            market.issue(
                GivenApps.wish(), to: GivenApps.requester(), right: right, earlier: [GivenApps.license()], at: now
            ).outcome)
        let (newer, older) = (update.consequences.licenses[0], update.consequences.licenses[1])
        #expect([older, newer].currentOfEachDevice == [newer])
        let later = now.adding(days: 3)
        guard
            case .renewed(let renewed, _) = older.renew(
                for: GivenApps.requester(7), of: GivenApps.app(), right: right, access: .token, hasKey: true, draw: 0,
                at: later)
        else {
            Issue.record("refused")
            return
        }
        #expect(!renewed.isReplaced)
        #expect([renewed, newer].currentOfEachDevice == [renewed])
        let next = try #require(
            market.issue(
                GivenApps.wish(), to: GivenApps.requester(9), right: right, earlier: [renewed, newer],
                at: later.adding(seconds: 1)
            ).outcome)
        #expect(next.consequences.licenses.map(\.isReplaced) == [false, true, true])
    }

    @Test func `refused app licenses are reported as unpaid only if the app grant of each has ended`() throws {
        let right = AppGrant.Right(grant: GivenApps.grant(ended: true), active: [])
        let ended = try #require(
            GivenApps.marketplace(GivenApps.app()).issue(
                GivenApps.wish(), to: GivenApps.requester(), right: right, earlier: [], at: now
            ).refusal)
        let unknown = Refusal(.appUnknown(GivenApps.item))
        #expect(Refusal.unpaid([ended, ended]) == ended)
        #expect(Refusal.unpaid([ended, unknown]) == nil)
        #expect(Refusal.unpaid([]) == nil)
    }

    @Test func `an open marketplace issues and renews licenses without an account or a grant`() throws {
        let market = GivenApps.marketplace(GivenApps.app(), access: .open)
        let requester = GivenApps.requester(account: nil)
        let license = try #require(
            market.issue(GivenApps.wish(), to: requester, right: nil, earlier: [], at: now).outcome?.license)
        #expect(license.account == nil)
        let renewal = license.renew(
            for: GivenApps.requester(9, account: nil), of: GivenApps.app(), right: nil, access: .open, hasKey: true,
            draw: 0, at: now.adding(days: 29))
        guard case .renewed(let renewed, _) = renewal else {
            Issue.record("refused")
            return
        }
        #expect(renewed.term.start == now.adding(days: 29))
        #expect(renewed.id == license.id)
    }

    @Test func `the refusal of an app license lists every reason`() {
        let app = GivenApps.app(withdrawn: true)
        let right = AppGrant.Right(grant: nil, active: [GivenApps.device(2), GivenApps.device(3)])
        let decision = GivenApps.marketplace(app).issue(
            GivenApps.wish(hasKey: false), to: GivenApps.requester(), right: right, earlier: [], at: now)
        #expect(
            decision.refusal?.reasons.map(\.code) == [
                .appWithdrawn, .appKeyMissing, .appNotGranted, .deviceLimitReached,
            ])
    }

    @Test func `an app license records a refused renewal until its next successful renewal`() throws {
        let ended = AppGrant.Right(grant: GivenApps.grant(ended: true), active: [])
        guard
            case .ineligible(_, let consequences) = GivenApps.license().renew(
                for: GivenApps.requester(), of: GivenApps.app(), right: ended, access: .token, hasKey: true, draw: 0,
                at: now)
        else {
            Issue.record("renewed")
            return
        }
        let failed = try #require(consequences.licenses.first)
        #expect(failed.failedAt == now)
        #expect(consequences.events.map(\.kind) == [.appLicenseIneligible])
        let open = AppGrant.Right(grant: GivenApps.grant(), active: [])
        guard
            case .renewed(let renewed, _) = failed.renew(
                for: GivenApps.requester(3), of: GivenApps.app(), right: open, access: .token, hasKey: true, draw: 0,
                at: now.adding(seconds: 60))
        else {
            Issue.record("refused")
            return
        }
        #expect(renewed.failedAt == nil)
    }

    @Test func `a device can't renew another device's app license, which stays unchanged`() {
        let renewal = GivenApps.license().renew(
            for: GivenApps.requester(device: GivenApps.device(7)), of: GivenApps.app(), right: nil, access: .open,
            hasKey: true, draw: 0, at: now)
        #expect(renewal == .ineligible(Refusal(.appLicenseForeign), .none))
    }

    @Test func `granting an app with equal terms changes nothing, and granting it again reopens an ended grant`() throws
    {
        let grant = GivenApps.grant()
        #expect(
            AppGrant.grant(
                GivenApps.item, to: grant.account, [.end(nil)], over: grant, by: GivenApps.operatorAda, at: now
            ).isEmpty)
        let ended = try #require(grant.end(by: GivenApps.operatorAda, at: now).grant)
        #expect(!ended.isOpen(at: now))
        #expect(ended.end(by: GivenApps.operatorAda, at: now).isEmpty)
        let again = try #require(ended.again(by: GivenApps.operatorAda, at: now).grant)
        #expect(again.isOpen(at: now))
        // The time is later than that of a revocation within the same second.
        #expect(again.grantedAt == now.adding(seconds: 1))
    }

    @Test func `a changed end keeps the start of an open grant, and restarts an expired grant`() throws {
        let grant = GivenApps.grant(until: now.adding(days: 1))
        func granted(at time: Timestamp, until end: Timestamp?) throws -> AppGrant {
            try #require(
                AppGrant.grant(
                    GivenApps.item, to: grant.account, [.end(end)], over: grant, by: GivenApps.operatorAda, at: time
                ).grant)
        }
        let longer = try granted(at: now, until: nil)
        #expect(longer.term == Term(start: grant.term.start, end: nil))
        #expect(longer.grantedAt == grant.grantedAt)
        let shorter = try granted(at: now, until: grant.term.start.adding(days: -1))
        #expect(!shorter.isOpen(at: now))
        let later = now.adding(days: 2)
        let anew = try granted(at: later, until: nil)
        #expect(anew.term == Term(start: later, end: nil))
        #expect(anew.grantedAt == later.adding(seconds: 1))
    }

    @Test func `random app license ids are positive and within the range of devices`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<1000 {
            let id = LicenseID.randomForApp(using: &random)
            #expect((1..<Int64.max).contains(id.number))
        }
    }

    @Test(arguments: ["", "0", "007", "-1", "1x", "9223372036854775808", "99999999999999999999"])
    func `a malformed app or version id is refused`(text: String) {
        #expect(AppleItemID(text: text) == nil)
        #expect(AppleVersionID(text: text) == nil)
    }

    @Test(arguments: ["", "a\nb", "a\u{85}b", String(repeating: "x", count: 129)])
    func `a malformed account id is refused`(text: String) {
        #expect(AccountID(text) == nil)
    }

    @Test func `account ids may contain spaces and any script, and are compared by their bytes`() throws {
        let account = try #require(AccountID("Ada Lovelace 🧮 Ωmega"))
        #expect(account.text == "Ada Lovelace 🧮 Ωmega")
        #expect(AccountID("\u{e9}") != AccountID("e\u{301}"))
    }
}
