package import TenureCore
package import TenureServerKit
import TenureStore

/// What an operator may do to an enrolment.
package enum EnrolmentAct: Sendable {
    /// Stop new licenses and renewals; devices keep what they have.
    case pause
    /// End a pause.
    case resume
    /// Give it a later end.
    case extend(EnrolmentExtension)
    /// End it, finally.
    case end(EndedLicenses)
}

/// Carries out an operator's act on one enrolment.
package struct ActOnEnrolment: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock

    /// Decides under a catalog, by a clock.
    package init(catalog: CatalogCache, clock: any WallClock) {
        self.catalog = catalog
        self.clock = clock
    }

    /// What came of it.
    package enum Outcome: Sendable {
        /// It is so now; whether this call changed anything; after an end, how long devices may still play unasked.
        case done(CountedEnrolment, changed: Bool, playable: PlayableReach)
        /// The law refuses.
        case refused(Refusal)
        /// The tenant has no such enrolment.
        case unknown
    }

    /// Decides and saves in one transaction; durable before this returns. Acts that name a goal may be repeated and change
    /// nothing then; days are added each time. Throws ``ServerError``.
    package func callAsFunction(
        _ act: EnrolmentAct, on id: EnrolmentID, of tenant: TenantID, by actor: Actor
    ) async throws(ServerError) -> Outcome {
        let once = try await self.once(nil, act, on: id, of: tenant, by: actor, remembering: { _ in nil })
        guard case .done(let outcome) = once else { return .unknown }
        return outcome
    }

    /// The same for a request that may be sent again.
    func once(
        _ request: RepeatableRequest?, _ act: EnrolmentAct, on id: EnrolmentID, of tenant: TenantID, by actor: Actor,
        remembering: @escaping @Sendable (Outcome) -> [UInt8]?
    ) async throws(ServerError) -> Once<Outcome> {
        let now = clock.now()
        // Ending looks at every license of the enrolment; the others at none.
        let licensesOf: [StoredValue] = if case .end = act { [.of(id)] } else { [] }
        let asked = Self.form.asked(request, .of(id), lists: [[.of(id)], licensesOf])
        return try await catalog.performOnce(request, at: now, asked, remembering: remembering) {
            seen, looks, snapshot in
            guard let before = seen[looks.enrolment], before.tenant == tenant else { return Saving(.unknown) }
            let licenses = seen[looks.licenses]
            var playable = PlayableReach.nothing
            let decision: Decision<ContentConsequences>
            switch act {
            case .pause: decision = before.pause(by: actor, at: now)
            case .resume: decision = before.resume(by: actor, at: now)
            case .extend(let length): decision = before.extend(length, by: actor, at: now)
            case .end(let fate):
                let (consequences, reach) = before.end(fate, licenses, by: actor, at: now)
                (decision, playable) = (.granted(consequences), reach)
            }
            switch decision {
            case .refused(let refusal): return Saving(.refused(refusal))
            case .granted(let consequences):
                let counted = CountedEnrolment(
                    consequences.enrolment ?? before, places: seen[looks.places],
                    snapshot.catalog.tenants[tenant]?.contents, at: now)
                let saves = [Save](consequences, over: licenses, before)
                return Saving(.done(counted, changed: !saves.isEmpty, playable: playable), saves)
            }
        }
    }

    private static let form = RepeatableForm { ask in
        ask.hold(Guard.holderOfEnrolment)
        let enrolment = ask.row(Enrolment.table.key)
        return (
            enrolment: enrolment,
            places: ask.each(EnrolmentPlace.ofEnrolment, upTo: Asking.everything, .column("id", of: enrolment)),
            licenses: ask.each(ContentLicense.ofEnrolment, upTo: Asking.everything)
        )
    }
}

extension [Save] {
    /// What a decision about contents comes to, over what it was decided on; its places and takings aside.
    init(_ consequences: ContentConsequences, over licenses: [ContentLicense], _ enrolment: Enrolment? = nil) {
        self = []
        if let after = consequences.enrolment { append(.put(after, over: enrolment)) }
        self += consequences.licenses.map { after in .put(after, over: licenses.first { $0.id == after.id }) }
        self += consequences.events.map(Save.event)
    }
}
