import Foundation
import TenureClient
import TenureContent
import TenureCore

@testable import TenureContentClient

/// A random history of a device that plays, renews and stores entries, change by change.
struct LedgerHistory {
    var random: SeededGenerator
    let disk: MemoryDisk
    var durableLedger: DurableLedger
    var now = Given.now
    private var sessions: UInt64 = 1

    init(seed: UInt64, disk: MemoryDisk = MemoryDisk()) throws {
        random = SeededGenerator(seed: seed)
        self.disk = disk
        durableLedger = try DurableLedger(disk, owner: Given.owner, binding: Given.binding)
    }

    /// Returns the entries of the next change, at least one.
    mutating func next() -> [LedgerEntry] {
        let number = Int.random(in: 1...4, using: &random)
        now = now.adding(seconds: .random(in: 0...40, using: &random))
        guard let stored = durableLedger.ledgerContents.licenses[Given.license(number)] else {
            return granted(number, after: nil)
        }
        var ledger = stored.ledger
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return granted(number, after: stored)
        case 1: ledger.rest(at: now)
        case 2: ledger.pause(at: now)
        case 3: ledger.resume(at: now)
        case 4:
            sessions += 1
            let opened = ledger.opening(Given.session(sessions), under: stored.grant, at: ContentStatus.Moment(now))
            ledger = opened.outcome ?? ledger
        case 5: return noted(number)
        case 6: ledger.settle(upTo: ledger.sequence - 3, under: stored.grant.terms, at: now)
        default:
            let millis = Int64.random(in: 0...5_000, using: &random)
            ledger.beat(wall: millis, rendered: millis * 2, under: stored.grant, at: now)
        }
        return [ledger.entry(of: stored.grant.license, after: stored.ledger, acknowledged: stored.acknowledged)]
    }

    private mutating func granted(_ number: Int, after stored: KeptLicense?) -> [LedgerEntry] {
        let grant = Given.grant(number, version: (stored?.grant.version ?? 0) + 1, at: now) {
            $0.plays = 5
            $0.resumeWithinSeconds = 20
        }
        var ledger = stored?.ledger ?? ContentLedger(grant)
        ledger.adopt(grant)
        return [
            .grant(grant, proof: Given.proof(grant)),
            .use(grant.license, ledger, acknowledged: stored?.acknowledged ?? 0),
            .content(ContentFacts(grant.content, title: "Lesson \(number)", course: "swift")),
        ]
    }

    private mutating func noted(_ number: Int) -> [LedgerEntry] {
        let reason = ToldReason(code: "enrolment_paused", message: "The enrolment is paused.")
        let content = Given.content(number).text
        var key = KeptKey("skd://\(number)")
        (key.version, key.key) = (Int64(number), Data([1, 2, 3]))
        let notes: [LedgerNote] = [
            .key(content, key), .key(content, KeptKey("skd://wanted")), .key(content, nil),
            .token(HolderToken("token-\(number)", expiresAt: Moment(now))), .keys(["k\(number)": "AAAA"]),
            .clock(ClockMarks(ClockReading(wall: now, uptime: 5, boot: "b"))), .requestedContent(content),
            .requestedContent(nil),
            .job(RenewalJob(id: "j\(number)", isAlways: true, contents: [content], startedAt: Moment(now))),
            .told([RenewalResult(content, "refused", [reason])]), .job(nil), .owed([content]),
            .fate(content, KeptFate(outcome: "refused", reasons: [reason], at: Moment(now))), .fate(content, nil),
            .runs([RenewalRun("foreground", askedAt: Moment(now))]),
        ]
        return [.note(notes.randomElement(using: &random) ?? .requestedContent(nil))]
    }
}

extension DurableLedger {
    /// Opens the ledger from its bytes, as after a restart or a crash.
    static func reopened(_ bytes: [UInt8]?) throws -> DurableLedger {
        try DurableLedger(MemoryDisk(bytes), owner: Given.owner, binding: Given.binding)
    }
}
