import TenureContent
import TenureCore
import Testing

/// The results and events of each operator action on enrolments and licenses in every state.
@Suite struct ContentActTests {
    static let now = GivenContent.now

    static let licenseCells: [(ContentLicense.State, [String])] = [
        // Actions: revoke, expire, delete, reset, return
        (.active, ["→ revoked", "→ expired", "→ deleted", "→ active", "→ returned"]),
        (.expired, ["→ revoked", "unchanged", "→ deleted", "→ active", "→ returned"]),
        (.deleted, ["→ revoked", "unchanged", "unchanged", "→ active", "→ returned"]),
        (
            .revoked,
            ["unchanged"] + [String](repeating: "no: content_license_revoked", count: 4)
        ),
        (.returned, [String](repeating: "no: content_license_returned", count: 4) + ["unchanged"]),
    ]

    @Test(arguments: licenseCells)
    func `a revoked or returned content license can't be changed by an action, and one in another state can`(
        state: ContentLicense.State, cells: [String]
    ) {
        let license = GivenContent.license(state)
        var answers = [ContentLicense.Act.revoke, .expire, .delete, .reset].map {
            license.perform($0, why: "asked", by: GivenContent.ada, at: Self.now)
        }
        answers.append(license.giveBack(others: [], device: nil, by: .device, at: Self.now))
        #expect(answers.map(said) == cells)
        for answer in answers { checkFacts(answer) }
    }

    static let enrolmentCells: [(Enrolment.State, [String])] = [
        // Actions: pause, resume, extend, end
        (.open, ["→ paused", "unchanged", "→ open", "→ ended"]),
        (.paused, ["unchanged", "→ open", "→ paused", "→ ended"]),
        (.ended, [String](repeating: "no: enrolment_ended", count: 3) + ["unchanged"]),
    ]

    @Test(arguments: enrolmentCells)
    func `an ended enrolment can't be paused, resumed or extended, and an open or paused one can`(
        state: Enrolment.State, cells: [String]
    ) {
        let enrolment = GivenContent.enrolment(3, state, endsIn: 86_400)
        let answers = [
            enrolment.pause(by: GivenContent.ada, at: Self.now), enrolment.resume(by: GivenContent.ada, at: Self.now),
            enrolment.extend(.days(3), by: GivenContent.ada, at: Self.now),
            .granted(enrolment.end(.keep, [], by: GivenContent.ada, at: Self.now).0),
        ]
        #expect(answers.map(said) == cells)
        for answer in answers { checkFacts(answer) }
        checkFacts(.granted(enrolment.added(by: GivenContent.ada, at: Self.now)))
    }

    @Test(
        arguments: [
            (86_400, Enrolment.Extension.days(2), 3 * 86_400), (-86_400, .days(2), 2 * 86_400),
            (-5, .until(now.adding(seconds: 5)), 5), (86_400, .until(now.adding(seconds: 5)), nil),
            (-5, .until(now), nil), (-5, .days(0), nil), (-5, .days(-1), nil),
        ] as [(Int64, Enrolment.Extension, Int64?)])
    func `an enrolment is extended by days from its end or now, or to a date, but only to a later end in the future`(
        endsIn: Int64, length: Enrolment.Extension, later: Int64?
    ) {
        let answer = GivenContent.enrolment(endsIn: endsIn).extend(length, by: GivenContent.ada, at: Self.now)
        #expect(answer.outcome?.enrolment?.endsAt == later.map { Self.now.adding(seconds: $0) })
        #expect((answer.refusal?.first.code == .extensionNotLater) == (later == nil))
    }

    @Test(arguments: [.days(2), .until(now.adding(days: 2)), .until(.latest)] as [Enrolment.Extension])
    func `an enrolment that never ends can't be extended`(length: Enrolment.Extension) {
        for state in [Enrolment.State.open, .paused] {
            let answer = GivenContent.enrolment(3, state).extend(length, by: GivenContent.ada, at: Self.now)
            #expect(said(answer) == "no: enrolment_never_ends")
        }
    }

    @Test(
        arguments: [
            (nil, nil, 5, true), (nil, 9, 5, true), (3, 9, 5, true), (nil, 9, 9, true), (nil, -9, -9, true),
            (nil, 9, 10, false), (nil, -9, 5, false), (nil, nil, 0, false), (nil, nil, -5, false), (5, nil, 5, false),
        ] as [(Int64?, Int64?, Int64, Bool)])
    func `a new end of an enrolment must be in the future, after its start and not after its current end`(
        startsIn: Int64?, endsIn: Int64?, end: Int64, isGranted: Bool
    ) {
        let proposed = Self.now.adding(seconds: end)
        for state in [Enrolment.State.open, .paused] {
            let enrolment = GivenContent.enrolment(3, state, startsIn: startsIn, endsIn: endsIn)
            let answer = enrolment.end(at: proposed, by: GivenContent.ada, at: Self.now)
            checkFacts(answer)
            guard isGranted else {
                #expect(answer.refusal?.first.code == .endNotEarlier)
                continue
            }
            let after = answer.outcome?.enrolment ?? enrolment
            let terms = Enrolment.Terms(
                policy: enrolment.policy, startsAt: enrolment.terms.startsAt, endsAt: proposed)
            #expect(after.terms == terms && after.state == state)
            #expect(answer.outcome?.events.map(\.kind) == (end == endsIn ? [] : [.enrolmentChanged]))
            #expect(after.end(at: proposed, by: GivenContent.ada, at: Self.now) == .granted(.none))
        }
        let ended = GivenContent.enrolment(3, .ended).end(at: proposed, by: GivenContent.ada, at: Self.now)
        #expect(said(ended) == "no: enrolment_ended")
    }

    @Test func `an enrolment is refused with a distinct reason before its start, after its end and while paused`() {
        func code(_ enrolment: Enrolment) -> Reason.Kind? { enrolment.obstacle(at: Self.now)?.code }
        #expect(code(GivenContent.enrolment()) == nil)
        #expect(code(GivenContent.enrolment(startsIn: 1)) == .enrolmentNotStarted)
        #expect(code(GivenContent.enrolment(startsIn: 0, endsIn: 1)) == nil)
        #expect(code(GivenContent.enrolment(endsIn: 0)) == .enrolmentEnded)
        #expect(code(GivenContent.enrolment(3, .paused, endsIn: 0)) == .enrolmentPaused)
    }

    @Test func `ending an enrolment revokes, deletes or keeps its licenses, and reports until when devices can play`() {
        let now = Self.now
        let licenses = [
            GivenContent.license(number: 1) { $0.checkInBy = now.adding(days: 7) }, GivenContent.license(number: 2),
            GivenContent.license(.returned, number: 3) { $0.expiresAt = nil },
            GivenContent.license(number: 4, enrolment: 99) { $0.expiresAt = nil },
        ]
        let (refund, reach) = GivenContent.enrolment().end(.revoke, licenses, by: GivenContent.ada, at: now)
        #expect(refund.licenses.map(\.state) == [.revoked, .revoked] && refund.licenses.map(\.id.number) == [1, 2])
        #expect(reach == .until(now.adding(days: 30)))
        let stored = GivenContent.enrolment().end(.keep, licenses, by: GivenContent.ada, at: now)
        #expect(stored.0.licenses.isEmpty && stored.playable == reach)
        // A refund after the enrolment's end still deletes the licenses.
        let late = GivenContent.enrolment(3, .ended).end(.delete, licenses, by: GivenContent.ada, at: now)
        #expect(late.0.enrolment == nil && late.0.licenses.map(\.state) == [.deleted, .deleted])
        #expect(GivenContent.enrolment().end(.keep, [], by: GivenContent.ada, at: now).playable == .nothing)
        let free = GivenContent.license { $0.expiresAt = nil }
        #expect(GivenContent.enrolment().end(.keep, [free], by: GivenContent.ada, at: now).playable == .unlimited)
    }

    @Test func `an edit of an enrolment changes the given members, and repeating it changes nothing`() throws {
        let enrolment = GivenContent.enrolment(endsIn: 5)
        var edit = enrolment.terms
        edit.endsAt = nil
        let changed = try #require(enrolment.edit(edit, by: GivenContent.ada, at: Self.now).outcome?.enrolment)
        #expect(changed.endsAt == nil && changed.policy == enrolment.policy)
        #expect(changed.edit(edit, by: GivenContent.ada, at: Self.now) == .granted(.none))
        let ended = GivenContent.enrolment(3, .ended, endsIn: 5)
        #expect(said(ended.edit(edit, by: GivenContent.ada, at: Self.now)) == "no: enrolment_ended")
        #expect(ended.edit(ended.terms, by: GivenContent.ada, at: Self.now) == .granted(.none))
        checkFacts(enrolment.edit(edit, by: GivenContent.ada, at: Self.now))
    }

    @Test
    func `an imported row adds an enrolment, or edits the one with its reference if holder and scope are the same`()
        throws
    {
        func row(_ endsAt: Timestamp?, holder: String = "learner-1", scope: Enrolment.Scope? = nil) -> Enrolment {
            Enrolment(
                id: EnrolmentID(number: 50)!, tenant: GivenContent.tenant, holder: holder,
                scope: scope ?? .content(GivenContent.lesson), terms: Enrolment.Terms(endsAt: endsAt),
                reference: "order-1", madeAt: Self.now)
        }
        func imported(_ row: Enrolment, _ existing: Enrolment?) -> Decision<ContentLicense.Consequences> {
            Enrolment.importing(row, over: existing, by: GivenContent.ada, at: Self.now)
        }
        let added = try #require(imported(row(nil), nil).outcome?.enrolment)
        #expect(imported(row(nil), added) == .granted(.none))
        let later = imported(row(Self.now), added)
        #expect(later.outcome?.enrolment?.endsAt == Self.now && later.outcome?.enrolment?.id == added.id)
        #expect(later.outcome?.events.map(\.kind) == [.enrolmentChanged])
        for foreign in [row(nil, holder: "learner-2"), row(nil, scope: .course(GivenContent.course))] {
            #expect(said(imported(foreign, added)) == "no: reference_taken")
            checkFacts(imported(foreign, added))
        }
    }

    @Test
    func `a device that its holder released still counts towards the limit, and one that an operator released doesn't`()
    {
        let now = Self.now
        let licenses = [GivenContent.license(number: 1), GivenContent.license(.revoked, number: 2)]
        let devices = [Enrolment.Device(enrolment: GivenContent.enrolment, device: GivenContent.device)]
        func release(_ actor: Actor, _ rules: [SelfRelease?], _ releases: [Timestamp] = []) -> Decision<
            ContentLicense.Consequences
        > {
            licenses.release(devices: devices, rules: rules, releases: releases, by: actor, at: now)
        }
        let rule = SelfRelease(cooldownDays: 3, perYear: 2)
        let own = release(.holder, [rule])
        #expect(own.outcome?.licenses.map(\.stop) == [.released])
        #expect(own.outcome?.devices.map(\.state) == [.recent(.until(now.adding(days: 30)))])
        #expect(release(GivenContent.ada, [nil]).outcome?.devices.map(\.state) == [.inactive])
        #expect(said(release(.holder, [rule, nil])) == "no: self_release_off")
        #expect(said(release(.holder, [rule], [now.adding(days: -1)])) == "no: self_release_cooldown")
        #expect(
            said(release(.holder, [rule], [now.adding(days: -9), now.adding(days: -8)])) == "no: self_release_used_up")
        checkFacts(own)
    }

    private func said(_ answer: Decision<ContentLicense.Consequences>) -> String {
        guard let outcome = answer.outcome else { return "no: \(answer.refusal?.first.code.text ?? "")" }
        if let license = outcome.licenses.first { return "→ \(license.state.rawValue)" }
        return outcome.enrolment.map { "→ \($0.state.rawValue)" } ?? "unchanged"
    }

    /// Checks that events and refusals carry the facts that their kinds declare.
    private func checkFacts(_ answer: Decision<ContentLicense.Consequences>) {
        for event in answer.outcome?.events ?? [] {
            #expect(EventKind.content.contains(event.kind) && event.kind.facts.faults(in: event.facts) == [])
        }
        for reason in answer.refusal?.reasons ?? [] { #expect(reason.code.facts.faults(in: reason.evidence) == []) }
    }
}
