import TenureContent
import TenureCore
import Testing

/// The order of a renewal's decisions as a table, and the counts that a new version takes over from the old one.
@Suite struct RenewContentTests {
    static let now = GivenContent.now

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var state = ContentLicense.State.active
        var have: Int64 = 2
        var grant: ContentGrant?
        var isAlways = true
        var used = ContentUse.none
        /// The highest version that the device has sent before.
        var confirmed: Int64 = 2
        var terms: @Sendable (inout ContentTerms) -> Void = { _ in }
        var policy: @Sendable (inout ContentPolicy) -> Void = { _ in }
        var enrolment = GivenContent.enrolment()
        let expected: String
        var version: Int64 = 2
    }

    /// The license has version 2 in every row.
    static let rows: [Row] = [
        Row(testDescription: "always", expected: "renewed", version: 3),
        Row(testDescription: "only if due, and not due", isAlways: false, expected: "unchanged"),
        Row(
            testDescription: "due by date", isAlways: false, terms: { $0.renewFrom = now }, expected: "renewed",
            version: 3),
        Row(
            testDescription: "due, plays used up", isAlways: false, used: ContentUse(plays: 3), expected: "renewed",
            version: 3),
        Row(
            testDescription: "due, the check-in has passed", isAlways: false, terms: { $0.checkInBy = now },
            expected: "renewed", version: 3),
        Row(testDescription: "revoked", state: .revoked, expected: "terminal content_license_revoked lock"),
        Row(testDescription: "returned", state: .returned, expected: "terminal content_license_returned lock"),
        Row(
            testDescription: "expired by the vendor", state: .expired, expected: "terminal content_license_expired lock"
        ),
        Row(testDescription: "deleted", state: .deleted, expected: "terminal content_license_deleted delete"),
        Row(
            testDescription: "revoked, with an ended enrolment and an older version", state: .revoked,
            have: 1, enrolment: GivenContent.enrolment(3, .ended), expected: "terminal content_license_revoked lock"),
        Row(
            testDescription: "an older version gets the current grant although the enrolment has ended", have: 1,
            enrolment: GivenContent.enrolment(3, .ended), expected: "renewed"),
        Row(
            testDescription: "an older version, a second before the current grant ends", have: 1, confirmed: 1,
            terms: { $0.expiresAt = now.adding(seconds: 1) }, expected: "renewed"),
        Row(
            testDescription: "an older version, and the current grant has ended", have: 1, confirmed: 1,
            terms: { $0.expiresAt = now }, expected: "renewed", version: 3),
        Row(
            testDescription: "an older version, the current grant has ended, and only if due", have: 1,
            isAlways: false, confirmed: 1, terms: { $0.expiresAt = now }, expected: "renewed", version: 3),
        Row(
            testDescription: "an older version, and the check-in of the current grant has passed", have: 1,
            confirmed: 1, terms: { $0.checkInBy = now }, expected: "renewed", version: 3),
        Row(
            testDescription: "an older version, and the plays of the current grant are used up", have: 1,
            used: ContentUse(plays: 3), terms: { $0.ledger = .carry }, policy: { $0.onRenewal = .carry },
            expected: "refused plays_used_up"),
        Row(
            testDescription: "an older version, and the current grant and the enrolment have ended", have: 1,
            confirmed: 1, terms: { $0.expiresAt = now }, enrolment: GivenContent.enrolment(3, .ended),
            expected: "refused enrolment_ended"),
        Row(
            testDescription: "an older version, and the current grant has ended and isn't renewable", have: 1,
            confirmed: 1, terms: { $0.expiresAt = now }, policy: { $0.renewable = false },
            expected: "refused not_renewable"),
        Row(
            testDescription: "the last renewal, which the device never received", have: 1, confirmed: 1,
            terms: { $0.expiresAt = now }, policy: { $0.maxRenewals = 1 }, expected: "renewed", version: 3),
        Row(
            testDescription: "the last renewal, which the device has sent before", have: 1, confirmed: 2,
            terms: { $0.expiresAt = now }, policy: { $0.maxRenewals = 1 }, expected: "refused renewal_over"),
        Row(
            testDescription: "the last renewal, sent with its signed grant", have: 1,
            grant: GivenContent.grant(2), confirmed: 1, terms: { $0.expiresAt = now },
            policy: { $0.maxRenewals = 1 }, expected: "refused renewal_over"),
        Row(
            testDescription: "the last renewal, which the device received and which has ended", have: 2, confirmed: 1,
            terms: { $0.expiresAt = now }, policy: { $0.maxRenewals = 1 }, expected: "refused renewal_over"),
        Row(testDescription: "a newer version without its grant", have: 5, expected: "refused grant_needed"),
        Row(
            testDescription: "a newer version with another version's grant", have: 5, grant: GivenContent.grant(4),
            expected: "refused grant_needed"),
        Row(
            testDescription: "a newer version with its grant, not due", have: 5, grant: GivenContent.grant(5),
            isAlways: false, expected: "unchanged", version: 5),
        Row(
            testDescription: "a newer version with its grant", have: 5, grant: GivenContent.grant(5),
            expected: "renewed", version: 6),
        Row(
            testDescription: "a newer version with its grant, paused", have: 5, grant: GivenContent.grant(5),
            enrolment: GivenContent.enrolment(3, .paused), expected: "refused enrolment_paused", version: 5),
        Row(
            testDescription: "paused, and not due", isAlways: false,
            enrolment: GivenContent.enrolment(3, .paused), expected: "refused enrolment_paused"),
        Row(
            testDescription: "the enrolment was ended", enrolment: GivenContent.enrolment(3, .ended),
            expected: "refused enrolment_ended"),
        Row(
            testDescription: "the enrolment ended by date", enrolment: GivenContent.enrolment(endsIn: 0),
            expected: "refused enrolment_ended"),
        Row(
            testDescription: "the enrolment hasn't started", enrolment: GivenContent.enrolment(startsIn: 9),
            expected: "refused enrolment_not_started"),
        Row(testDescription: "not renewable", policy: { $0.renewable = false }, expected: "refused not_renewable"),
        Row(
            testDescription: "not renewable, and not due", isAlways: false, policy: { $0.renewable = false },
            expected: "unchanged"),
        Row(
            testDescription: "renewed once, and two renewals are allowed", policy: { $0.maxRenewals = 2 },
            expected: "renewed",
            version: 3),
        Row(
            testDescription: "renewed as often as allowed", policy: { $0.maxRenewals = 1 },
            expected: "refused renewal_over"),
        Row(
            testDescription: "a second before the renewal period ends",
            terms: { $0.expiresAt = now.adding(seconds: 1 - 86_400) },
            policy: { $0.renewAfterExpiryDays = 1 }, expected: "renewed", version: 3),
        Row(
            testDescription: "after the renewal period", terms: { $0.expiresAt = now.adding(days: -1) },
            policy: { $0.renewAfterExpiryDays = 1 }, expected: "refused renewal_over"),
        Row(
            testDescription: "without a renewal period, and not expired", policy: { $0.renewAfterExpiryDays = 0 },
            expected: "renewed", version: 3),
        Row(
            testDescription: "carried over, one play left", used: ContentUse(plays: 2),
            policy: { $0.onRenewal = .carry }, expected: "renewed", version: 3),
        Row(
            testDescription: "carried over, none left", used: ContentUse(plays: 3), policy: { $0.onRenewal = .carry },
            expected: "refused plays_used_up"),
        Row(
            testDescription: "carried over, none left, and the policy now grants more", used: ContentUse(plays: 3),
            policy: {
                $0.onRenewal = .carry; $0.grantedPlays = 4
            }, expected: "renewed", version: 3),
        Row(
            testDescription: "carried over, no time left", used: ContentUse(playSeconds: 60),
            policy: {
                $0.onRenewal = .carry; $0.grantedPlaySeconds = 60
            }, expected: "refused play_time_used_up"),
    ]

    @Test(arguments: rows)
    func `a renewal of a content license returns a grant or is refused with the first applicable reason`(_ row: Row) {
        let license = GivenContent.license(row.state, version: 2, used: row.used, confirmed: row.confirmed, row.terms)
        let renewal = ContentRenewal(version: row.have, isAlways: row.isAlways, grant: row.grant, request: "r-0002")
        let answer = license.renew(renewal, offers: [GivenContent.offer(row.enrolment, row.policy)], at: Self.now)
        let act = answer.outcome == .terminal ? [answer.act.rawValue] : []
        let result = ([answer.outcome.rawValue] + answer.reasons.map(\.code.text) + act).joined(separator: " ")
        #expect(result == row.expected)
        #expect(answer.license?.version == row.version)
        #expect((answer.grant == nil) == (answer.outcome == .refused || answer.outcome == .terminal))
        #expect(
            answer.consequences.licenses.last.map { $0 == answer.license }
                ?? (answer.license?.present == license.present && answer.license?.uncounted == nil))
        for event in answer.consequences.events { #expect(event.kind.facts.faults(in: event.facts) == []) }
        for reason in answer.reasons { #expect(reason.code.facts.faults(in: reason.evidence) == []) }
    }

    @Test(arguments: [ContentTerms.Ledger.carry, .reset], [-1, 0] as [Int64])
    func `a renewal that carries usage over is refused once the playback window has ended`(
        _ onRenewal: ContentTerms.Ledger, second: Int64
    ) throws {
        let license = GivenContent.license(version: 2) {
            $0.windowAfterFirstPlay = 48 * 3_600; $0.ledger = onRenewal
        }
        let played = license.settling([GivenContent.report(1, version: 2)], existing: [], at: Self.now).license
        let renewal = ContentRenewal(version: 2, isAlways: true, request: "r-0002")
        let offer = GivenContent.offer {
            $0.windowAfterFirstPlayHours = 48; $0.onRenewal = onRenewal; $0.maxRenewals = 5
        }
        let answer = played.renew(renewal, offers: [offer], at: Self.now.adding(seconds: 48 * 3_600 + second))
        guard onRenewal == .carry, second == 0 else {
            #expect(answer.outcome == .renewed)
            return
        }
        #expect(answer.outcome == .refused)
        #expect(answer.reasons.map(\.code) == [.playWindowOver])
        #expect(answer.reasons.first?.cure == "Ask the vendor: a renewal doesn't start this time again.")
        #expect(answer.reasons.first?.help == .vendor)
        #expect(answer.license?.renewals == played.renewals)
        #expect(played.limitsReached(at: Self.now.adding(days: 2)).map(\.cure) == answer.reasons.map(\.cure))
    }

    /// Renews a license under a policy of three days, as a device with this version does. Changes `license` to the
    /// result, and returns its outcome, version and reasons.
    private func renew(_ license: inout ContentLicense, from version: Int64, most: Int, day: Int) -> String {
        let renewal = ContentRenewal(version: version, isAlways: false, request: "r-\(day)")
        let offer = GivenContent.offer {
            $0.expiresAfterDays = 3
            $0.maxRenewals = most
        }
        let answer = license.renew(renewal, offers: [offer], at: Self.now.adding(days: day))
        license = answer.license ?? license
        return ([answer.outcome.rawValue, "\(license.version)"] + answer.reasons.map(\.code.text))
            .joined(separator: " ")
    }

    @Test func `one lost response doesn't use up a renewal, but a second does`() {
        var license = GivenContent.license { $0.expiresAt = Self.now.adding(days: 3) }
        #expect(renew(&license, from: 1, most: 2, day: 3) == "renewed 2")
        #expect(renew(&license, from: 1, most: 2, day: 5) == "renewed 2")
        #expect(renew(&license, from: 1, most: 2, day: 7) == "renewed 3" && license.uncounted == 2)
        #expect(renew(&license, from: 1, most: 2, day: 11) == "renewed 4" && license.uncounted == 2)
        #expect(renew(&license, from: 1, most: 2, day: 15) == "refused 4 renewal_over")
        #expect(license.renewals == 2 && license.confirmed == 1)
        #expect(renew(&license, from: 4, most: 2, day: 15) == "refused 4 renewal_over" && license.confirmed == 4)
    }

    @Test func `a version that a device reports is recorded as confirmed if the server issued it`() {
        let license = GivenContent.license(version: 2, confirmed: 1)
        func confirmed(_ version: Int64) -> Int64 {
            license.settling([GivenContent.report(1, version: version)], existing: [], at: Self.now).license.confirmed
        }
        #expect([1, 2, 3].map(confirmed) == [1, 2, 1])
        let renewal = ContentRenewal(version: 5, isAlways: false, grant: GivenContent.grant(5), request: "r")
        #expect(license.renew(renewal, offers: [GivenContent.offer()], at: Self.now).license?.confirmed == 5)
        #expect(GivenContent.license(version: 1, confirmed: 0).renewals == 0)
    }

    @Test func `requesting a lost first grant again doesn't use up a renewal`() {
        var license = GivenContent.license(confirmed: 0) { $0.expiresAt = Self.now }
        #expect(renew(&license, from: 0, most: 1, day: 1) == "renewed 2" && license.uncounted == nil)
        #expect(renew(&license, from: 2, most: 1, day: 9) == "refused 2 renewal_over")
    }

    @Test func `a renewal with a grant of another license, device or tenant is refused`() {
        let license = GivenContent.license(version: 2)
        let good = GivenContent.grant(5)
        let foreign = [
            ContentGrant(
                tenant: good.tenant, license: ContentLicenseID(number: 8)!, enrolment: good.enrolment,
                content: good.content, device: good.device, request: "r", version: 5, issuedAt: Self.now,
                terms: good.terms, settled: 0),
            ContentGrant(
                tenant: good.tenant, license: good.license, enrolment: good.enrolment, content: good.content,
                device: GivenContent.device(9), request: "r", version: 5, issuedAt: Self.now, terms: good.terms,
                settled: 0),
            ContentGrant(
                tenant: TenantID("other")!, license: good.license, enrolment: good.enrolment, content: good.content,
                device: good.device, request: "r", version: 5, issuedAt: Self.now, terms: good.terms, settled: 0),
        ]
        for grant in foreign {
            let renewal = ContentRenewal(version: 5, isAlways: true, grant: grant, request: "r")
            let answer = license.renew(renewal, offers: [GivenContent.offer()], at: Self.now)
            #expect(answer.reasons.map(\.code) == [.grantNeeded] && answer.license == license)
        }
    }

    @Test func `two renewals of one version create one new version with the same grant`() throws {
        let license = GivenContent.license()
        let offers = [GivenContent.offer()]
        let first = license.renew(
            ContentRenewal(version: 1, isAlways: true, request: "r-a"), offers: offers, at: Self.now)
        let second = try #require(first.license).renew(
            ContentRenewal(version: 1, isAlways: true, request: "r-b"), offers: offers,
            at: Self.now.adding(seconds: 9))
        #expect(first.outcome == .renewed && second.outcome == .renewed)
        #expect(first.grant == second.grant && first.grant?.version == 2 && first.grant?.request == "r-a")
        #expect(second.consequences == .none)
    }

    @Test func `a renewal that resets usage starts at zero and ignores late reports about the old version`() throws {
        let license = GivenContent.license(used: ContentUse(plays: 3, playSeconds: 50))
        let renewal = ContentRenewal(version: 1, isAlways: true, request: "r")
        let reset = try #require(license.renew(renewal, offers: [GivenContent.offer()], at: Self.now).license)
        #expect(reset.used == .none && reset.countsFrom == 2)
        let late = [GivenContent.report(1, version: 1, seconds: 90, counted: true)]
        let settled = reset.settling(late, existing: [], at: Self.now)
        #expect(settled.license.used == .none && settled.sessions == late)
        let carried = try #require(
            license.renew(
                renewal,
                offers: [
                    GivenContent.offer {
                        $0.onRenewal = .carry; $0.grantedPlays = 9
                    }
                ], at: Self.now
            )
            .license)
        #expect(carried.used == license.used && carried.countsFrom == 1 && carried.present.terms.ledger == .carry)
        let counted = carried.settling(late, existing: [], at: Self.now).license
        #expect(counted.used == ContentUse(plays: 4, playSeconds: 140))
    }

    @Test func `use reported for a version newer than the server's is counted once the server recovers that version`()
        throws
    {
        let ahead = [
            GivenContent.report(1, version: 1, seconds: 5, counted: true),
            GivenContent.report(2, version: 4, seconds: 7, counted: true),
            GivenContent.report(3, version: 5, seconds: 9, counted: true),
        ]
        let license = GivenContent.license().settling(ahead, existing: [], at: Self.now).license
        #expect(license.used == ContentUse(plays: 1, playSeconds: 5))
        let renewal = ContentRenewal(
            version: 5, isAlways: false, grant: GivenContent.grant(5, settled: 40), request: "r")
        let recovered = try #require(
            license.renew(renewal, offers: [GivenContent.offer()], ahead: ahead, at: Self.now).license)
        #expect(
            recovered.version == 5 && recovered.settled == 40 && recovered.used == ContentUse(plays: 1, playSeconds: 9))
        let carry = ContentRenewal(
            version: 5, isAlways: false, grant: GivenContent.grant(5) { $0.ledger = .carry }, request: "r")
        let carried = try #require(
            license.renew(carry, offers: [GivenContent.offer()], ahead: ahead, at: Self.now).license)
        #expect(carried.used == ContentUse(plays: 3, playSeconds: 21))
    }

    @Test func `a license of an ended enrolment moves to the open enrolment with a free activation and the latest end`()
    {
        let own = GivenContent.offer(
            GivenContent.enrolment(3, .ended),
            devices: [Enrolment.Device(enrolment: GivenContent.enrolment, device: GivenContent.device)])
        let short = GivenContent.offer(GivenContent.enrolment(4, endsIn: 50))
        let long = GivenContent.offer(GivenContent.enrolment(6, endsIn: 90_000))
        let twin = GivenContent.offer(GivenContent.enrolment(5, endsIn: 90_000))
        let full = GivenContent.offer(
            GivenContent.enrolment(1),
            devices: [Enrolment.Device(enrolment: EnrolmentID(number: 1)!, device: GivenContent.device(8))]
        ) { $0.deviceLimit = 1 }
        let renewal = ContentRenewal(version: 1, isAlways: true, request: "r")
        let answer = GivenContent.license().renew(renewal, offers: [own, short, long, full, twin], at: Self.now)
        #expect(answer.outcome == .renewed && answer.grant?.enrolment.number == 5)
        #expect(answer.grant?.terms.expiresAt == Self.now.adding(seconds: 90_000))
        #expect(answer.consequences.devices.map(\.state) == [.active, .recent(.until(Self.now.adding(days: 30)))])
        #expect(answer.consequences.events.map(\.kind) == [.contentMoved, .contentRenewed])
        let stuck = GivenContent.license().renew(renewal, offers: [own, full], at: Self.now)
        #expect(stuck.reasons.map(\.code) == [.enrolmentEnded])
        let gone = GivenContent.license().renew(
            renewal, offers: [Enrolment.Offer(GivenContent.enrolment(), policy: nil)], at: Self.now)
        #expect(gone.reasons.map(\.code) == [.enrolmentUnknown])
    }
}
