import TenureCore
import TenureLicensing
import Testing

@Suite struct ActivateTests {
    let machine = DeviceIdentity.machine(String(repeating: "a", count: 64))

    @Test func `activating an active device again returns its activation and changes nothing`() throws {
        let existing = Given.activation(identity: machine)
        let system = DeviceSystem(name: "macOS", version: "15.1")
        let answer = Given.license().activate(
            Given.attempt(machine, system: system),
            activations: License.Activations(activeCount: 2, existing: existing),
            under: Given.policy(limit: 1),
            at: Given.now)
        guard case .activated(let activation, _, let consequences) = answer else {
            Issue.record("refused: \(answer)")
            return
        }
        #expect(activation == existing)
        #expect(consequences.isEmpty)
    }

    @Test(arguments: [(0, true), (1, true), (2, false), (3, false)])
    func `with an activation limit of two, two devices can be activated and a third is refused`(
        used: Int, granted: Bool
    ) {
        let answer = Given.license().activate(
            Given.attempt(), activations: License.Activations(activeCount: used, existing: nil),
            under: Given.policy(limit: 2),
            at: Given.now)
        switch answer {
        case .activated: #expect(granted)
        case .refused(let refusal, let lease, let existing):
            #expect(!granted)
            #expect(refusal.reasons.map(\.code) == [.activationLimitReached])
            if used == 3 {
                #expect(refusal.first.message == "This license is active on 3 devices, and allows 2. Release 2.")
            }
            #expect(lease == nil && existing == nil)
        }
    }

    @Test func `without an activation limit, a device is activated although a million devices are active`() {
        let answer = Given.license().activate(
            Given.attempt(), activations: License.Activations(activeCount: 1_000_000, existing: nil),
            under: Given.policy(limit: nil),
            at: Given.now)
        guard case .activated = answer else {
            Issue.record("refused: \(answer)")
            return
        }
    }

    @Test(arguments: [(0, true), (600, true), (601, false)])
    func `an activation request repeated within ten minutes returns the same activation, and later a new one`(
        later: Int64, existing: Bool
    ) {
        let identity = DeviceIdentity.attempt(name: "Mac", request: "0a1b2c3d")
        let earlier = Given.activation(identity: identity, at: Given.now)
        let answer = Given.license().activate(
            Given.attempt(identity), activations: License.Activations(activeCount: 1, existing: earlier),
            under: Given.policy(),
            at: Given.now.adding(seconds: later))
        guard case .activated(let activation, _, _) = answer else {
            Issue.record("refused: \(answer)")
            return
        }
        #expect((activation == earlier) == existing)
    }

    @Test func `a device that activates again after its release gets a new activation`() {
        let released = Given.activation(identity: machine, released: Given.now)
        let answer = Given.license().activate(
            Given.attempt(machine), activations: License.Activations(activeCount: 0, existing: released),
            under: Given.policy(),
            at: Given.now)
        guard case .activated(let activation, _, let consequences) = answer else {
            Issue.record("refused: \(answer)")
            return
        }
        #expect(activation.id == Given.attempt(machine).newID)
        #expect(consequences.events.map(\.kind) == [.activationCreated])
    }

    @Test func `a refused activation lists every reason, ordered by what to resolve first`() {
        let answer = Given.license(.suspended, endsIn: -1).activate(
            Given.attempt(), activations: License.Activations(activeCount: 2, existing: nil), under: Given.policy(),
            at: Given.now
        )
        guard case .refused(let refusal, let lease, _) = answer else {
            Issue.record("activated")
            return
        }
        #expect(refusal.reasons.map(\.code) == [.licenseSuspended, .licenseExpired, .activationLimitReached])
        #expect(lease == nil)
    }

    @Test func `a refused activation of an expired license returns the device's activation and an expired lease`() {
        let known = Given.activation(identity: machine)
        let answer = Given.license(endsIn: -1).activate(
            Given.attempt(machine), activations: License.Activations(activeCount: 1, existing: known),
            under: Given.policy(),
            at: Given.now)
        guard case .refused(_, let lease, let existing) = answer else {
            Issue.record("activated")
            return
        }
        #expect(lease?.status == .expired)
        #expect(existing == known)
    }

    @Test func `activating an expired license with fallback access records an activation and grants no entitlements`() {
        let answer = Given.license(.issued, endsIn: -1).activate(
            Given.attempt(), activations: License.Activations(activeCount: 0, existing: nil),
            under: Given.policy(fallback: true),
            at: Given.now)
        guard case .activated(_, let lease, let consequences) = answer else {
            Issue.record("refused: \(answer)")
            return
        }
        #expect(lease.status == .fallback)
        #expect(lease.entitlements.isEmpty)
        #expect(consequences.activation != nil)
        #expect(consequences.license?.state(at: Given.now) == .expired)
    }

    @Test func `fallback access doesn't allow more devices than the activation limit`() {
        let answer = Given.license(endsIn: -1).activate(
            Given.attempt(), activations: License.Activations(activeCount: 2, existing: nil),
            under: Given.policy(fallback: true),
            at: Given.now)
        guard case .refused(let refusal, _, _) = answer else {
            Issue.record("activated")
            return
        }
        #expect(refusal.first.code == .activationLimitReached)
    }

    @Test(
        arguments: [
            ("m", "f", "n", "r", DeviceIdentity.machine("m")), (nil, "f", "n", "r", .freeTier("f")),
            ("", "f", "n", "r", .freeTier("f")), (nil, nil, "n", "r", .attempt(name: "n", request: "r")),
            (nil, nil, "n", nil, .anonymous), (nil, nil, "", "r", .anonymous), (nil, nil, nil, nil, .anonymous),
        ] as [(String?, String?, String?, String?, DeviceIdentity)])
    func `a device is identified by the most specific identifier that it reports`(
        machine: String?, freeTier: String?, name: String?, request: String?, expected: DeviceIdentity
    ) {
        let identity = DeviceIdentity(
            machineHash: machine, freeTierInstance: freeTier, instanceName: name, request: request)
        #expect(identity == expected)
    }
}
