import TenureCore
import TenureLicensing
import Testing

@Suite struct TrialTests {
    static let now = Timestamp(seconds: 1_800_000_000)
    static let device = Digest(Array(repeating: 7, count: 32))!

    static func product(days: Int) -> Product {
        Product(
            ref: ProductRef(tenant: TenantID("acme")!, product: ProductID("notes")!), name: "Notes",
            keyPrefix: LicenseKeyPrefix("NOTE")!, trialDays: days)
    }

    /// The start that a device claims and the start that a 14-day trial gets, both in seconds from now.
    @Test(
        arguments: [
            (nil, 0), (0, 0), (-1, -1), (-14 * 86_400, -14 * 86_400), (-14 * 86_400 - 1, -14 * 86_400), (1, 0),
            (.min, -14 * 86_400), (.max, 0),
        ] as [(Int64?, Int64)])
    func `a trial starts at the reported start, limited to the time from one trial length ago until now`(
        claimed: Int64?, start: Int64
    ) throws {
        let answer = Self.product(days: 14).startTrial(
            on: Self.device, existing: nil, claimed: claimed.map { Self.now.adding(seconds: $0) }, at: Self.now)
        let granted = try #require(answer.outcome)
        #expect(granted.isNew)
        #expect(granted.trial.start == Self.now.adding(seconds: start))
        #expect(granted.trial.recordedAt == Self.now)
        #expect(granted.events.map(\.kind) == [.trialStarted])
    }

    @Test(
        arguments: [(nil, false), (-86_400, false), (300, false), (301, true), (63_072_000, true)] as [(Int64?, Bool)])
    func `a trial's event contains the start that the device reported if it was over five minutes in the future`(
        claimed: Int64?, isRecorded: Bool
    ) throws {
        let claimed = claimed.map { Self.now.adding(seconds: $0) }
        let answer = Self.product(days: 14).startTrial(on: Self.device, existing: nil, claimed: claimed, at: Self.now)
        let event = try #require(answer.outcome?.events.first)
        #expect(event.kind.facts.faults(in: event.facts) == [])
        #expect(
            event.facts.first { $0.name == "reportedStart" }?.value == (isRecorded ? claimed.map { .date($0) } : nil))
    }

    @Test(arguments: [nil, -86_400, 86_400] as [Int64?])
    func `a trial's recorded start doesn't change if the device reports another start`(claimed: Int64?) throws {
        let product = Self.product(days: 14)
        let existing = Trial(
            product: product.ref, device: Self.device, start: Self.now.adding(days: -400),
            recordedAt: Self.now.adding(days: -400))
        let answer = product.startTrial(
            on: Self.device, existing: existing, claimed: claimed.map { Self.now.adding(seconds: $0) }, at: Self.now)
        #expect(answer == .granted(Trial.Answer(trial: existing, isNew: false, events: [])))
    }

    /// Rows for a 14-day trial that is extended by seven days: the earlier extra days, the days since its start, and
    /// the days from now to its new end.
    @Test(
        arguments: [(0, 0, 21), (0, 13, 8), (0, 14, 7), (5, 14, 12), (0, 60, 7)] as [(Int, Int, Int)])
    func `extending a trial adds the days to its end, or to now if the trial has ended`(
        extra: Int, elapsed: Int, left: Int
    ) throws {
        let product = Self.product(days: 14)
        let start = Self.now.adding(days: -elapsed)
        let trial = Trial(
            product: product.ref, device: Self.device, start: start, recordedAt: start, extraDays: extra)
        let answer = try #require(
            product.extendTrial(trial, by: 7, actor: .operator("ada"), at: Self.now).outcome)
        #expect(answer.trial.end(under: product) == Self.now.adding(days: left))
        #expect(answer.trial.start == start && !answer.isNew)
        #expect(answer.events.map(\.kind) == [.trialExtended])
        let late = product.extendTrial(trial, by: 7, actor: .time, at: Self.now.adding(seconds: 1)).outcome?.trial
        #expect(try #require(late).end(under: product) >= Self.now.adding(days: left))
        #expect(Self.product(days: 0).extendTrial(trial, by: 7, actor: .time, at: Self.now).refusal != nil)
        let most = product.extendTrial(trial, by: .max / 2, actor: .time, at: Self.now).outcome?.trial
        #expect(most?.extraDays == Trial.mostExtraDays)
    }

    @Test(arguments: [nil, "crashed all week"]) func `a reset trial starts now and lasts as long as a new one`(
        reason: String?
    ) throws {
        let product = Self.product(days: 14)
        let start = Self.now.adding(days: -400)
        let trial = Trial(
            product: product.ref, device: Self.device, start: start, recordedAt: start, extraDays: 7)
        let answer = try #require(
            product.resetTrial(trial, because: reason.map { StatedReason($0) }, actor: .operator("ada"), at: Self.now)
                .outcome)
        #expect(
            answer.trial == Trial(product: product.ref, device: Self.device, start: Self.now, recordedAt: Self.now))
        let event = try #require(answer.events.first)
        #expect(event.kind == .trialReset && EventKind.trialReset.facts.faults(in: event.facts).isEmpty)
        #expect(event.facts.contains(.init("formerStart", .date(start))))
        #expect(event.facts.first { $0.name == "reason" }?.value == reason.map { .text($0) })
        #expect(Self.product(days: 0).resetTrial(trial, because: nil, actor: .time, at: Self.now).refusal != nil)
    }

    @Test func `starting a trial of a product that offers none is refused, even on a device with an earlier trial`() {
        let product = Self.product(days: 0)
        let existing = Trial(product: product.ref, device: Self.device, start: Self.now, recordedAt: Self.now)
        for existing in [nil, existing] {
            let answer = product.startTrial(on: Self.device, existing: existing, claimed: nil, at: Self.now)
            #expect(answer.refusal?.reasons.map(\.code) == [.trialNotOffered])
        }
    }
}
