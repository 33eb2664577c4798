import TenureContent
import TenureCore
import Testing

/// The responses to Kollus's player as a table.
@Suite struct KollusDecisionTests {
    static let now = GivenContent.now

    static func item(_ kind: KollusItem.Kind, _ change: (inout KollusItem) -> Void = { _ in }) -> KollusItem {
        var item = KollusItem(
            kind: kind, key: "mck-1", user: "learner-1", player: "p", sessionKey: "s-1", startAt: 1_700_000_000)
        change(&item)
        return item
    }

    static func decide(
        _ item: KollusItem, _ existing: [ContentLicense] = [], _ offers: [Enrolment.Offer] = [GivenContent.offer()],
        unknown: KollusCase.UnknownDownloads = .leave
    ) -> (answer: KollusItem.Answer, saved: ContentLicense.Consequences) {
        let decided = KollusCase(item, GivenContent.request(), existing: existing, offers: offers, unknown: unknown)
            .decide(at: now)
        return (decided.0, decided.1)
    }

    /// Describes a response in words, without its key.
    static func said(_ answer: KollusItem.Answer) -> String {
        var words = [answer.result ? "1" : "0"]
        if answer.message != nil { words.append("message") }
        if answer.isDeleted == true { words.append("delete") }
        if answer.isExpired == true { words.append("expired") }
        if let limits = answer.limits { words.append(limits.counts == nil ? "date" : "limits") }
        if answer.isReset == true { words.append("reset") }
        return words.joined(separator: " ")
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var state: ContentLicense.State? = .active
        var asks: @Sendable (inout KollusItem) -> Void = { _ in }
        var offers = [GivenContent.offer()]
        var unknown = KollusCase.UnknownDownloads.leave
        let expected: String
        var version: Int64?
    }

    static let paused = [GivenContent.offer(GivenContent.enrolment(3, .paused))]

    static let checks: [Row] = [
        Row(testDescription: "deleted", state: .deleted, asks: { $0.isReset = true }, expected: "1 message delete"),
        Row(testDescription: "revoked", state: .revoked, asks: { $0.isReset = true }, expected: "1 expired"),
        Row(
            testDescription: "expired by the vendor", state: .expired, asks: { $0.isForceExpired = true },
            expected: "1 expired"),
        Row(testDescription: "returned", state: .returned, expected: "1 expired"),
        Row(testDescription: "unknown and adopted", state: nil, expected: "1", version: 1),
        Row(
            testDescription: "unknown and adopted, with a reset request", state: nil, asks: { $0.isReset = true },
            expected: "1 limits reset", version: 1),
        Row(testDescription: "unknown, not adopted, and left unchanged", state: nil, offers: [], expected: "1"),
        Row(
            testDescription: "unknown, not adopted, and expired by the policy", state: nil, offers: paused,
            unknown: .expire,
            expected: "1 expired"),
        Row(
            testDescription: "a bulk renewal", asks: { $0.isReset = true }, expected: "1 limits reset", version: 2),
        Row(
            testDescription: "forced to expire, and renewable", asks: { $0.isForceExpired = true },
            expected: "1 limits reset", version: 2),
        Row(
            testDescription: "an overdue check-in", asks: { $0.isCheckOverdue = true }, expected: "1 limits reset",
            version: 2),
        Row(
            testDescription: "renewed with carried-over counts", asks: { $0.isReset = true },
            offers: [GivenContent.offer { $0.onRenewal = .carry }], expected: "1 date reset", version: 2),
        Row(
            testDescription: "forced to expire, and the renewal refused", asks: { $0.isForceExpired = true },
            offers: paused,
            expected: "0 message", version: 1),
        Row(testDescription: "a refused bulk renewal", asks: { $0.isReset = true }, offers: paused, expected: "1"),
        Row(
            testDescription: "forced to expire, and not renewable", asks: { $0.isForceExpired = true },
            offers: [GivenContent.offer { $0.renewable = false }], expected: "0 message", version: 1),
        Row(testDescription: "a play without a request", expected: "1"),
        Row(testDescription: "a play with a paused enrolment", offers: paused, expected: "1"),
    ]

    @Test(arguments: checks)
    func `a check by Kollus's player renews, keeps, expires or deletes a download by its report, license and enrolment`(
        _ row: Row
    ) {
        let existing = row.state.map { [GivenContent.license($0)] } ?? []
        let item = Self.item(.check, row.asks)
        let (answer, saved) = Self.decide(item, existing, row.offers, unknown: row.unknown)
        #expect(Self.said(answer) == row.expected)
        #expect(saved.licenses.last?.version == row.version)
        #expect(answer.sessionKey == "s-1" && answer.startAt == 1_700_000_000)
        // A forced expiry always wins over a reset, so they never occur together.
        #expect(!(answer.isExpired == true && answer.isReset == true))
        #expect(answer.isGift == (answer.isReset == true))
        for limit in [answer.limits?.counts?.plays, answer.limits?.counts?.playSeconds, answer.checkInBy] {
            #expect(limit ?? 0 >= 0)
        }
    }

    @Test func `a download that the player reports as expired stays expired until it's played, downloaded or renewed`()
        throws
    {
        func expired(_ change: (inout KollusItem) -> Void) throws -> ContentLicense {
            let saved = Self.decide(Self.item(.check, change), [GivenContent.license()], Self.paused).saved
            return try #require(saved.licenses.first)
        }
        let license = try expired { $0.isForceExpired = true }
        #expect(license.playerExpiredAt == Self.now && license.version == 1)
        #expect(try expired { $0.isCheckOverdue = true }.playerExpiredAt == Self.now)
        let forced: (inout KollusItem) -> Void = { $0.isForceExpired = true }
        #expect(Self.decide(Self.item(.check, forced), [license], Self.paused).saved == .none, "reported again")
        #expect(license.limitsReached(at: Self.now).map(\.code) == [.playerExpired])
        #expect(license.outlook(offers: Self.paused, at: Self.now).state == .locked)
        #expect(license.outlook(offers: [GivenContent.offer()], at: Self.now).state == .renews)

        let played = Self.decide(Self.item(.check), [license], Self.paused).saved
        #expect(played.licenses.map(\.playerExpiredAt) == [nil] && played.licenses.map(\.version) == [1])
        let downloaded = Self.decide(Self.item(.download), [license]).saved
        #expect(downloaded.licenses.map(\.playerExpiredAt) == [nil])
        let renewed = Self.decide(Self.item(.check, forced), [license]).saved
        #expect(renewed.licenses.map(\.playerExpiredAt) == [nil] && renewed.licenses.map(\.version) == [2])
        #expect(GivenContent.license().limitsReached(at: Self.now).isEmpty)
    }

    @Test func `a check by Kollus's player renews a license that the operator has reset, and the next check doesn't`()
        throws
    {
        let reset = try #require(
            GivenContent.license(.expired).perform(.reset, by: GivenContent.ada, at: Self.now).outcome?.licenses.first)
        let (answer, saved) = Self.decide(Self.item(.check), [reset])
        #expect(Self.said(answer) == "1 limits reset")
        let (again, _) = Self.decide(Self.item(.check), saved.licenses)
        #expect(Self.said(again) == "1")
    }

    @Test func `a download by Kollus's player gets the policy's limits, and is refused without an enrolment`() {
        let offer = GivenContent.offer {
            $0.grantedPlaySeconds = 7_200
            $0.playTimeBasis = .wall
            $0.askBeforeRenew = true
            $0.onlineRequired = true
        }
        let (answer, saved) = Self.decide(Self.item(.download), [], [offer])
        #expect(answer.result && answer.limits?.counts == .init(plays: 3, playSeconds: 7_200))
        #expect(answer.limits?.expirationDate == Self.now.adding(days: 30).seconds)
        #expect(answer.basis == .wall && answer.asksBefore == true && answer.needsOnline == true && answer.isGift)
        #expect(saved.licenses.map(\.version) == [1] && saved.devices.count == 1)
        #expect(answer.sessionKey == nil && answer.startAt == nil)
        let (no, none) = Self.decide(Self.item(.download), [], [])
        #expect(Self.said(no) == "0 message" && none == .none)
        #expect(Self.said(Self.decide(Self.item(.download), [GivenContent.license(.revoked)]).answer) == "0 message")
    }

    @Test func `a repeated download gets the same license, and a new version once its plays are used up`() {
        let held = GivenContent.license {
            $0.expiresAt = Self.now.adding(days: 2); $0.renewFrom = Self.now
        }
        let again = Self.decide(Self.item(.download), [held], [GivenContent.offer { $0.expiresAfterDays = 2 }])
        #expect(again.saved == .none && again.answer.limits?.expirationDate == Self.now.adding(days: 2).seconds)
        let over = GivenContent.license(used: ContentUse(plays: 3))
        #expect(Self.decide(Self.item(.download), [over]).saved.licenses.map(\.version) == [2])
        #expect(Self.said(Self.decide(Self.item(.download), [over], Self.paused).answer) == "0 message")
    }

    @Test func `a repeated download gets a later end date once the enrolment or policy allows one`() {
        let held = GivenContent.license { $0.expiresAt = Self.now.adding(days: 2) }
        let short = GivenContent.enrolment(endsIn: 2 * 86_400)
        func end(_ offer: Enrolment.Offer) -> (Int64?, [Int64]) {
            let decided = Self.decide(Self.item(.download), [held], [offer])
            return (
                decided.answer.limits.map { ($0.expirationDate - Self.now.seconds) / 86_400 },
                decided.saved.licenses.map(\.version)
            )
        }
        #expect(end(GivenContent.offer(short)) == (2, []))
        #expect(end(GivenContent.offer(GivenContent.enrolment(endsIn: 10 * 86_400))) == (10, [2]))
        #expect(end(GivenContent.offer(short) { $0.expiresAfterDays = 90 }) == (2, []))
        #expect(end(GivenContent.offer { $0.expiresAfterDays = 1 }) == (2, []))
        #expect(end(GivenContent.offer { $0.expiresAfterDays = nil }).1 == [2])
        // A license that can't be renewed any more still plays, so it is issued unchanged.
        #expect(end(GivenContent.offer { $0.renewable = false }) == (2, []))
        #expect(end(GivenContent.offer { $0.maxRenewals = 0 }) == (2, []))
        #expect(end(Self.paused[0]) == (2, []))
    }

    @Test func `a download renewed under another enrolment activates the device for that enrolment`() {
        let over = GivenContent.license(used: ContentUse(plays: 3))
        let (answer, saved) = Self.decide(
            Self.item(.download), [over],
            [GivenContent.offer(GivenContent.enrolment(3, .ended)), GivenContent.offer(GivenContent.enrolment(4))])
        #expect(answer.result && saved.licenses.last?.version == 2 && saved.licenses.last?.enrolment.number == 4)
        #expect(saved.devices.contains { $0.enrolment.number == 4 && $0.state == .active })
        #expect(saved.events.map(\.kind) == [.contentMoved, .contentRenewed])
    }

    struct Kept: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var kind = KollusItem.Kind.download
        var sessionKey: String?
        /// The ends of the stored and of the new response, in seconds from now; 0 means no end.
        let stored: Int64?
        let anew: Int64?
        let isRepeated: Bool
    }

    static let kept: [Kept] = [
        Kept(testDescription: "a download, the same end", stored: 500, anew: 500, isRepeated: true),
        Kept(testDescription: "a download, a later end", stored: 500, anew: 900, isRepeated: false),
        Kept(testDescription: "a download that no longer ends", stored: 500, anew: 0, isRepeated: false),
        Kept(testDescription: "a download that now ends", stored: 0, anew: 500, isRepeated: true),
        Kept(testDescription: "a download without end", stored: 0, anew: 0, isRepeated: true),
        Kept(testDescription: "a download, a second before the stored end", stored: 1, anew: 1, isRepeated: true),
        Kept(testDescription: "a download at the stored end", stored: -1, anew: -1, isRepeated: false),
        Kept(
            testDescription: "a download without a stored end", stored: nil, anew: 500, isRepeated: false),
        Kept(
            testDescription: "a check sent again within a minute", kind: .check, stored: 500, anew: 560,
            isRepeated: true),
        Kept(testDescription: "a check, a later end", kind: .check, stored: 500, anew: 561, isRepeated: false),
        Kept(testDescription: "a check without limits now", kind: .check, stored: 500, anew: nil, isRepeated: true),
        Kept(
            testDescription: "a check with an empty key", kind: .check, sessionKey: "", stored: 500, anew: 900,
            isRepeated: false),
        Kept(
            testDescription: "a check of one play", kind: .check, sessionKey: "s", stored: 500, anew: 900,
            isRepeated: true),
        Kept(
            testDescription: "a check of one play after the stored end", kind: .check, sessionKey: "s", stored: -1,
            anew: 900, isRepeated: false),
    ]

    @Test(arguments: kept)
    func `until it ends, a stored Kollus response is repeated for one play or if a new one ends at most 60 s later`(
        _ row: Kept
    ) {
        func date(_ seconds: Int64) -> Int64 { seconds == 0 ? 0 : Self.now.seconds + seconds }
        let item = Self.item(row.kind) { $0.sessionKey = row.sessionKey }
        var answer = KollusItem.Answer(item, result: true)
        answer.limits = row.anew.map { KollusItem.Answer.Limits(expirationDate: date($0), counts: nil) }
        #expect(answer.isAnswered(byKept: row.stored.map(date), at: Self.now) == row.isRepeated)
    }

    @Test func `limits sent to Kollus stay within its ranges, and a granted limit of zero isn't sent as 0`() {
        func limits(_ change: @Sendable (inout ContentPolicy) -> Void) -> KollusItem.Answer.Limits? {
            Self.decide(Self.item(.download), [], [GivenContent.offer(GivenContent.enrolment(), change)]).answer.limits
        }
        let free = limits {
            $0.expiresAfterDays = nil; $0.grantedPlays = nil
        }
        #expect(free?.expirationDate == 0 && free?.counts == .init(plays: 0, playSeconds: 0))
        let none = limits {
            $0.expiresAfterDays = 36_500; $0.grantedPlays = 0; $0.grantedPlaySeconds = 1
        }
        #expect(none?.expirationDate == 1_893_455_999 && none?.counts == .init(plays: 1, playSeconds: 60))
        let much = limits {
            $0.grantedPlays = 5_000; $0.grantedPlaySeconds = 9_000_000
        }
        #expect(much?.counts == .init(plays: 1_000, playSeconds: 604_800))
    }

    @Test(arguments: [
        (ContentLicense.State.active, "1"), (.deleted, "1 message delete"), (.revoked, "0 message"), (.expired, "1"),
        (.returned, "1"),
    ]) func `Kollus's report of a finished download succeeds unless the license was revoked`(
        state: ContentLicense.State, expected: String
    ) {
        let (answer, saved) = Self.decide(Self.item(.complete), [GivenContent.license(state)])
        #expect(Self.said(answer) == expected && answer.checkInBy == 0 && answer.isDeleted != nil)
        #expect(saved.licenses.map(\.downloadedAt) == (state == .active ? [Self.now] : []))
        let again = Self.decide(Self.item(.complete), saved.licenses)
        #expect(again.saved == .none)
    }

    @Test func `Kollus's report of a finished download succeeds for an unknown license`() {
        let (answer, saved) = Self.decide(Self.item(.complete), [], [])
        #expect(Self.said(answer) == "1" && saved == .none)
    }

    @Test func `each check by Kollus's player extends the check-in date while the enrolment is open`() {
        let license = GivenContent.license { $0.checkInBy = Self.now.adding(days: 1) }
        let checkIn: @Sendable (inout ContentPolicy) -> Void = { $0.checkInDays = 7 }
        let (answer, _) = Self.decide(
            Self.item(.check), [license], [GivenContent.offer(GivenContent.enrolment(), checkIn)])
        #expect(answer.checkInBy == Self.now.adding(days: 7).seconds && answer.needsOnline == false)
        let (stored, _) = Self.decide(
            Self.item(.check), [license], [GivenContent.offer(GivenContent.enrolment(3, .paused), checkIn)])
        #expect(stored.checkInBy == Self.now.adding(days: 1).seconds)
        let (off, _) = Self.decide(Self.item(.check), [license])
        #expect(off.checkInBy == 0)
    }

    @Test
    func `while the store is unavailable, Kollus's completions succeed, downloads fail and checks get no response`() {
        let (download, complete, check) = (Self.item(.download), Self.item(.complete), Self.item(.check))
        #expect(KollusItem.Answer.withoutStore([check, check]) == nil)
        let mixed = KollusItem.Answer.withoutStore([check, complete, download, complete]) ?? []
        #expect(mixed.map(\.kind) == [.complete, .download, .complete])
        #expect(mixed.map { Self.said($0) } == ["1", "0 message", "1"])
        #expect(mixed[0].isDeleted == false && mixed[0].checkInBy == 0)
    }

    @Test(arguments: [(nil, nil), (300, nil), (-300, nil), (301, 301), (-9_000, -9_000)] as [(Int64?, Int64?)])
    func `a clock error of Kollus's player is recorded if it exceeds five minutes`(error: Int64?, noted: Int64?) {
        let item = Self.item(.check) { $0.localTime = error.map { Self.now.adding(seconds: $0) } }
        #expect(item.clockError(at: Self.now) == noted)
    }
}
