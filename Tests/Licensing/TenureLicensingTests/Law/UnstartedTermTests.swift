import GoldenFiles
import Testing

@testable import TenureCore
@testable import TenureLicensing

/// Terms that start at the first activation.
@Suite struct UnstartedTermTests {
    static let year = TermLength(months: 12)!
    static let issue = Timestamp(text: "2027-01-15T10:20:30Z")!

    static func policy(startBy: TermLength? = nil) -> Policy {
        Policy(id: Given.pro, name: "Boxed", duration: year, graceDays: 5, termStarts: .activation, startBy: startBy)
    }

    static func license(startBy: TermLength? = nil, _ changes: [LicenseTerms.FieldChange] = []) -> License {
        let terms = LicenseTerms(under: policy(startBy: startBy), from: issue, changes)
        return License.issue(
            id: Given.id, product: Given.product, key: Given.key, terms: terms, by: .time, at: issue
        ).license!
    }

    static func activated(_ license: License, at now: Timestamp) throws -> (License, LeaseTerms, [Event]) {
        let answer = license.activate(
            Given.attempt(), activations: .init(activeCount: 0, existing: nil), under: policy(), at: now)
        guard case .activated(_, let lease, let consequences) = answer else {
            throw NotActivated(answer: "\(answer)")
        }
        return (try #require(consequences.license), lease, consequences.events)
    }

    struct NotActivated: Error {
        let answer: String
    }

    @Test(
        arguments: try DocumentedTable.rows(
            of: "license-terms.md", below: "Terms that start at the first activation"))
    func `a term that starts at the first activation has the dates in the documented table`(_ row: [String]) throws {
        let start = try #require(Timestamp(text: row[1] + "T10:20:30Z"))
        let end = try #require(Timestamp(text: row[2] + "T10:20:30Z"))
        let term = try #require(Term(start: start, end: end))
        let license = Self.license(startBy: TermLength(months: 6))
        guard let first = Timestamp(text: row[0] + "T10:20:30Z") else {
            #expect(row[0] == "never")
            #expect(license.startedAt(start) == start)
            #expect(license.startedAt(start.adding(seconds: -1)) == nil)
            #expect(license.ending(at: start) == .at(end))
            #expect(license.state(at: end) == .expired)
            return
        }
        let (started, lease, events) = try Self.activated(license, at: first)
        #expect(started.term == term)
        #expect(started.firstActivatedAt == first)
        #expect(lease.expiresAt == first.adding(days: 7))
        #expect(events.map(\.kind) == [.activationCreated, .licenseStarted])
        #expect(events.last?.facts.map(\.value) == [.date(start), .date(end)])
    }

    @Test func `a license whose term hasn't started isn't perpetual`() {
        let now = Self.issue.adding(days: 4000)
        let waiting = Self.license()
        #expect(waiting.ending(at: now) == .unstarted(length: Self.year, startBy: nil))
        #expect(waiting.startedAt(now) == nil)
        #expect(waiting.state(at: now) == .issued)
        let bounded = Self.license(startBy: TermLength(days: 30))
        #expect(
            bounded.ending(at: Self.issue) == .unstarted(length: Self.year, startBy: Self.issue.adding(days: 30)))
        #expect(Given.license(endsIn: nil).ending(at: now) == .never)
        #expect(
            bounded.explain(to: .vendor, activeCount: 0, under: Self.policy(), at: Self.issue).changesAt
                == bounded.term.end)
    }

    @Test func `a later activation doesn't restart a started term, even after the key was replaced`() throws {
        let first = Self.issue.adding(days: 100)
        let (started, _, _) = try Self.activated(Self.license(), at: first)
        let released = started.deactivate(Given.activation(at: first), by: .device, under: Self.policy(), at: first)
        let free = released.license ?? started
        let rekeyed = try #require(
            KeyReplacement(with: LicenseKey(hash: Given.key.hash, masked: "N-*")).decide(on: free, by: .time, at: first)
                .outcome?.license)
        let again = rekeyed.activate(
            Given.attempt(), activations: .init(activeCount: 0, existing: nil), under: Self.policy(),
            at: first.adding(days: 9))
        guard case .activated(_, _, let consequences) = again else {
            Issue.record("refused: \(again)")
            return
        }
        #expect(consequences.license?.term ?? rekeyed.term == started.term)
        #expect(consequences.events.map(\.kind) == [.activationCreated])
    }

    @Test func `a refused activation doesn't start the term`() {
        let suspended = Self.license().suspend(by: .time, at: Self.issue).outcome?.license
        let answer = suspended?.activate(
            Given.attempt(), activations: .init(activeCount: 0, existing: nil), under: Self.policy(), at: Self.issue)
        guard case .refused(let refusal, nil, nil) = answer else {
            Issue.record("activated: \(String(describing: answer))")
            return
        }
        #expect(refusal.reasons.map(\.code) == [.licenseSuspended])
        #expect(suspended?.terms.unstarted == Self.year)
    }

    /// The renewal, the length of the unstarted term after it, and the term's days from the issue if the renewal starts
    /// it.
    @Test(
        arguments: [
            (.policy, "P2Y", nil), (.days(14), "P1Y14D", nil), (.until(issue.adding(days: 400)), nil, 400),
        ] as [(RenewalLength, String?, Int?)]) func `a renewal before the first activation lengthens the term`(
            length: RenewalLength, longer: String?, end: Int?
        ) throws
    {
        for startBy in [nil, TermLength(months: 6)] {
            let license = Self.license(startBy: startBy)
            let decision = license.renew(length, under: Self.policy(), by: .time, at: Self.issue)
            let renewed = try #require(decision.outcome?.license)
            #expect(renewed.terms.unstarted?.description == longer)
            if let end { #expect(renewed.term == Term(start: Self.issue, length: end)) }
            guard let longer else { continue }
            let (started, _, _) = try Self.activated(renewed, at: Self.issue.adding(days: 3))
            let all = try #require(TermLength(text: longer))
            #expect(started.term == Term(start: Self.issue.adding(days: 3), lasting: all))
            let start = startBy.map { Self.issue.adding($0) }
            #expect(start.map { renewed.term == Term(start: $0, lasting: all) } ?? true)
        }
    }

    @Test func `a renewal that doesn't lengthen an unstarted term is refused`() {
        // An activation now would give a year, so an earlier end would shorten the term.
        let dates = [-1, 0, 40, 365].map { RenewalLength.until(Self.issue.adding(days: $0)) }
        for length in [.days(0), .days(-1)] + dates {
            let refused = Self.license().renew(length, under: Self.policy(), by: .time, at: Self.issue).refusal
            #expect(refused?.first.code == .renewalNotLater)
        }
    }

    @Test func `a renewal after the latest start date extends the running term`() throws {
        let license = Self.license(startBy: TermLength(months: 6))
        let now = Self.issue.adding(months: 8)
        let renewed = try #require(license.renew(.policy, under: Self.policy(), by: .time, at: now).outcome?.license)
        #expect(renewed.term == Term(start: Self.issue.adding(months: 6), end: Self.issue.adding(months: 30)))
        #expect(renewed.terms.unstarted == nil)
    }

    @Test func `setting the end of an unstarted term starts the term`() throws {
        let (now, end) = (Self.issue.adding(days: 3), Self.issue.adding(days: 33))
        let license = Self.license(startBy: TermLength(months: 6))
        let changed = try #require(license.change([.end(.at(end))], by: .time, at: now).outcome?.license)
        #expect(changed.term == Term(start: now, end: end))
        let ended = Self.license().change([.end(.never)], by: .time, at: now).outcome?.license
        #expect(ended?.ending(at: now) == .never)
        #expect(Self.license([.end(.at(end))]).term == Term(start: Self.issue, end: end))
        #expect(license.change([.holder("ada")], by: .time, at: now).outcome?.license?.terms.unstarted == Self.year)
    }

    @Test func `a restored license takes over the start of its term from the newer store`() throws {
        let first = Self.issue.adding(days: 100)
        let copied = Self.license()
        let (later, _, _) = try Self.activated(copied, at: first)
        let (restored, acts) = try #require(copied.takingBack(later))
        #expect(acts == ["started"])
        #expect(restored.term == later.term)
        #expect(restored.terms.unstarted == nil)
        let (again, _, events) = try Self.activated(restored, at: first.adding(days: 50))
        #expect(again.term == later.term)
        #expect(events.map(\.kind) == [.activationCreated])
        #expect(later.takingBack(copied) == nil, "a start is never undone")
        // The restore drops a renewal since the copy, and applies an earlier end.
        let renewed = try #require(later.renew(.policy, under: Self.policy(), by: .time, at: first).outcome?.license)
        #expect(copied.takingBack(renewed)?.0.term == later.term)
        let ended = try #require(
            copied.change([.end(.at(first))], by: .time, at: first).outcome?.license)
        #expect(copied.takingBack(ended)?.0.ending(at: first) == .at(first))
    }
}
