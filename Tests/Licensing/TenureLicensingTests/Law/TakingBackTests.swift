import Testing

@testable import TenureCore
@testable import TenureLicensing

/// What restoring applies from a later state to an earlier one, for every pair of states.
@Suite struct TakingBackTests {
    private static let stopped: [License.State] = [.suspended, .revoked, .returned]

    @Test(arguments: License.State.allCases, License.State.allCases)
    func `a later state of a license stops it, and never lets it go on`(earlier: License.State, later: License.State) {
        var (copied, present) = (Given.license(), Given.license())
        copied.recordedState = earlier
        present.recordedState = later
        let isTakenBack =
            Self.stopped.contains(later) && !Self.stopped.contains(earlier)
            || later.isFinal && earlier == .suspended
        #expect(copied.takingBack(present)?.0.recordedState == (isTakenBack ? later : nil))
    }

    @Test(
        arguments: [
            (nil, 100, 100), (100, nil, nil), (100, 50, 50), (50, 100, nil), (50, 50, nil), (nil, nil, nil),
        ] as [(Int?, Int?, Int?)])
    func `an end moves forward only`(earlier: Int?, later: Int?, taken: Int?) {
        var (copied, present) = (Given.license(), Given.license())
        copied.terms.term = Term(start: Given.license().term.start, length: earlier)
        present.terms.term = Term(start: Given.license().term.start, length: later)
        #expect(copied.takingBack(present)?.0.term == taken.map { Term(start: copied.term.start, length: $0) })
    }

    @Test func `an end before the copy's beginning takes the later term whole`() {
        var (copied, present) = (Given.license(), Given.license())
        copied.terms.term = Term(start: Given.license().term.start.adding(days: 10), length: 10)
        present.terms.term = Term(start: Given.license().term.start, length: 5)
        #expect(copied.takingBack(present)?.0.term == present.term)
    }
}

/// What later terms of a license give beyond earlier ones, so that a restore can say what it loses.
@Suite struct GivingTests {
    @Test(
        arguments: [
            (nil, 100, false), (100, nil, true), (100, 50, false), (50, 100, true), (50, 50, false), (nil, nil, false),
        ] as [(Int?, Int?, Bool)])
    func `only a later end is reported as given`(earlier: Int?, later: Int?, isGiven: Bool) {
        var (copied, present) = (Given.license().terms, Given.license().terms)
        copied.term = Term(start: copied.term.start, length: earlier)
        present.term = Term(start: present.term.start, length: later)
        #expect(copied.giving(present).isEmpty == !isGiven)
    }

    @Test func `a change of holder, order and policy names both values`() throws {
        var (copied, present) = (Given.license().terms, Given.license().terms)
        copied.holder = "old@example.com"
        present.holder = "heir@example.com"
        present.order = "o-1"
        present.policy = try #require(PolicyID("team"))
        #expect(
            copied.giving(present) == [
                "policy team instead of \(copied.policy)", "holder heir@example.com instead of old@example.com",
                "order o-1 instead of none",
            ])
    }
}

/// What a restore gives back of trials and activations, and which events explain a stopped license.
@Suite struct GivingTrialsTests {
    private static let reset = Event(
        .trialReset, at: Given.now, actor: Given.operatorAda, about: Event.Subject(Given.product))
    private static let extended = Event(
        .trialExtended, at: Given.now, actor: Given.operatorAda, about: Event.Subject(Given.product))

    private func trial(day: Int, extra: Int = 0) -> Trial {
        let start = Given.now.adding(days: day)
        return Trial(
            product: Given.product, device: Given.key.hash, start: start, recordedAt: start, extraDays: extra)
    }

    @Test(
        arguments: [
            ((0, 7), (1, 0), false, nil), ((0, 0), (1, 0), false, ["started again"]),
            ((0, 7), (1, 0), true, ["reset"]), ((0, 0), (0, 7), false, ["7 extra days instead of 0"]),
            ((0, 7), (0, 3), false, nil), ((0, 7), (0, 7), false, nil), ((1, 0), (0, 9), false, ["started again"]),
            ((1, 0), (0, 1), true, nil),
        ] as [((Int, Int), (Int, Int), Bool, [String]?)])
    func `the trial that ends later stays, unless the vendor has reset it`(
        copied: (Int, Int), later: (Int, Int), isReset: Bool, acts: [String]?
    ) {
        let given = trial(day: copied.0, extra: copied.1).giving(
            trial(day: later.0, extra: later.1), after: isReset ? [Self.reset] : [Self.extended])
        #expect(given == acts)
    }

    @Test func `only an undone release gives an activation back`() {
        let (live, released) = (Given.activation(), Given.activation(released: Given.now))
        var counted = released
        counted.countsUntil = Given.now.adding(days: 90)
        #expect(released.giving(live) == ["restored"])
        #expect(live.giving(released) == nil && live.giving(live) == nil && released.giving(released) == nil)
        #expect(counted.giving(released) == [], "the vendor has ended its count")
        #expect(released.giving(counted) == nil)
    }

    @Test func `the events that explain a stopped license are those of its stop and of its key`() {
        let (active, suspended, revoked) = (Given.license(), Given.license(.suspended), Given.license(.revoked))
        #expect(active.explanations(of: active).isEmpty && suspended.explanations(of: active).isEmpty)
        #expect(active.explanations(of: suspended).contains(.licenseSuspended))
        #expect(suspended.explanations(of: suspended).contains(.licenseReasonChanged), "the reason may be new")
        #expect(revoked.explanations(of: suspended).isEmpty, "the copy stays revoked")
        #expect(active.explanations(of: revoked).isDisjoint(with: [.licenseRekeyed, .licenseChanged, .licenseRenewed]))
        var rekeyed = active
        rekeyed.key = LicenseKey(hash: Digest([UInt8](repeating: 8, count: 32))!, masked: "NOTE-****")
        #expect(active.explanations(of: rekeyed) == [.licenseRekeyed, .licenseTransferred])
        #expect(active.explanations(of: Given.license(endsIn: 5)) == [.licenseChanged])
    }

    private static func events(_ kinds: [EventKind]) -> [Event] {
        kinds.map { Event($0, at: Given.now, actor: .time, about: Event.Subject(Given.product)) }
    }

    @Test(
        arguments: [
            ([.licenseReinstated], [], true), ([.licenseReinstated], [.licenseRenewed], true),
            ([.licenseReinstated], [.licenseSuspended], false), ([.licenseRenewed], [.licenseSuspended], false),
            ([], [], false),
        ] as [([EventKind], [EventKind], Bool)])
    func `a stopped license starts again only if its store reinstated it and no other stopped it`(
        own: [EventKind], others: [EventKind], starts: Bool
    ) {
        var later = Given.license(endsIn: 5)
        later.key = LicenseKey(hash: Digest([UInt8](repeating: 8, count: 32))!, masked: "NOTE-****")
        let suspended = Given.license(.suspended)
        let merged = LaterLicense(later, events: Self.events(own), others: Self.events(others)).merged(into: suspended)
        #expect(merged.recordedState.isOpen == starts)
        #expect(merged.key == suspended.key && merged.term == later.term)
    }

    @Test func `a released device stays released unless its store undid the release and no other store released it`() {
        let (live, released) = (Given.activation(), Given.activation(released: Given.now))
        let (undone, elsewhere) = (Self.events([.activationRestored]), Self.events([.activationReleased]))
        #expect(released.merging(live, events: undone, others: []) == live)
        #expect(released.merging(live, events: [], others: []) == released)
        #expect(released.merging(live, events: undone, others: elsewhere) == released)
        #expect(live.merging(released, events: [], others: []) == released)
    }
}
