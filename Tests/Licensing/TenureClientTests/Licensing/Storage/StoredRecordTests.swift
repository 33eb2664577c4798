import Foundation
import GoldenFiles
import TenureCore
import Testing

@testable import TenureClient

/// The bytes of the license record, which apps store for years.
@Suite struct StoredRecordTests {
    private static let reading = ClockReading(wall: Given.now, uptime: 12_345, boot: "boot-1")

    private static func facts(_ status: LeaseFacts.Status) -> LeaseFacts {
        LeaseFacts(
            status: status, keyHash: "5f7e", activation: "a1", device: "d0d0", issuedAt: Given.after(1),
            expiresAt: Given.after(2), termEnd: Given.after(3),
            entitlements: [LeaseFacts.Grant("projects", value: "25", end: Given.after(4))], policy: "pro",
            policyName: "Notes Pro", holder: "Mia")
    }

    /// A record with every member set.
    private static func full() -> ClientRecord {
        var marks = ClockMarks(reading)
        marks.take(Given.after(60), isFresh: true, at: reading)
        let old = ClockReading(wall: Given.now.adding(seconds: 90), uptime: 98_745, boot: "boot-1")
        marks.take(Given.after(120), isFresh: false, at: old)
        let later = ClockReading(wall: Given.now.adding(days: 40), uptime: 5, boot: "boot-2")
        marks.keep(marks.judge(later), at: later)
        let reason = ToldReason(
            code: "license_expired", message: "The license has expired.", cure: "Renew it.",
            changesAt: Given.after(5), evidence: ["ended": "2027-01-15T08:00:00Z", "limit": "3"])
        var record = ClientRecord()
        record.license = ClientRecord.License(
            activation: Given.held, lease: Data([1, 2, 255]), issuedAt: Given.after(6), activatedAt: Given.after(7),
            refused: SignedRefusal(
                reasons: [reason], lease: SignedRefusal.Lease(facts: facts(.fallback), bytes: [3, 4]),
                serverTime: Given.after(8), terms: ProductTerms(trialDays: 7, freeTier: true, signedAt: Given.after(8))),
            system: "macOS 15.1")
        record.trial = .signed(start: Given.after(9), days: 14)
        record.terms = ProductTerms(trialDays: 14, freeTier: true, signedAt: Given.after(10))
        record.marks = marks
        record.confirmed = Given.after(11)
        record.lastTry = LastTry(
            reading: reading, failures: 2, hold: 30, pause: 40, request: 50,
            unanswered: LastTry.Unanswered(since: reading, count: 2, gap: 60))
        record.unreached = RequestFailure(.busy, "The server answered 503.", retryAfter: 9, code: "server_busy")
        record.keyset = Data([5, 6])
        record.loss = RecordLoss(.foreign, at: Given.after(12))
        record.owed = [HeldActivation(key: "NOTE-PRO0-0000-0002", activation: "b1")]
        return record
    }

    /// The records to compare with golden files: full ones of several versions, a local trial and a first launch.
    private static func variants() -> [(name: String, record: ClientRecord)] {
        var local = ClientRecord()
        local.trial = .local(
            start: DeviceTime(Given.after(1).timestamp, original: Given.after(30).timestamp, ran: 7), days: 7)
        local.loss = RecordLoss(.corrupted, at: Given.after(2))
        var answered = full()
        answered.lastTry = answered.lastTry.map {
            LastTry(
                reading: $0.reading, failures: $0.failures, hold: $0.hold, pause: $0.pause, request: $0.request,
                unanswered: nil)
        }
        answered.unreached = RequestFailure(.busy, "The server answered 503.", retryAfter: 9)
        var withoutSystem = answered
        withoutSystem.license?.system = nil
        return [
            ("full-3", full()), ("full-2", answered), ("full", withoutSystem), ("local-trial", local),
            ("first-launch", ClientRecord()),
        ]
    }

    @Test func `the sample of a license record sets every member`() {
        #expect(unsetMembers(of: Self.full()) == [])
    }

    @Test func `a license record is written with the bytes of its golden file and read back from them`() throws {
        for (name, record) in Self.variants() {
            let file = GoldenFile("client/record-\(name).json")
            try file.compare(record.bytes())
            #expect(try ClientRecord(file.bytes()) == record)
        }
    }

    @Test func `the codes that a license record stores are those of the golden file`() throws {
        let causes: [RequestFailure.Cause] = [
            .offline, .untrusted, .captive, .busy, .misconfigured, .unverified, .cancelled,
        ]
        let codes: [RecordLoss.Code] = [.corrupted, .foreign]
        let statuses = LeaseFacts.Status.allCases
        try GoldenFile("client/record-codes.txt").compare(
            lines: causes.map { "unreached.cause \($0.rawValue)" } + codes.map { "loss.code \($0.rawValue)" }
                + statuses.map { "facts.status \($0.rawValue)" })
    }
}
