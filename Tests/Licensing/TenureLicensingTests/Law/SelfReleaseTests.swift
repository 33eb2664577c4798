import TenureCore
import TenureLicensing
import Testing

@Suite struct SelfReleaseTests {
    static let rule = SelfRelease(cooldownDays: 10, perYear: 2)
    static let asking = ActivationID(high: 1, low: 1)
    static let other = DeviceIdentity.machine("b")

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The ages of the holder's earlier releases, in days.
        let releases: [Int]
        /// The result of the release: `done`, or the refusal's reason and the number of days until the refusal ends.
        let expected: String
        let left: Int
    }

    static let rows = [
        Row(testDescription: "none before", releases: [], expected: "done", left: 2),
        Row(testDescription: "one long ago", releases: [400], expected: "done", left: 2),
        Row(testDescription: "one, a year ago to the second", releases: [365], expected: "done", left: 2),
        Row(testDescription: "one in the year", releases: [364], expected: "done", left: 1),
        Row(testDescription: "one ten days ago", releases: [10], expected: "done", left: 1),
        Row(testDescription: "one nine days ago", releases: [9], expected: "self_release_cooldown in 1", left: 1),
        Row(testDescription: "one now", releases: [0], expected: "self_release_cooldown in 10", left: 1),
        Row(
            testDescription: "two in the year", releases: [100, 200], expected: "self_release_used_up in 165", left: 0),
        Row(
            testDescription: "two, in any order", releases: [200, 100], expected: "self_release_used_up in 165", left: 0
        ),
        Row(
            testDescription: "two, the older leaves the year tomorrow", releases: [364, 5],
            expected: "self_release_used_up in 5", left: 0),
        Row(
            testDescription: "more than the rule allows now", releases: [30, 40, 50],
            expected: "self_release_used_up in 325", left: 0),
    ]

    @Test(arguments: rows) func `releases by the holder are limited by a number per year and a cooldown`(_ row: Row)
        throws
    {
        let now = Given.now
        var policy = Given.policy()
        policy.selfRelease = Self.rule
        let target = Given.activation(2, identity: Self.other)
        let releases = row.releases.map { now.adding(days: -$0) }
        let answer = Given.license().releaseByHolder(
            target, asking: Self.asking, releases: releases, under: policy, at: now)
        switch answer {
        case .granted(let consequences):
            #expect(row.expected == "done")
            #expect(consequences.activation?.releasedBy == .holder && consequences.activation?.releasedAt == now)
            #expect(consequences.events.map(\.kind) == [.activationReleased])
        case .refused(let refusal):
            let days = now.seconds(until: try #require(refusal.first.changesAt)) / 86_400
            #expect(row.expected == "\(refusal.first.code) in \(days)")
        }
        let status = Self.rule.remaining(after: releases, at: now)
        #expect(status.left == row.left && (status.nextAt == nil) == (row.expected == "done"))
    }

    @Test
    func `a holder's release on the license's page is limited by the policy and recorded with its source`() throws {
        var policy = Given.policy()
        policy.selfRelease = Self.rule
        let target = Given.activation(2, identity: Self.other)
        let answer = Given.license().releaseByHolder(target, asking: nil, releases: [], under: policy, at: Given.now)
        let event = try #require(answer.outcome?.events.first)
        #expect(event.actor == .holder && Actor(text: event.actor.description) == .holder)
        #expect(event.facts.map(\.value.text) == ["holder", "link"])
        let refused = Given.license().releaseByHolder(
            target, asking: nil, releases: [Given.now], under: policy, at: Given.now)
        #expect(refused.refusal?.first.code == .selfReleaseCooldown)
    }

    @Test func `a holder's release needs a rule in the policy and a license that isn't suspended, revoked or returned`()
    {
        let target = Given.activation(2, identity: Self.other)
        func codes(_ license: License, _ policy: Policy) -> [Reason.Kind] {
            let answer = license.releaseByHolder(
                target, asking: Self.asking, releases: [], under: policy, at: Given.now)
            return answer.refusal?.reasons.map(\.code) ?? []
        }
        var policy = Given.policy()
        #expect(codes(Given.license(), policy) == [.selfReleaseOff])
        policy.selfRelease = Self.rule
        #expect(codes(Given.license(.suspended), policy) == [.licenseSuspended])
        #expect(codes(Given.license(.revoked), policy) == [.licenseRevoked])
        #expect(codes(Given.license(.returned), policy) == [.licenseReturned])
        #expect(codes(Given.license(.active, endsIn: -1), policy) == [])
    }

    @Test
    func `a holder can release only active devices, and the requesting device regardless of the cooldown`() throws {
        var policy = Given.policy()
        policy.selfRelease = Self.rule
        let now = Given.now
        let foreign = Activation(
            id: ActivationID(high: 3, low: 3), license: LicenseID(number: 7)!, identity: .anonymous, name: "",
            activatedAt: now, releasedAt: nil)
        for target in [nil, Given.activation(2, released: now), foreign] {
            let answer = Given.license().releaseByHolder(
                target, asking: Self.asking, releases: [now], under: policy, at: now)
            #expect(answer == .granted(.none))
        }
        let own = Given.activation(5)
        let answer = Given.license().releaseByHolder(own, asking: own.id, releases: [now], under: policy, at: now)
        #expect(answer.outcome?.activation?.releasedBy == .device)
    }

    @Test func `a refusal says that the holder released the device only if the holder did`() throws {
        let now = Given.now
        for (releaser, code) in [
            (Activation.Releaser.holder, Reason.Kind.activationReleasedByHolder), (.device, .activationReleased),
            (.operator, .activationReleased), (nil, .activationReleased),
        ] as [(Activation.Releaser?, Reason.Kind)] {
            let record = Activation(
                id: ActivationID(high: 0, low: 1), license: Given.id, identity: Self.other, name: "", activatedAt: now,
                releasedAt: now, releasedBy: releaser)
            guard
                case .refused(let refusal, nil) = Given.license().validate(
                    record, from: Self.other, under: Given.policy(), at: now)
            else {
                Issue.record("the released activation wasn't refused")
                continue
            }
            #expect(refusal.reasons.map(\.code) == [code])
        }
    }

    @Test
    func `no activation is restored if the license is revoked or at its limit, or the device has another activation`() {
        let now = Given.now
        let policy = Given.policy(limit: 2)
        let released = Given.activation(2, identity: Self.other, released: now)
        func restore(_ activation: Activation, _ license: License, used: Int, existing: Activation? = nil) -> Decision<
            Consequences
        > {
            license.restore(
                activation, activations: License.Activations(activeCount: used, existing: existing), under: policy,
                by: Given.operatorAda,
                at: now)
        }
        let restored = restore(released, Given.license(), used: 1).outcome
        #expect(restored?.activation?.isLive == true && restored?.activation?.releasedBy == nil)
        #expect(restored?.events.map(\.kind) == [.activationRestored])
        #expect(restore(released, Given.license(), used: 2).refusal?.first.code == .activationLimitReached)
        #expect(restore(released, Given.license(.revoked), used: 0).refusal?.first.code == .licenseRevoked)
        #expect(restore(released, Given.license(), used: 1, existing: Given.activation(3)) == .granted(.none))
        #expect(restore(Given.activation(2), Given.license(), used: 1) == .granted(.none))
    }

    @Test func `a renewal that states a device is refused if the activation is another device's`() {
        let record = Given.activation(1, identity: Self.other)
        func answer(_ device: DeviceIdentity?, _ license: License = Given.license()) -> [Reason.Kind] {
            guard
                case .refused(let refusal, nil) = license.validate(
                    record, from: device, under: Given.policy(), at: Given.now)
            else { return [] }
            return refusal.reasons.map(\.code)
        }
        #expect(answer(Self.other) == [] && answer(nil) == [])
        #expect(answer(.machine("c")) == [.activationOtherDevice])
        #expect(answer(.anonymous) == [.activationOtherDevice])
        #expect(
            answer(.machine("c"), Given.license(.suspended, endsIn: -1))
                == [.licenseSuspended, .activationOtherDevice, .licenseExpired])
    }
}
