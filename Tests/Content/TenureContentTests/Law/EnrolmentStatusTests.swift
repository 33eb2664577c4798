import TenureContent
import TenureCore
import Testing

@Suite struct EnrolmentStatusTests {
    @Test(
        arguments: [
            (Enrolment.State.open, nil, nil, Enrolment.Status.open), (.open, 0, 10, .open), (.open, 5, 10, .open),
            (.open, 6, 10, .notStarted), (.open, nil, 5, .ended), (.open, 0, 6, .open), (.paused, nil, nil, .paused),
            (.paused, 6, nil, .paused), (.paused, nil, 5, .ended), (.ended, 6, nil, .ended),
            (.ended, nil, nil, .ended),
        ] as [(Enrolment.State, Int64?, Int64?, Enrolment.Status)])
    func `an enrolment is open from its start to its end unless it is paused or ended`(
        state: Enrolment.State, start: Int64?, end: Int64?, status: Enrolment.Status
    ) throws {
        let enrolment = Enrolment(
            id: try #require(EnrolmentID(number: 1)), tenant: try #require(TenantID("acme")), holder: "ada",
            scope: .content(try #require(ContentID("mck-1"))),
            terms: .init(startsAt: start.map(Timestamp.init(seconds:)), endsAt: end.map(Timestamp.init(seconds:))),
            madeAt: Timestamp(seconds: 0), state: state)
        #expect(enrolment.status(at: Timestamp(seconds: 5)) == status)
        #expect((enrolment.obstacle(at: Timestamp(seconds: 5)) == nil) == (status == .open))
    }
}
