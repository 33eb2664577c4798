import TenureCore
import TenureLicensing
import Testing

@Suite struct DeviceChangesTests {
    /// A license with its activations, as a server stores them.
    private struct Desk {
        var license = Given.license(endsIn: nil)
        var all: [Activation] = []
        let policy: Policy
        var now = Given.now

        init(limit: Int? = 2, changes: Int?, leaseDays: Int = 7) {
            var policy = Given.policy(limit: limit, leaseDays: leaseDays)
            policy.deviceChanges = changes
            self.policy = policy
        }

        mutating func activate(_ identity: DeviceIdentity) -> License.ActivationAnswer {
            let attempt = License.ActivationAttempt(
                newID: ActivationID(high: 1, low: UInt64(all.count)), identity: identity, name: "")
            let live = all.filter(\.isLive)
            let answer = license.activate(
                attempt,
                activations: License.Activations(
                    activeCount: live.count, existing: live.first { $0.identity == identity && identity != .anonymous }),
                devices: policy.countsDevices(of: license, at: now) ? CountedDevice.among(all, at: now) : [],
                under: policy, at: now)
            if case .activated(_, _, let consequences) = answer { keep(consequences) }
            return answer
        }

        mutating func give(back actor: Actor = .device) {
            for activation in all.filter(\.isLive) {
                keep(license.deactivate(activation, by: actor, under: policy, at: now))
            }
        }

        /// Forgives all released devices; returns `nil` if nothing changes.
        mutating func forgive() -> ForgivenDevices? {
            let counted = all.filter { $0.countsUntil != nil }
            let decision = Activation.forgive(counted, isRest: true, of: license, by: Given.operatorAda, at: now)
            guard let forgiven = decision.outcome else { return nil }
            keep(forgiven.consequences)
            for activation in forgiven.activations {
                var change = Consequences.none
                change.activation = activation
                keep(change)
            }
            return forgiven.consequences.isEmpty ? nil : forgiven
        }

        private mutating func keep(_ consequences: Consequences) {
            license = consequences.license ?? license
            guard let after = consequences.activation else { return }
            all.removeAll { $0.id == after.id }
            all.append(after)
        }

        /// Returns how many of these devices can activate if each one releases its activation immediately.
        mutating func passing(_ devices: Range<Int>) -> Int {
            devices.count { number in
                defer { give() }
                if case .activated = activate(.machine("m\(number)")) { return true }
                return false
            }
        }
    }

    @Test(arguments: [(1, 3, 4), (2, 3, 5), (2, 0, 2), (5, 5, 10)])
    func `within 30 days, no more devices can be activated in turn than the activation limit and device changes allow`(
        limit: Int, changes: Int, most: Int
    ) {
        var desk = Desk(limit: limit, changes: changes)
        #expect(desk.passing(0..<40) == most)
        #expect(desk.passing(0..<most) == most, "devices that already count may return")
        desk.now = desk.now.adding(days: 30)
        #expect(desk.passing(100..<140) == most, "after thirty days they no longer count")
    }

    @Test func `40 devices can be activated in turn if either device changes or activations are unlimited`() {
        var free = Desk(limit: 2, changes: nil)
        #expect(free.passing(0..<40) == 40)
        var open = Desk(limit: nil, changes: 3)
        #expect(open.passing(0..<40) == 40)
    }

    @Test func `a refusal because of device changes says when the next device can be activated`() throws {
        var desk = Desk(limit: 1, changes: 1)
        #expect(desk.passing(0..<1) == 1)
        desk.now = desk.now.adding(days: 3)
        #expect(desk.passing(1..<2) == 1)
        guard case .refused(let refusal, nil, nil) = desk.activate(.machine("m2")) else {
            Issue.record("a third device was activated")
            return
        }
        #expect(refusal.reasons.map(\.code) == [.activationLimitReached])
        #expect(refusal.first.changesAt == Given.now.adding(days: 30))
        #expect(refusal.first.evidence.map(\.name) == ["activations", "activationLimit", "devices", "deviceChanges"])
        #expect(refusal.first.evidence.map(\.value) == [.number(0), .number(1), .number(2), .number(1)])
    }

    @Test func `a released device whose lease lasts longer than a month counts against the limit until the lease ends`()
    {
        var desk = Desk(limit: 1, changes: 0, leaseDays: 90)
        #expect(desk.passing(0..<2) == 1)
        desk.now = desk.now.adding(days: 89)
        #expect(desk.passing(2..<3) == 0)
        desk.now = desk.now.adding(days: 1)
        #expect(desk.passing(2..<3) == 1)
    }

    @Test func `a device that an operator released, or whose release was undone, isn't counted as a released device`() {
        var desk = Desk(limit: 1, changes: 0)
        for number in 0..<4 {
            guard case .activated = desk.activate(.machine("m\(number)")) else {
                Issue.record("refused \(number)")
                return
            }
            desk.give(back: .operator("ada"))
        }
        #expect(desk.license.devicesCountUntil == nil && desk.all.allSatisfy { $0.countsUntil == nil })
        let released = Given.license().deactivate(
            Given.activation(), by: .device, under: desk.policy, at: Given.now)
        #expect(released.activation?.countsUntil == Given.now.adding(days: 30))
        let restored = released.activation.flatMap {
            released.license?.restore(
                $0, activations: License.Activations(activeCount: 0, existing: nil), under: desk.policy, by: .time,
                at: Given.now
            ).outcome
        }
        #expect(restored?.activation?.isLive == true && restored?.activation?.countsUntil == nil)
    }

    @Test func `an operator can stop counting released devices, and devices that are released later are counted again`()
        throws
    {
        var desk = Desk(limit: 1, changes: 1)
        #expect(desk.passing(0..<10) == 2)
        let outcome = desk.forgive()
        let forgiven = try #require(outcome)
        #expect(forgiven.devices == 2)
        #expect(forgiven.consequences.events.flatMap(\.facts) == [.init("devices", .number(2))])
        let again = desk.forgive()
        #expect(again == nil, "repeating it changes nothing")
        #expect(desk.passing(10..<20) == 2)
        #expect(desk.passing(20..<30) == 0)
    }

    @Test func `an operator can stop counting some released devices, and the others stay unchanged`() throws {
        var desk = Desk(limit: 2, changes: 3)
        #expect(desk.passing(0..<10) == 5)
        let part = Array(desk.all.prefix(3))
        let first = try #require(
            Activation.forgive(part, isRest: false, of: desk.license, by: Given.operatorAda, at: desk.now).outcome)
        #expect(first.consequences.license == nil && first.devices == 3)
        #expect(first.activations.map(\.id) == part.map(\.id) && first.activations.allSatisfy { $0.countsUntil == nil })
    }

    @Test(arguments: [License.State.revoked, .returned])
    func `an operator can't stop counting released devices of a revoked or returned license`(_ state: License.State) {
        let decision = Activation.forgive(
            [], isRest: true, of: Given.license(state), by: Given.operatorAda, at: Given.now)
        #expect(decision.refusal != nil)
    }

    @Test
    func `each release without a device identity is counted, and the vendor's explanation says how to stop that`() {
        var desk = Desk(limit: 1, changes: 2)
        for _ in 0..<3 {
            guard case .activated = desk.activate(.anonymous) else {
                Issue.record("refused")
                return
            }
            desk.give()
        }
        guard case .refused = desk.activate(.anonymous) else {
            Issue.record("a fourth device was activated")
            return
        }
        let counted = CountedDevice.among(desk.all, at: desk.now)
        let explanation = desk.license.explain(
            to: .vendor, activeCount: 0, devices: counted, under: desk.policy, at: desk.now)
        #expect(explanation.reasons.map(\.code) == [.activationLimitReached])
        #expect(explanation.reasons[0].cure.contains("tenure activation forgive \(desk.license.id)"))
        #expect(explanation.reasons[0].cure.contains("deviceChanges"), "a higher `activationLimit` isn't the only way")
    }
}
