import Foundation
import GoldenFiles
import TenureClient
import TenureContent
import TenureCore
import TenureFormats
import TenureVault
import Testing

@testable import TenureContentClient

/// The stored bytes of a holder's ledger, which a device stores as long as it has content.
@Suite struct StoredLedgerTests {
    private static func after(_ seconds: Int64) -> Moment { Moment(Given.now.adding(seconds: seconds)) }

    private static func full(
        _ number: Int, _ basis: ContentTerms.Basis, _ whenOver: ContentTerms.WhenOver, _ ledger: ContentTerms.Ledger
    ) -> ContentGrant {
        Given.grant(number, version: 7, settled: 8) { terms in
            let date = { (days: Int) in Given.now.adding(days: days) }
            (terms.notBefore, terms.expiresAt, terms.checkInBy) = (date(1), date(2), date(3))
            (terms.renewFrom, terms.renewUntil) = (date(4), date(5))
            (terms.windowAfterFirstPlay, terms.plays, terms.playSeconds) = (3_600, 3, 5_400)
            (terms.countAfterSeconds, terms.resumeWithinSeconds, terms.graceSeconds) = (10, 20, 30)
            (terms.onlineRequired, terms.askBeforeRenew) = (true, true)
            (terms.playTimeBasis, terms.whenOver, terms.ledger) = (basis, whenOver, ledger)
        }
    }

    private static func session(_ low: UInt64, _ state: PlaySession.State) -> PlaySession {
        PlaySession(
            id: PlaySessionID(high: 1 << 63, low: low), version: 7, isPaid: true, startedAt: Given.now, isCounted: true,
            renderedMillis: 61_000, chargedMillis: 60_000, state: state, lastBeatAt: Given.now.adding(seconds: 61),
            sequence: 12, pace: 1_500)
    }

    private static func use(_ stop: ContentLedger.Stop?) -> ContentLedger {
        ContentLedger(
            version: 7, countsFrom: 6, sequence: 12,
            firstPlay: DeviceTime(Given.now, original: Given.now.adding(days: 9), ran: 7),
            carried: ContentUse(plays: 2, playSeconds: 90),
            sessions: [
                session(1, .paused), session(2, .resting(since: Given.now.adding(seconds: 70))), session(3, .playing),
            ], stop: stop)
    }

    private static let facts: ContentFacts = {
        var facts = ContentFacts(Given.content(1), title: "Lesson 1", course: "Course A")
        (facts.media, facts.bytes, facts.playedAt) = ("media/1.mp4", 1_048_576, Given.now)
        return facts
    }()

    private static let notes: [LedgerNote] = {
        var token = HolderToken(
            "token-1", expiresAt: after(100),
            received: DeviceTime(after(1).timestamp, original: after(30).timestamp, ran: 7), isExpiryAssumed: true)
        token.askedAt = after(2)
        let reading = ClockReading(wall: Given.now, uptime: 12_345, boot: "boot-1")
        var marks = ClockMarks(reading)
        marks.take(after(60), isFresh: true, at: reading)
        let old = ClockReading(wall: Given.now.adding(seconds: 90), uptime: 98_745, boot: "boot-1")
        marks.take(after(120), isFresh: false, at: old)
        let later = ClockReading(wall: Given.now.adding(days: 40), uptime: 5, boot: "boot-2")
        marks.keep(marks.judge(later), at: later)
        let reason = ToldReason(
            code: "content_unreached", message: "No connection.", cure: "Connect.", changesAt: after(3),
            evidence: ["cause": "offline"])
        var job = RenewalJob(id: "job-1", isAlways: true, contents: ["mck-1", "mck-2"], startedAt: after(4))
        job.results = [RenewalResult("mck-1", "transient", [reason])]
        var key = KeptKey("skd://lesson-1")
        (key.license, key.version, key.key, key.proof) = ("cl_1", 7, Data([1, 2, 255]), Data([3]))
        var run = RenewalRun("background", askedAt: after(5))
        (run.ranAt, run.finishedAt) = (after(6), after(7))
        return [
            .token(token), .clock(marks), .keys(["k1": "AQID"]), .job(job), .told(job.results),
            .fate("mck-1", KeptFate(outcome: "refused", reasons: [reason], at: after(8))), .owed(["cl_1"]),
            .requestedContent("mck-1"), .key("mck-1", key), .runs([run]),
        ]
    }()

    private static let cleared: [LedgerNote] = [
        .token(nil), .job(nil), .fate("mck-1", nil), .requestedContent(nil), .key("mck-1", nil),
    ]

    private static var entries: [LedgerEntry] {
        [
            .grant(full(1, .media, .finish, .reset), proof: [1, 2, 3]),
            .grant(full(2, .wall, .stop, .carry), proof: [4]),
            .grant(full(3, .wall, .grace, .carry), proof: [5]),
        ] + ContentLedger.Stop.allCases.map { .use(Given.license(1), use($0), acknowledged: 11) } + [
            .use(Given.license(2), use(nil), acknowledged: 11),
            .beat(Given.license(2), use(nil).lastAlone), .gone(Given.license(3)), .content(facts),
        ]
    }

    @Test func `the sample ledger entries have a value for every member`() {
        #expect(Self.notes.flatMap(unsetMembers(of:)) == [])
        #expect(unsetMembers(of: Self.facts) == [])
        #expect(unsetMembers(of: Self.full(1, .media, .finish, .reset).terms) == [])
        #expect(unsetMembers(of: Self.use(.deleted)) == [])
    }

    @Test func `ledger notes are written with the golden file's bytes and read back from them`() throws {
        let notes = Self.notes + Self.cleared
        let file = GoldenFile("content-client/ledger-notes.jsonl")
        try file.compare(lines: notes.map { String(decoding: $0.json, as: UTF8.self) })
        #expect(try file.lines().map { try LedgerNote(json: Array($0.utf8)) } == notes)
    }

    @Test func `ledger entries are written with the golden file's bytes and read back from them`() throws {
        let file = GoldenFile("content-client/ledger-entries.hex")
        try file.compare(lines: Self.entries.map { Hex.encode(LedgerEntry.bytes(of: [$0])) })
        let read = try file.lines().flatMap { line in
            try LedgerEntry.read(#require(Hex.decode(line)), of: Given.owner)
        }
        #expect(read == Self.entries)
    }

    @Test func `an encrypted ledger of an earlier version of the client is read`() throws {
        let file = GoldenFile("content-client/ledger.hex")
        let changes = Self.entries + (Self.notes + Self.cleared.prefix(1)).map { .note($0) }
        let disk = MemoryDisk()
        let durableLedger = try DurableLedger(disk, owner: Given.owner, binding: Given.binding)
        for change in changes { try durableLedger.append([change]) }
        // Each ledger has a random salt, so a new ledger never has the golden bytes.
        try file.writeIfMissing(Array((Hex.encode(#require(disk.bytes)) + "\n").utf8))
        let line = try #require(try file.lines().first)
        let golden = try #require(Hex.decode(line))
        let read = try DurableLedger(MemoryDisk(golden), owner: Given.owner, binding: Given.binding)
        #expect(read.damage == nil)
        #expect(read.ledgerContents == durableLedger.ledgerContents)
        #expect(read.proof(of: Given.license(2)) == [4])
    }
}

extension ContentLedger {
    /// The ledger with only its last session, as a periodic write during playback stores it.
    fileprivate var lastAlone: ContentLedger {
        ContentLedger(
            version: version, countsFrom: countsFrom, sequence: sequence, firstPlay: firstPlay, carried: carried,
            sessions: Array(sessions.suffix(1)), stop: stop)
    }
}
