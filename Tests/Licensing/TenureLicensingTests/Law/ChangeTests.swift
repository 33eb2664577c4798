import TenureCore
import TenureLicensing
import Testing

@Suite struct ChangeTests {
    @Test func `an edit of a license that changes nothing records nothing`() {
        let license = Given.license()
        let changes: [LicenseTerms.FieldChange] = [
            .policy(license.policy), .holder(""), .end(license.term.end.map { .at($0) } ?? .never),
        ]
        #expect(license.change(changes, by: Given.operatorAda, at: Given.now) == .granted(.none))
    }

    @Test func `setting a license's end before its start leaves an empty, expired term`() {
        let time = Given.now.adding(days: -100)
        let decision = Given.license().change([.end(.at(time))], by: Given.operatorAda, at: Given.now)
        let changed = decision.outcome?.license
        #expect(changed?.term == Term(start: time, end: time))
        #expect(changed?.state(at: Given.now) == .expired)
    }

    @Test func `a new license has its policy's terms, except for those that are set explicitly`() {
        let policy = Given.policy(duration: 30)
        let standard = LicenseTerms(under: policy, from: Given.now)
        #expect(standard == LicenseTerms(policy: Given.pro, term: Term(start: Given.now, length: 30)))
        let past = Given.now.adding(days: -1)
        let changed = LicenseTerms(under: policy, from: Given.now, [.holder("ada"), .end(.at(past))])
        #expect(changed == LicenseTerms(policy: Given.pro, holder: "ada", term: Term(start: past, length: 0)))
        #expect(LicenseTerms(under: policy, from: Given.now, [.holder(""), .end(.never)]).term.end == nil)
    }

    @Test func `the event of a license's change lists exactly the changed fields`() {
        let changes: [LicenseTerms.FieldChange] = [
            .holder("ada"), .policy(PolicyID("team")!), .holder("ada"), .end(.never),
        ]
        let decision = Given.license().change(changes, by: Given.operatorAda, at: Given.now)
        let facts = decision.outcome?.events.flatMap(\.facts).map { "\($0.name) \($0.value.text)" }
        #expect(
            facts == [
                "changed holder", "previousPolicy pro", "policy team", "previousExpiresAt 2027-02-04T08:00:00Z",
                "expiresAt never",
            ])
    }

    /// Pairs of policies, and whether their terms differ in kind: with or without an end, from the issue or the
    /// activation.
    static let policies: [(Policy, Policy, Bool)] = {
        func policy(_ duration: TermLength?, _ starts: TermStart = .issue) -> Policy {
            Policy(id: PolicyID("p")!, name: "P", duration: duration, termStarts: starts)
        }
        let (month, year) = (TermLength(months: 1)!, TermLength(months: 12)!)
        return [
            (policy(year), policy(nil), true), (policy(nil), policy(year), true),
            (policy(year), policy(year, .activation), true), (policy(year, .activation), policy(month), true),
            (policy(nil), policy(nil), false), (policy(nil), policy(nil, .activation), false),
            (policy(year), policy(month), false), (policy(year, .activation), policy(month, .activation), false),
        ]
    }()

    @Test(arguments: policies)
    func `moving a license to a policy with another kind of term requires a choice for the end date`(
        old: Policy, new: Policy, differ: Bool
    ) {
        #expect(old.termsDiffer(from: new) == differ)
        #expect(old.leavesEndOpen([.policy(new.id), .holder("ada")], movingTo: new) == differ)
        for stated in [LicenseTerms.FieldChange.keepEnd, .end(.never), .end(.at(Given.now))] {
            #expect(!old.leavesEndOpen([.policy(new.id), stated], movingTo: new))
        }
    }

    @Test func `explicitly keeping a license's end isn't recorded as a change`() {
        let license = Given.license()
        #expect(license.change([.keepEnd], by: Given.operatorAda, at: Given.now) == .granted(.none))
        let moved = license.change([.policy(PolicyID("team")!), .keepEnd], by: Given.operatorAda, at: Given.now)
        #expect(moved.outcome?.license?.term == license.term)
    }

    @Test func `a later end makes an expired license active again`() {
        let decision = Given.license(.expired, endsIn: -1).change(
            [.end(.never)], by: Given.operatorAda, at: Given.now)
        #expect(decision.outcome?.license?.state(at: Given.now) == .active)
        #expect(decision.outcome?.license?.recordedState == .active)
    }

    @Test func `replacing a license key records the former key and keeps the term and the first activation`() {
        let newKey = LicenseKey(hash: Digest([UInt8](repeating: 8, count: 32))!, masked: "NOTE-####")
        let license = Given.license()
        let rekeyed = KeyReplacement(with: newKey).decide(on: license, by: Given.operatorAda, at: Given.now).outcome?
            .license
        #expect(rekeyed?.key == newKey)
        let former = KeyReplacement(with: newKey).decide(on: license, by: Given.operatorAda, at: Given.now).outcome?
            .formerKeys
        #expect(
            former == [
                FormerKey(
                    product: license.product, key: license.key, license: license.id, replacedAt: Given.now,
                    replacedBy: Given.operatorAda)
            ])
        #expect(
            KeyReplacement(with: license.key).decide(on: license, by: .time, at: Given.now).outcome?.formerKeys == [])
        #expect(rekeyed?.term == license.term)
        #expect(rekeyed?.firstActivatedAt == license.firstActivatedAt)
    }

    @Test(arguments: [License.State.revoked, .returned])
    func `a revoked or returned license can't be changed, and its key can't be replaced`(
        _ state: License.State
    ) {
        let license = Given.license(state)
        #expect(license.change([.end(.never)], by: .time, at: Given.now).refusal != nil)
        #expect(KeyReplacement(with: Given.key).decide(on: license, by: .time, at: Given.now).refusal != nil)
    }

    @Test func `releasing an activation again changes nothing`() {
        let license = Given.license()
        let first = license.deactivate(Given.activation(), by: .device, under: nil, at: Given.now)
        #expect(first.events.map(\.kind) == [.activationReleased])
        #expect(license.deactivate(first.activation!, by: .device, under: nil, at: Given.now.adding(days: 1)).isEmpty)
    }
}
