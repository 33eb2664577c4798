import TenureCore
import TenureLicensing
import Testing

@Suite struct LeaseTests {
    static let day: Int64 = 86_400

    /// Seconds from now to the term's end, days of grace, and seconds from now to the lease's end.
    @Test(
        arguments: [
            (nil, 0, 7 * day), (30 * day, 0, 7 * day), (7 * day, 0, 7 * day), (7 * day - 1, 0, 7 * day - 1), (1, 0, 1),
            (day, 3, 4 * day), (day, 30, 7 * day), (-day, 3, 2 * day), (0, 1, day),
        ] as [(Int64?, Int, Int64)])
    func `an active lease ends after the policy's lease days or when term and grace end, whichever is first`(
        endsIn: Int64?, grace: Int, leaseEnd: Int64
    ) {
        let license = Given.license(endsIn: endsIn)
        guard
            case .valid(let lease) = license.validate(
                Given.activation(), under: Given.policy(grace: grace), at: Given.now)
        else {
            Issue.record("refused")
            return
        }
        #expect(lease.status == .active)
        #expect(lease.issuedAt == Given.now)
        #expect(lease.expiresAt == Given.now.adding(seconds: leaseEnd))
    }

    @Test(arguments: [(1, true), (0, false), (-1, false)] as [(Int64, Bool)])
    func `a license isn't valid at the end of its term or later`(endsIn: Int64, usable: Bool) {
        let answer = Given.license(endsIn: endsIn).validate(Given.activation(), under: Given.policy(), at: Given.now)
        if case .valid = answer { #expect(usable) } else { #expect(!usable) }
    }

    @Test func `a lease's entitlements are sorted by name`() {
        guard
            case .valid(let lease) = Given.license().validate(Given.activation(), under: Given.policy(), at: Given.now)
        else {
            Issue.record("refused")
            return
        }
        #expect(lease.entitlements.map(\.name) == ["pro", "sync"])
    }

    @Test
    func `validating a license with another license's activation is refused with the reason for a released activation`()
    {
        var license = Given.license()
        license = License(
            id: LicenseID(number: 43)!, product: license.product, key: license.key, terms: license.terms,
            recordedState: .active, issuedAt: license.issuedAt, firstActivatedAt: license.issuedAt)
        guard
            case .refused(let refusal, let lease) = license.validate(
                Given.activation(), under: Given.policy(), at: Given.now)
        else {
            Issue.record("valid")
            return
        }
        #expect(refusal.reasons.map(\.code) == [.activationReleased])
        #expect(lease == nil)
    }

    @Test func `a released device of an expired license gets both reasons and no lease`() {
        let answer = Given.license(endsIn: -1).validate(
            Given.activation(released: Given.now), under: Given.policy(fallback: true), at: Given.now)
        guard case .refused(let refusal, let lease) = answer else {
            Issue.record("valid")
            return
        }
        #expect(refusal.reasons.map(\.code) == [.activationReleased, .licenseExpired])
        #expect(lease == nil)
    }
}
