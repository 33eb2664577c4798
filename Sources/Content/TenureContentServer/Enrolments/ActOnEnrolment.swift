package import TenureContent
package import TenureCore
package import TenureServerKit
import TenureStore

/// An operator's action on an enrolment.
package enum EnrolmentAct: Sendable {
    /// Stops new licenses and renewals; devices keep their licenses.
    case pause
    /// Ends a pause, so that licenses can be issued and renewed again.
    case resume
    /// Sets a later end; devices learn of it with their next renewal.
    case extend(Enrolment.Extension)
    /// Ends the enrolment for good, with this effect on its licenses.
    case end(Enrolment.EndedLicenses)
    /// Sets the enrolment's end to an earlier time, or sets an end if it has none; devices learn of it with their next
    /// renewal.
    case endAt(Timestamp)

    /// Whether the result contains how long devices can still play, which depends on the enrolment's licenses.
    var tellsPlayable: Bool {
        switch self {
        case .pause, .resume, .extend: false
        case .end, .endAt: true
        }
    }

    /// The result of an action on an enrolment.
    package enum Outcome: Sendable {
        /// The enrolment is in the requested state.
        ///
        /// `changed` says whether this call changed it. With an end, `playable` says how long devices can still play
        /// without a request.
        case done(CountedEnrolment, changed: Bool, playable: ContentGrant.PlayableReach)
        /// The action was refused, for example because the enrolment has ended.
        case refused(Refusal)
        /// The tenant has no such enrolment.
        case unknown
    }
}

extension ContentContext {
    /// Performs an operator's action on an enrolment in one transaction, which is durable before this returns.
    ///
    /// Repeating an action changes nothing, except that days are added each time. Throws ``ServerError``.
    package func perform(
        _ act: EnrolmentAct, on id: EnrolmentID, of tenant: TenantID, by actor: Actor
    ) async throws(ServerError) -> EnrolmentAct.Outcome {
        let once = try await performOnce(nil, act, on: id, of: tenant, by: actor, remembering: { _ in nil })
        guard case .done(let outcome) = once else { return .unknown }
        return outcome
    }

    /// Performs the action, or returns the stored response if the request was already performed.
    func performOnce(
        _ request: RepeatableRequest?, _ act: EnrolmentAct, on id: EnrolmentID, of tenant: TenantID, by actor: Actor,
        remembering: @escaping @Sendable (EnrolmentAct.Outcome) -> RepeatableAnswer?
    ) async throws(ServerError) -> IdempotentOutcome<EnrolmentAct.Outcome> {
        let now = clock.now()
        let bound = Self.enrolmentAct.bind(request, .init(enrolment: id, needsLicenses: act.tellsPlayable))
        return try await catalog.performOnce(request, at: now, bound, remembering: remembering) {
            results, queries, snapshot in
            guard let before = results[queries.enrolment], before.tenant == tenant else {
                return TransactionResult(.unknown)
            }
            let licenses = results[queries.licenses]
            var playable = ContentGrant.PlayableReach.nothing
            let decision: Decision<ContentLicense.Consequences>
            switch act {
            case .pause: decision = before.pause(by: actor, at: now)
            case .resume: decision = before.resume(by: actor, at: now)
            case .extend(let length): decision = before.extend(length, by: actor, at: now)
            case .end(let fate):
                let (consequences, reach) = before.end(fate, licenses, by: actor, at: now)
                (decision, playable) = (.granted(consequences), reach)
            case .endAt(let end):
                decision = before.end(at: end, by: actor, at: now)
                playable = before.playable(of: licenses, at: now)
            }
            switch decision {
            case .refused(let refusal): return TransactionResult(.refused(refusal))
            case .granted(let consequences):
                let counted = CountedEnrolment(
                    consequences.enrolment ?? before, devices: results[queries.devices],
                    snapshot.catalog.tenants[tenant]?.contents, at: now)
                let saves = [RowWrite](consequences, over: licenses, before)
                return TransactionResult(.done(counted, changed: !saves.isEmpty, playable: playable), saves)
            }
        }
    }

    private static let enrolmentAct = IdempotentQueryPlan(for: EnrolmentActParameters.self) { query in
        query.hold(QueryLock.holderOfEnrolment) { [.of($0.enrolment)] }
        let enrolment = query.row(Enrolment.table.key) { [.of($0.enrolment)] }
        return (
            enrolment: enrolment,
            devices: query.each(Enrolment.Device.ofEnrolment, upTo: .everything, .column("id", of: enrolment)),
            licenses: query.each(ContentLicense.ofEnrolment, upTo: .everything) {
                $0.needsLicenses ? [.of($0.enrolment)] : []
            }
        )
    }
}

private struct EnrolmentActParameters: Sendable {
    let enrolment: EnrolmentID
    let needsLicenses: Bool
}

extension [RowWrite] {
    /// Creates the row writes of a content decision, except those for devices and their replacements.
    init(_ consequences: ContentLicense.Consequences, over licenses: [ContentLicense], _ enrolment: Enrolment? = nil) {
        self = []
        if let after = consequences.enrolment { append(.put(after, over: enrolment)) }
        for after in consequences.licenses { append(.put(after, over: licenses.first { $0.id == after.id })) }
        for event in consequences.events { append(.event(event)) }
    }
}
