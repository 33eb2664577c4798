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
