import TenureCore
import TenureLicensing
import Testing

@Suite struct ExplanationTests {
    private func explain(
        _ license: License, to audience: ExplanationAudience = .vendor, _ activations: [Activation] = [],
        events: [Event] = [], grace: Int = 0
    ) -> License.Explanation {
        license.explain(
            to: audience, activeCount: activations.count(where: \.isLive), released: activations, events: events,
            under: Given.policy(grace: grace), at: Given.now)
    }

    @Test func `a license's explanation lists reasons, notes and the time of the next change`() {
        let two = [Given.activation(1), Given.activation(2), Given.activation(3, released: Given.now)]
        let explanation = explain(Given.license(endsIn: 5), two, grace: 1)
        #expect(explanation.state == .active)
        #expect(explanation.lease == .active)
        #expect(explanation.reasons.isEmpty)
        #expect(explanation.notes.map(\.code) == [.activationLimitReached])
        #expect(explanation.changesAt == Given.now.adding(seconds: 5))
        #expect(explain(Given.license(.suspended), two).reasons.map(\.code) == [.licenseSuspended])
    }

    @Test(arguments: [(OrderStop.Cause.refund, "refunded"), (.dispute, "disputed")])
    func `an explanation and a refusal say whether an order suspended the license for a refund or a dispute`(
        cause: OrderStop.Cause, word: String
    ) throws {
        let stop = OrderStop(because: cause, by: Actor(Actor.Kind("order"), "sub_1"))
        let stopped = try #require(stop.suspend(Given.license(), at: Given.now).outcome)
        let events = Array(stopped.events.reversed())
        let explained = try #require(explain(Given.license(.suspended), events: events).reasons.first)
        let refused = Refusal(.licenseSuspended).telling(events, to: nil).first
        for reason in [explained, refused] {
            #expect(reason.message.contains("because the payment") && reason.message.contains(word))
            #expect(reason.evidence == [.init("cause", .text(cause.rawValue))] && reason.stopCause == cause)
            #expect(reason.code.facts.faults(in: reason.evidence).isEmpty)
        }
    }

    @Test func `a refusal doesn't mention the refund that caused an earlier suspension`() throws {
        let stop = OrderStop(because: .refund, by: Actor(Actor.Kind("order"), "sub_1"))
        let stopped = try #require(stop.suspend(Given.license(), at: Given.now).outcome)
        let later = Event(
            .licenseSuspended, at: Given.now.adding(days: 1), actor: Given.operatorAda, about: Given.license().subject)
        #expect(Refusal(.licenseSuspended).telling([later] + stopped.events, to: nil) == Refusal(.licenseSuspended))
    }

    @Test(arguments: [nil, StatedReason("fraud", isTold: true)])
    func `an operator's suspension of a license that an order suspended is recorded as the newest suspension`(
        reason: StatedReason?
    ) throws {
        let (order, policy) = (Actor(Actor.Kind("order"), "sub_1"), Given.policy())
        let stop = OrderStop(because: .refund, by: order)
        let stopped = try #require(stop.suspend(Given.license(), at: Given.now).outcome)
        let license = try #require(stopped.license)
        #expect(OrderStop.isNewest(of: order, on: license, after: stopped.events))
        func suspended(after events: [Event]) throws -> Consequences {
            try #require(
                OperatorAct.suspend.decide(
                    on: license, because: reason, after: events, under: policy, by: Given.operatorAda, at: Given.now
                ).outcome)
        }
        let later = try suspended(after: stopped.events)
        #expect(later.events.map(\.kind) == [.licenseSuspended] && later.license == license)
        let events = later.events + stopped.events
        #expect(!OrderStop.isNewest(of: order, on: license, after: events))
        #expect(explain(license, events: events).statedActs.map(\.reason) == [reason].compactMap(\.self))
        #expect(try suspended(after: events).isEmpty, "the operator's own suspension is in force already")
    }

    @Test func `the explanation of an operator's suspension has no evidence`() {
        let event = Event(.licenseSuspended, at: Given.now, actor: Given.operatorAda, about: Given.license().subject)
        #expect(explain(Given.license(.suspended), events: [event]).reasons.first?.evidence.isEmpty == true)
    }

    @Test func `a reached activation limit is a note for the vendor and a reason for the holder`() {
        let two = [Given.activation(1), Given.activation(2)]
        let (vendor, holder) = (explain(Given.license(), two), explain(Given.license(), to: .holder, two))
        #expect(vendor.reasons.isEmpty && vendor.notes.map(\.code) == [.activationLimitReached])
        #expect(holder.reasons.map(\.code) == [.activationLimitReached] && holder.notes.isEmpty)
    }

    @Test(arguments: [
        (-1, 1, true), (0, 1, true), (1, 1, false), (-86_400, 1, false), (-86_399, 1, true), (-1, 0, false),
    ])
    func `an explanation lists a grace period with its end if the period has begun and not ended`(
        endsIn: Int64, grace: Int, isNamed: Bool
    ) throws {
        let license = Given.license(endsIn: endsIn)
        let (vendor, holder) = (explain(license, grace: grace), explain(license, to: .holder, grace: grace))
        #expect(vendor.notes.map(\.code) == (isNamed ? [.licenseInGrace] : []))
        #expect(vendor.reasons.map(\.code).contains(.licenseInGrace) == false)
        #expect(holder.reasons.map(\.code).contains(.licenseInGrace) == isNamed)
        #expect(holder.notes.isEmpty)
        if isNamed {
            let end = Given.now.adding(seconds: endsIn).adding(days: grace)
            #expect(vendor.notes.first?.changesAt == end)
            #expect(try #require(holder.reasons.first).message.contains(end.description))
            #expect(vendor.lease == .active)
        }
    }

    @Test(
        arguments: [
            (nil, 0, nil, "never ends"), (10, 0, 10, "ends on"), (10, 1, 10, "its grace period on"),
            (-10, 1, 86_390, "grace period keeps running"), (-10, 0, nil, "must be renewed"),
        ] as [(Int64?, Int, Int64?, String)])
    func `the explanation of a suspended license has no time of change, but a note about the end of the term`(
        endsIn: Int64?, grace: Int, next: Int64?, words: String
    ) throws {
        let explanation = explain(Given.license(.suspended, endsIn: endsIn), grace: grace)
        let note = try #require(explanation.notes.first)
        #expect(note.code == .licenseStaysSuspended)
        #expect(note.changesAt == next.map { Given.now.adding(seconds: $0) })
        #expect(note.message.contains(words))
        #expect(explanation.changesAt == nil)
        #expect(explanation.notes.count == 1)
    }

    @Test
    func
        `the vendor's explanation of a suspended, expired license has commands to reinstate and to renew that license`()
    {
        let license = Given.license(.suspended, endsIn: -10)
        let explanation = explain(license)
        let cures = (explanation.reasons + explanation.notes).map(\.cure)
        #expect(cures.count { $0.contains("`tenure license reinstate \(license.id)`") } == 1)
        #expect(cures.contains { $0.contains("`tenure license renew \(license.id)`") })
        #expect(!cures.contains { $0.contains("renew`") })
    }

    @Test(arguments: [
        (OrderStop.Cause.refund, "The buyer has the money back", "until it's reinstated"),
        (.dispute, "Wait for the decision", "until the dispute is won or it's reinstated"),
    ])
    func `the vendor's explanation of a suspension by an order has a cure for its cause and the reinstate command`(
        cause: OrderStop.Cause, cure: String, note: String
    ) throws {
        let stop = OrderStop(because: cause, by: Actor(Actor.Kind("order"), "sub_1"))
        let stopped = try #require(stop.suspend(Given.license(), at: Given.now).outcome)
        let explanation = explain(Given.license(.suspended), events: stopped.events)
        let reason = try #require(explanation.reasons.first)
        #expect(reason.cure.contains(cure) && reason.cure.contains("`tenure license reinstate \(Given.id)`"))
        #expect(try #require(explanation.notes.first).message.contains("stays suspended \(note)."))
    }

    @Test(arguments: [License.State.active, .suspended])
    func `the vendor's explanation doesn't suggest renewing a license that was paid with test money`(
        state: License.State
    ) {
        let explanation = explain(Given.license(state, endsIn: -10, isTest: true))
        let cures = (explanation.reasons + explanation.notes).map(\.cure)
        #expect(cures.contains { $0.contains("test money") })
        #expect(!cures.contains { $0.contains("tenure license renew") })
    }

    @Test func `the explanation of a suspended license without an end suggests no renewal`() {
        #expect(explain(Given.license(.suspended, endsIn: nil)).notes.map(\.cure) == ["The reinstatement is enough."])
    }

    @Test(arguments: [License.State.revoked, .returned])
    func `the vendor's explanation of a revoked or returned license suggests issuing another one`(state: License.State)
        throws
    {
        let command = "tenure license issue --tenant acme --product notes --policy pro"
        #expect(try #require(explain(Given.license(state)).reasons.first).cure.contains(command))
        #expect(try #require(explain(Given.license(state), to: .holder).reasons.first).cure.contains("tenure") == false)
    }

    @Test(arguments: [false, true])
    func `an operator's stated reason for an action is stored, and the holder sees it only if it is shared`(
        isTold: Bool
    ) throws {
        let reason = StatedReason("chargeback", isTold: isTold)
        let revoked = Given.license().revoke(because: reason, by: Given.operatorAda, at: Given.now).outcome
        let license = try #require(revoked?.license)
        let events = try #require(revoked?.events)
        #expect(explain(license, events: events).statedActs.map(\.reason) == [reason])
        #expect(explain(license, to: .holder, events: events).statedActs.map(\.reason) == (isTold ? [reason] : []))
    }

    /// The operator's stated reason, and the reason in the refusal; `nil` for none.
    @Test(
        arguments: [
            (nil, nil), (StatedReason("known for fraud"), nil),
            (StatedReason("card <declined>", isTold: true), "card <declined>"),
            (StatedReason("a\u{1B}[31m\nb", isTold: true), "a[31mb"),
            (StatedReason(String(repeating: "é", count: 300), isTold: true), String(repeating: "é", count: 256)),
        ] as [(StatedReason?, String?)])
    func `a refusal contains an operator's stated reason only if it was shared with the holder`(
        given: StatedReason?, carried: String?
    ) throws {
        let suspended = try #require(
            Given.license(endsIn: -10).suspend(because: given, by: Given.operatorAda, at: Given.now).outcome)
        let license = try #require(suspended.license)
        guard case .refused(let refusal, _) = license.validate(Given.activation(), under: Given.policy(), at: Given.now)
        else { return #expect(Bool(false), "the license is suspended") }
        #expect(refusal.mayBeTold)
        let result = refusal.telling(suspended.events, to: Given.activation().id)
        #expect(result.first.evidence == (carried.map { [.init("vendorReason", .text($0))] } ?? []))
        #expect(result.first.code.facts.faults(in: result.first.evidence).isEmpty)
        #expect(result.others == refusal.others, "the end of the term isn't an operator's act")
        let before = try #require(
            Given.license().suspend(
                because: .init("before", isTold: true), by: Given.operatorAda, at: Given.now.adding(days: -1)
            ).outcome)
        #expect(refusal.telling(suspended.events + before.events, to: nil) == result, "the newest stop counts")
    }

    @Test func `a refusal contains the stated reason for this device's release, not for another device's`() throws {
        let license = Given.license()
        let released = license.deactivate(
            Given.activation(), because: .init("sold", isTold: true), by: Given.operatorAda, under: nil, at: Given.now)
        let activation = try #require(released.activation)
        guard case .refused(let refusal, _) = license.validate(activation, under: Given.policy(), at: Given.now)
        else { return #expect(Bool(false), "the device was released") }
        let fact = Reason.Evidence("vendorReason", .text("sold"))
        #expect(refusal.telling(released.events, to: activation.id).first.evidence.contains(fact))
        #expect(!refusal.telling(released.events, to: Given.activation(2).id).first.evidence.contains(fact))
        let earlier = released.events.map { event in
            Event(
                event.kind, at: event.at.adding(days: -1), actor: event.actor, about: event.subject, facts: event.facts)
        }
        #expect(!refusal.telling(earlier, to: activation.id).first.evidence.contains(fact), "of an earlier release")
    }

    @Test(arguments: [true, false])
    func `a stated reason can be added or replaced after a suspension or revocation`(isRevoked: Bool) throws {
        func stop(_ license: License, _ reason: StatedReason?, _ events: [Event], on day: Int) throws -> Consequences {
            let (ada, now) = (Given.operatorAda, Given.now.adding(days: day))
            let decision =
                isRevoked
                ? license.revoke(because: reason, after: events, by: ada, at: now)
                : license.suspend(because: reason, after: events, by: ada, at: now)
            return try #require(decision.outcome)
        }
        let first = try stop(Given.license(), nil, [], on: 0)
        let license = try #require(first.license)
        #expect(explain(license, events: first.events).statedActs.isEmpty)

        let later = try stop(license, StatedReason("unpaid", isTold: true), first.events, on: 1)
        #expect(later.license == nil && later.events.map(\.kind) == [.licenseReasonChanged])
        var events = later.events + first.events
        let act = try #require(explain(license, to: .holder, events: events).statedActs.first)
        #expect(act.reason.text == "unpaid" && act.at == Given.now, "the time is that of the stop")
        #expect(act.kind == (isRevoked ? .licenseRevoked : .licenseSuspended))
        let refusal = Refusal(isRevoked ? .licenseRevoked : .licenseSuspended)
        #expect(refusal.telling(events, to: nil).first.evidence == [.init("vendorReason", .text("unpaid"))])

        #expect(try stop(license, StatedReason("unpaid", isTold: true), events, on: 2).isEmpty)
        #expect(try stop(license, nil, events, on: 2).isEmpty)
        events = try stop(license, StatedReason("unpaid"), events, on: 2).events + events
        #expect(explain(license, events: events).statedActs.map(\.reason) == [StatedReason("unpaid")])
        #expect(explain(license, to: .holder, events: events).statedActs.isEmpty, "the holder may no longer read it")
        #expect(refusal.telling(events, to: nil) == refusal)

        let again = Event(first.events[0].kind, at: Given.now.adding(days: 3), actor: .time, about: license.subject)
        #expect(explain(license, events: [again] + events).statedActs.isEmpty, "of an earlier stop")
    }

    @Test func `an explanation omits the stated reason for a suspension that has ended or been replaced`() throws {
        let suspended = try #require(
            Given.license().suspend(because: .init("unpaid"), by: .time, at: Given.now).outcome)
        let license = try #require(suspended.license)
        #expect(explain(license, events: suspended.events).statedActs.count == 1)
        let reinstated = try #require(license.reinstate(by: .time, at: Given.now).outcome?.license)
        #expect(explain(reinstated, events: suspended.events).statedActs.isEmpty)
        let again = Event(.licenseSuspended, at: Given.now, actor: .time, about: license.subject)
        #expect(explain(license, events: [again] + suspended.events).statedActs.isEmpty)
        #expect(explain(license, events: [again]).statedActs.isEmpty)
    }

    @Test
    func `an explanation has the stated reason for a release, with the device's name, until the release is undone`()
        throws
    {
        let license = Given.license()
        let released = license.deactivate(
            Given.activation(), because: .init("stolen", isTold: true), by: Given.operatorAda, under: nil,
            at: Given.now)
        let activation = try #require(released.activation)
        let acts = explain(license, to: .holder, [activation], events: released.events).statedActs
        #expect(acts.map(\.device) == ["Mac"])
        #expect(acts.map(\.reason.text) == ["stolen"])
        #expect(explain(license, [Given.activation()], events: released.events).statedActs.isEmpty)
    }

    @Test func `the event of a release by the device itself has no facts`() {
        let license = Given.license()
        let released = license.deactivate(Given.activation(), by: .device, under: nil, at: Given.now)
        #expect(released.events.first?.facts == [])
    }
}
