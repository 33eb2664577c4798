import TenureCore
import Testing

@testable import TenureContent

/// Which state of an enrolment a restore applies to an older copy, for every pair of states.
@Suite struct EnrolmentRestoreTests {
    @Test(arguments: Enrolment.State.allCases, Enrolment.State.allCases)
    func `restoring a backup pauses or ends an enrolment that was paused or ended since, but never reopens one`(
        earlier: Enrolment.State, later: Enrolment.State
    ) {
        let order: [Enrolment.State] = [.open, .paused, .ended]
        guard let before = order.firstIndex(of: earlier), let after = order.firstIndex(of: later) else { return }
        #expect(enrolment(earlier).takingBack(enrolment(later))?.0.state == (after > before ? later : nil))
    }

    private func enrolment(_ state: Enrolment.State) -> Enrolment {
        Enrolment(
            id: EnrolmentID(number: 1)!, tenant: GivenContent.tenant, holder: "ada",
            scope: .content(ContentID("c")!), madeAt: GivenContent.now, state: state)
    }
}
