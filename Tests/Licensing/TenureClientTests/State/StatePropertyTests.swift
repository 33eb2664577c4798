import TenureClient
import TenureCore
import TenureVault
import Testing

/// Properties that hold in all combinations of the sample licenses, trials, terms and failures.
@Suite struct StatePropertyTests {
    @Test func `a clock that was set back makes the state invalid and hides no other reason`() {
        for believed in Self.situations() {
            var manipulated = believed
            manipulated.clock = Given.clockSetBack
            let resolution = manipulated.resolve(at: Given.now)
            #expect(resolution.state == .invalid)
            let codes = resolution.explanation.reasons.map(\.code)
            #expect(codes == ["clock_set_back"] + believed.resolve(at: Given.now).explanation.reasons.map(\.code))
        }
    }

    @Test func `a stored license's state doesn't depend on the trial or the free tier`() {
        for situation in Self.situations() where situation.license != nil {
            var bare = situation
            bare.trial = .notStarted
            bare.terms = nil
            #expect(situation.resolve(at: Given.now) == bare.resolve(at: Given.now))
        }
    }

    @Test
    func `an expired license or lapsed lease makes the state expired, whatever the trial, the terms or the failures`() {
        for situation in Self.situations() {
            guard let license = situation.license, Self.isExpired(license) else { continue }
            #expect(situation.resolve(at: Given.now).state == .expired)
        }
    }

    @Test func `without product terms the state isn't the free tier`() {
        for situation in Self.situations() where situation.terms == nil {
            #expect(situation.resolve(at: Given.now).state != .freeTier)
        }
    }

    @Test func `a reported loss of a record doesn't change the state and is listed after the state's own reasons`() {
        for situation in Self.situations() {
            for code in [RecordLoss.Code.corrupted, .foreign] {
                var lost = situation
                lost.loss = RecordLoss(code, at: Given.after(-Given.day))
                let (before, after) = (situation.resolve(at: Given.now), lost.resolve(at: Given.now))
                #expect(after.state == before.state)
                var codes = after.explanation.reasons.map(\.code)
                let trouble = (situation.unreached == nil ? 0 : 1) + (situation.unwritten == nil ? 0 : 1)
                #expect(codes.remove(at: codes.count - 1 - trouble) == "record_\(code.rawValue)")
                #expect(codes == before.explanation.reasons.map(\.code))
            }
        }
    }

    @Test func `an unreachable server or an unwritten record changes no state`() {
        for situation in Self.situations() {
            var quiet = situation
            quiet.unreached = nil
            quiet.unwritten = nil
            #expect(situation.resolve(at: Given.now).state == quiet.resolve(at: Given.now).state)
        }
    }

    @Test func `an app is entitled with a valid active lease, or with a running trial and no license`() {
        for situation in Self.situations() {
            let entitled =
                switch situation.license {
                case .lease(let lease): lease.status == .active && lease.expiresAt >= Given.after(-300)
                case .some: false
                case nil: situation.trial.daysLeft(under: situation.terms, at: Given.now) > 0
                }
            #expect(situation.resolve(at: Given.now).state.isEntitled == entitled)
        }
    }

    @Test
    func `an entitled state changes exactly at its announced time, and a state without such a time doesn't change`() {
        for situation in Self.situations() {
            let resolution = situation.resolve(at: Given.now)
            guard let change = resolution.explanation.changeMoment else {
                #expect(situation.resolve(at: Given.now.adding(days: 3_650)).state == resolution.state)
                continue
            }
            guard resolution.state.isEntitled else { continue }
            #expect(change > Given.now)
            #expect(situation.resolve(at: change.adding(seconds: -1)).state == resolution.state)
            #expect(situation.resolve(at: change).state != resolution.state)
        }
    }

    @Test func `every reason of a state has a code, a message and a cure`() {
        for situation in Self.situations() {
            let reasons = situation.resolve(at: Given.now).explanation.reasons
            #expect(!reasons.isEmpty)
            #expect(reasons.allSatisfy { !$0.code.isEmpty && !$0.message.isEmpty && !$0.cure.isEmpty })
        }
    }

    private static func isExpired(_ license: StoredLicense) -> Bool {
        switch license {
        case .lease(let lease):
            lease.status == .expired || lease.status == .active && lease.expiresAt < Given.after(-300)
        case .refused(let no):
            no.lease.map { $0.facts.status == .expired } ?? (no.reasons.first?.code == "license_expired")
        case .unconfirmed: true
        case .unverifiable, .unreadable: false
        }
    }

    static func situations() -> [Situation] {
        var all: [Situation] = []
        for license in licenses {
            for trial in trials {
                for terms in terms {
                    for unreached in [
                        nil, RequestFailure(.offline, "no route"), RequestFailure(.busy, "503", retryAfter: 60),
                    ] {
                        for unwritten in [nil, VaultError(.unwritable, "The disk is full.")] {
                            all.append(
                                Situation(
                                    license: license, trial: trial, terms: terms, unreached: unreached,
                                    unwritten: unwritten))
                        }
                    }
                }
            }
        }
        return all
    }

    private static let licenses: [StoredLicense?] = {
        var all: [StoredLicense?] = [nil, .unconfirmed]
        let leases = LeaseFacts.Status.allCases.flatMap { status in
            [7 * Given.day, 1, 0, -300, -301, -30 * Given.day].map { Given.lease(status, ends: $0) }
        }
        all += leases.map { .lease($0) }
        for code in ["license_revoked", "license_suspended", "activation_released", "license_expired", "new_code"] {
            all.append(.refused(Given.refused(code)))
            all.append(.refused(Given.refused(code, lease: Given.lease(.fallback))))
            all.append(.refused(Given.refused(code, lease: Given.lease(.expired))))
        }
        all.append(.refused(SignedRefusal(reasons: [])))
        let problems: [LeaseProblem] = [
            .malformed, .unknownKey, .badSignature, .otherProduct, .otherLicense, .otherActivation, .otherDevice,
        ]
        all += problems.map { .unverifiable($0) }
        let codes: [VaultError.Code] = [.corrupted, .foreign, .unreadable]
        return all + codes.map { .unreadable(VaultError($0, "It cannot be read.")) }
    }()

    private static let trials: [KeptTrial] = [
        .notStarted, .local(start: DeviceTime(Given.now), days: 14),
        .local(start: DeviceTime(Given.now.adding(days: -14)), days: 14),
        .local(start: DeviceTime(Given.now), days: 0), .signed(start: Given.after(3 * Given.day), days: 14),
        Given.trialRunning,
        .signed(start: Given.after(1 - 14 * Given.day), days: 14), Given.trialOver,
        .signed(start: Given.after(0), days: 0),
    ]

    private static let terms: [ProductTerms?] =
        [nil] + [nil, 0, 14].flatMap { days in [true, false].map { Given.terms(free: $0, trialDays: days) } }
}
