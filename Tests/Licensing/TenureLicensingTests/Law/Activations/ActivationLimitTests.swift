import TenureCore
import TenureLicensing
import Testing

@Suite struct ActivationLimitTests {
    private func license(limit: Int?) -> License {
        let changes: [LicenseTerms.FieldChange] = [.activationLimit(limit)]
        let license = Given.license(endsIn: nil)
        return license.change(changes, by: Given.operatorAda, at: Given.now).outcome?.license ?? license
    }

    @Test(
        arguments: [
            (nil, 2, 2), (5, 2, 5), (1, 2, 1), (5, nil, 5), (nil, nil, nil),
        ] as [(Int?, Int?, Int?)])
    func `a license's own activation limit takes precedence over its policy's`(own: Int?, policy: Int?, limit: Int?) {
        #expect(Given.policy(limit: policy).allowance(of: license(limit: own)).limit == limit)
    }

    @Test(
        arguments: [
            // The policy has the default number for its limit, so the default for the license's own limit applies.
            (nil, 2, 3, 3), (12, 2, 3, 12), (1, 12, 12, 3), (12, nil, nil, 12), (nil, nil, nil, nil),
            // The policy has another number than the default for its limit, so that number applies to every limit.
            (12, 2, 0, 0), (12, 2, nil, nil), (12, 5, 3, 3),
        ] as [(Int?, Int?, Int?, Int?)])
    func `a license's own activation limit has the default number of device changes unless the policy sets another`(
        own: Int?, limit: Int?, changes: Int?, expected: Int?
    ) {
        var policy = Given.policy(limit: limit)
        policy.deviceChanges = changes
        #expect(policy.allowance(of: license(limit: own)).changes == expected)
    }

    @Test(
        arguments: [(nil, 1, true), (nil, 2, false), (4, 3, true), (4, 4, false), (1, 1, false)] as [(Int?, Int, Bool)])
    func `activations, restores and explanations use a license's own activation limit, or else its policy's`(
        own: Int?, used: Int, fits: Bool
    ) {
        let (license, policy) = (license(limit: own), Given.policy(limit: 2))
        let activations = License.Activations(activeCount: used, existing: nil)
        let answer = license.activate(Given.attempt(), activations: activations, under: policy, at: Given.now)
        if case .activated = answer { #expect(fits) } else { #expect(!fits) }
        let released = Given.activation(released: Given.now)
        let restored = license.restore(
            released, activations: activations, under: policy, by: Given.operatorAda, at: Given.now)
        #expect((restored.refusal == nil) == fits)
        let explanation = license.explain(to: .holder, activeCount: used, under: policy, at: Given.now)
        #expect(explanation.reasons.isEmpty == fits)
    }

    @Test
    func `setting an equal activation limit records no event, and removing it records a return to the policy's`() {
        let raised = Given.license().change([.activationLimit(5)], by: Given.operatorAda, at: Given.now).outcome
        #expect(raised?.events.flatMap(\.facts).map { "\($0.name) \($0.value.text)" } == ["activationLimit 5"])
        let license = license(limit: 5)
        let again = license.change([.activationLimit(5)], by: Given.operatorAda, at: Given.now)
        #expect(again == .granted(.none))
        let reset = license.change([.activationLimit(nil)], by: Given.operatorAda, at: Given.now).outcome
        #expect(reset?.license?.terms.activationLimit == nil)
        #expect(reset?.events.flatMap(\.facts).map { "\($0.name) \($0.value.text)" } == ["activationLimit policy"])
    }

    @Test func `an active device can activate again although the limit was lowered below the active count`() {
        let existing = Given.activation(identity: .machine("m"))
        let answer = license(limit: 1).activate(
            Given.attempt(.machine("m")), activations: .init(activeCount: 3, existing: existing), under: Given.policy(),
            at: Given.now)
        guard case .activated(existing, _, .none) = answer else {
            Issue.record("refused")
            return
        }
    }
}
