import TenureContent
import TenureCore
import Testing

/// The status of an item as a table: first the three tests of Kollus's guide, then all other limits, in their order.
@Suite struct ContentStatusTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var terms: @Sendable (inout ContentTerms) -> Void = { _ in }
        var used = ContentUse.none
        var stop: ContentLedger.Stop?
        var instant = ContentStatus.Moment(now)
        var firstPlay: Timestamp?
        let status: ContentStatus
        var reasons: [Reason.Kind] = []
        var isDue = false
        /// When the status changes, in seconds from now.
        var changes: Int64?
    }

    static let now = GivenContent.now
    static func at(_ seconds: Int64) -> Timestamp { now.adding(seconds: seconds) }

    static let rows: [Row] = [
        Row(testDescription: "without limits", status: .valid),
        Row(
            testDescription: "expired by the vendor", stop: .expired, status: .expired,
            reasons: [.contentLicenseExpired]),
        Row(
            testDescription: "play time, a second left", terms: { $0.playSeconds = 60 },
            used: ContentUse(playSeconds: 59), status: .valid),
        Row(
            testDescription: "play time, none left", terms: { $0.playSeconds = 60 }, used: ContentUse(playSeconds: 60),
            status: .playTimeUsedUp, reasons: [.playTimeUsedUp], isDue: true),
        Row(
            testDescription: "plays, one left", terms: { $0.plays = 3 }, used: ContentUse(plays: 2), status: .valid),
        Row(
            testDescription: "plays, none left", terms: { $0.plays = 3 }, used: ContentUse(plays: 3),
            status: .playsUsedUp, reasons: [.playsUsedUp], isDue: true),
        Row(
            testDescription: "plays, more used than granted", terms: { $0.plays = 3 }, used: ContentUse(plays: 9),
            status: .playsUsedUp, reasons: [.playsUsedUp], isDue: true),
        Row(
            testDescription: "use without granted limits", used: ContentUse(plays: 900, playSeconds: 90_000),
            status: .valid),
        Row(
            testDescription: "zero plays granted", terms: { $0.plays = 0 }, status: .playsUsedUp,
            reasons: [.playsUsedUp], isDue: true),
        Row(
            testDescription: "a second before the end date", terms: { $0.expiresAt = at(1) }, status: .valid, changes: 1
        ),
        Row(
            testDescription: "at the end date", terms: { $0.expiresAt = at(0) }, status: .dateOver,
            reasons: [.grantExpired],
            isDue: true),
        Row(
            testDescription: "before the start date", terms: { $0.notBefore = at(5) }, status: .notYetValid,
            reasons: [.grantNotStarted], changes: 5),
        Row(
            testDescription: "a playback window that hasn't started", terms: { $0.windowAfterFirstPlay = 10 },
            status: .valid),
        Row(
            testDescription: "a second before the playback window ends", terms: { $0.windowAfterFirstPlay = 10 },
            firstPlay: at(-9),
            status: .valid, changes: 1),
        Row(
            testDescription: "at the end of the playback window", terms: { $0.windowAfterFirstPlay = 10 },
            firstPlay: at(-10),
            status: .windowOver, reasons: [.playWindowOver], isDue: true),
        Row(
            testDescription: "a second before the check-in date", terms: { $0.checkInBy = at(1) }, status: .valid,
            changes: 1),
        Row(
            testDescription: "at the check-in date", terms: { $0.checkInBy = at(0) }, status: .checkInOverdue,
            reasons: [.checkInOverdue], isDue: true),
        Row(
            testDescription: "a connection is required, and the server was never reached",
            terms: { $0.onlineRequired = true }, status: .onlineNeeded,
            reasons: [.onlineNeeded]),
        Row(
            testDescription: "a connection is required, and the server was reached a minute ago",
            terms: { $0.onlineRequired = true },
            instant: ContentStatus.Moment(now, signedAt: at(-60)), status: .onlineNeeded, reasons: [.onlineNeeded]),
        Row(
            testDescription: "a connection is required, and the server was reached 59 seconds ago",
            terms: { $0.onlineRequired = true },
            instant: ContentStatus.Moment(now, signedAt: at(-59)), status: .valid, changes: 1),
        Row(
            testDescription: "the clock was set back, and there is no date", terms: { $0.plays = 3 },
            instant: ContentStatus.Moment(now, isSetBack: true), status: .valid),
        Row(
            testDescription: "the clock was set back, and there is an end date", terms: { $0.expiresAt = at(9) },
            instant: ContentStatus.Moment(now, isSetBack: true), status: .clockSetBack, reasons: [.contentClockSetBack],
            changes: 9),
        Row(
            testDescription: "not due yet", terms: { $0.renewFrom = at(1) }, status: .valid, changes: 1),
        Row(
            testDescription: "due",
            terms: {
                $0.renewFrom = at(0); $0.expiresAt = at(9)
            }, status: .renewalDue,
            isDue: true, changes: 9),
        Row(
            testDescription: "all limits at once, in their order",
            terms: {
                $0.expiresAt = at(-1)
                $0.windowAfterFirstPlay = 10
                $0.plays = 1
                $0.playSeconds = 1
                $0.checkInBy = at(-1)
                $0.onlineRequired = true
                $0.notBefore = at(3)
            },
            used: ContentUse(plays: 1, playSeconds: 1), stop: .revoked,
            instant: ContentStatus.Moment(now, isSetBack: true),
            firstPlay: at(-20), status: .revoked,
            reasons: [
                .contentLicenseRevoked, .grantNotStarted, .grantExpired, .playWindowOver, .playsUsedUp,
                .playTimeUsedUp, .checkInOverdue, .onlineNeeded, .contentClockSetBack,
            ], isDue: true, changes: 3),
        Row(testDescription: "deleted", stop: .deleted, status: .deleted, reasons: [.contentLicenseDeleted]),
        Row(testDescription: "returned", stop: .returned, status: .returned, reasons: [.contentLicenseReturned]),
        Row(testDescription: "released", stop: .released, status: .returned, reasons: [.deviceReleased]),
    ]

    static func ledger(_ row: Row, _ grant: ContentGrant) -> ContentLedger {
        var ledger = ContentLedger(grant)
        if let first = row.firstPlay {
            // The play that starts the window: one frame, then the player stays closed for a long time.
            let open = GivenContent.grant {
                $0.resumeWithinSeconds = 0; $0.countAfterSeconds = .max
            }
            ledger =
                ledger.opening(GivenContent.session(1), under: open, at: ContentStatus.Moment(first)).outcome ?? ledger
            ledger.beat(wall: 0, rendered: 0, under: open, at: first)
            ledger.rest(at: first)
        }
        ledger.take(row.used, settled: 0, under: grant)
        if let stop = row.stop { ledger.stop(stop, at: row.instant.now) }
        return ledger
    }

    @Test(arguments: rows)
    func `a content item's status and reasons name the limits that are reached, with the time of the next change`(
        _ row: Row
    ) {
        let grant = GivenContent.grant {
            $0.resumeWithinSeconds = 0; row.terms(&$0)
        }
        let evaluation = grant.status(of: Self.ledger(row, grant), at: row.instant)
        #expect(evaluation.status == row.status)
        #expect(evaluation.reasons.map(\.code) == row.reasons)
        #expect(evaluation.isDue == row.isDue)
        #expect(evaluation.nextChangeAt == row.changes.map { Self.at($0) })
        #expect(evaluation.status.isPlayable == (evaluation.reach != .nothing))
        for reason in evaluation.reasons { #expect(reason.code.facts.faults(in: reason.evidence) == []) }
    }

    @Test func `the tested cases of content status include every status`() {
        #expect(Set(Self.rows.map(\.status)) == Set(ContentStatus.allCases))
    }

    @Test(arguments: [
        (KollusFacts(), false), (KollusFacts(isStopped: true), true),
        (KollusFacts(secondsGranted: 60, secondsLeft: 0), true),
        (KollusFacts(secondsGranted: 60, secondsLeft: 1), false),
        (KollusFacts(secondsGranted: 0, secondsLeft: 0), false),
        (KollusFacts(playsGranted: 3, playsLeft: 0), true), (KollusFacts(playsGranted: 3, playsLeft: 1), false),
        (KollusFacts(playsGranted: 0, playsLeft: 0), false), (KollusFacts(playsGranted: 3, playsLeft: -1), true),
        (KollusFacts(expiresAt: at(-1)), false),
    ])
    func `Kollus's player treats content as expired if it is stopped or used up, but not because of its end date alone`(
        facts: KollusFacts, isExpired: Bool
    ) {
        #expect(facts.isExpired == isExpired)
    }

    @Test func `a limit of 0 means unlimited only in Kollus's format`() {
        #expect(KollusFacts.limit(ofMaximum: 0) == nil && KollusFacts.limit(ofMaximum: 3) == 3)
        let none = GivenContent.grant {
            $0.plays = 0; $0.playSeconds = 0
        }
        let facts = KollusFacts(none, ContentLedger(none))
        #expect(facts.isExpired && facts.playsGranted == 1 && facts.playsLeft == 0)
        let free = GivenContent.grant()
        #expect(!KollusFacts(free, ContentLedger(free)).isExpired)
        #expect(KollusFacts(free, ContentLedger(free)).playsGranted == 0)
    }

    @Test(arguments: rows)
    func `Kollus's player treats content as expired if and only if its reasons include a stop or a used-up limit`(
        _ row: Row
    ) {
        let grant = GivenContent.grant {
            $0.resumeWithinSeconds = 0; row.terms(&$0)
        }
        let ledger = Self.ledger(row, grant)
        let evaluation = grant.status(of: ledger, at: row.instant)
        let reasons: [Reason.Kind] = [
            .contentLicenseExpired, .contentLicenseDeleted, .contentLicenseRevoked, .contentLicenseReturned,
            .deviceReleased, .playTimeUsedUp, .playsUsedUp,
        ]
        #expect(KollusFacts(grant, ledger).isExpired == evaluation.reasons.contains { reasons.contains($0.code) })
    }
}
