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
