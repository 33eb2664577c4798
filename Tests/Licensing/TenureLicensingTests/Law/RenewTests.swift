import TenureCore
import TenureLicensing
import Testing

@Suite struct RenewTests {
    static let day: Int64 = 86_400

    /// Seconds from now to the old end, the renewal's length, and seconds from now to the new end (`nil` if the renewal
    /// is refused).
    @Test(
        arguments: [
            (10 * day, .policy, 40 * day), (-5 * day, .policy, 30 * day), (0, .policy, 30 * day),
            (10 * day, .days(1), 11 * day), (-1, .days(1), day), (10 * day, .days(0), nil), (10 * day, .days(-3), nil),
            (10 * day, .until(Given.now.adding(days: 11)), 11 * day),
            (10 * day, .until(Given.now.adding(days: 10)), nil),
            (-10 * day, .until(Given.now.adding(days: -1)), nil), (-10 * day, .until(Given.now), nil),
        ] as [(Int64, RenewalLength, Int64?)])
    func `a renewal starts at the term's end or now, whichever is later, and is refused if it ends no later than that`(
        endsIn: Int64, length: RenewalLength, newEnd: Int64?
    ) {
        let decision = Given.license(endsIn: endsIn).renew(
            length, under: Given.policy(duration: 30), by: Given.operatorAda, at: Given.now)
        #expect(decision.outcome?.license?.term.end == newEnd.map { Given.now.adding(seconds: $0) })
        if newEnd == nil { #expect(decision.refusal?.first.code == .renewalNotLater) }
    }

    @Test func `renewing an expired license starts a term now`() {
        let decision = Given.license(.expired, endsIn: -1).renew(
            .policy, under: Given.policy(), by: Given.operatorAda, at: Given.now)
        let renewed = decision.outcome?.license
        #expect(renewed?.term.start == Given.now)
        #expect(renewed?.recordedState == .active)
    }

    @Test func `renewing a perpetual license is refused`() {
        let decision = Given.license(endsIn: nil).renew(.days(30), under: Given.policy(), by: .time, at: Given.now)
        #expect(decision.refusal?.first.code == .termPerpetual)
    }

    @Test func `renewing a license under a perpetual policy makes the license perpetual`() {
        let decision = Given.license().renew(.policy, under: Given.policy(duration: nil), by: .time, at: Given.now)
        #expect(decision.outcome?.license?.term.end == nil)
        #expect(decision.outcome?.license != nil)
    }

    @Test func `a renewal by more days than any date can represent is refused`() {
        let decision = Given.license().renew(.days(.max), under: Given.policy(), by: .time, at: Given.now)
        #expect(decision.refusal?.first.code == .endTooLate)
    }

    @Test(
        arguments: [
            (.active, 20, nil, .policy, true), (.expired, -1, nil, .policy, true), (.active, 20, 30, .policy, false),
            (.active, 20, nil, .days(30), false), (.active, nil, nil, .policy, false),
            (.suspended, 20, nil, .policy, true), (.revoked, 20, nil, .policy, false),
        ] as [(License.State, Int64?, Int?, RenewalLength, Bool)])
    func `a preview says whether a renewal makes a license perpetual`(
        state: License.State, end: Int64?, duration: Int?, length: RenewalLength, isPerpetual: Bool
    ) {
        let license = Given.license(state, endsIn: end.map { $0 * 86_400 })
        let policy = Given.policy(duration: duration)
        #expect(policy.makesPerpetual(license, renewedBy: length) == isPerpetual)
        let renewed = license.renew(length, under: policy, by: Given.operatorAda, at: Given.now).outcome?.license
        #expect((renewed.map { $0.term.end == nil } ?? false) == isPerpetual)
    }
}
