package import TenureCore

/// A stop of a license because its order's payment was refunded or is disputed.
package struct OrderStop: Sendable, Hashable {
    /// What happened to the payment; the texts are stored in events.
    package enum Cause: String, Sendable, Hashable, CaseIterable {
        /// The buyer got the money back, by a refund or a lost dispute.
        case refund
        case dispute
    }

    package let cause: Cause
    /// The order, as the actor of the events.
    package let actor: Actor

    package init(because cause: Cause, by actor: Actor) {
        self.cause = cause
        self.actor = actor
    }

    /// Suspends a license; refused if it has been revoked or returned.
    ///
    /// A suspension by another actor stays, and this one is recorded as well: the newest suspension determines who may
    /// lift it.
    package func suspend(_ license: License, at now: Timestamp) -> Decision<Consequences> {
        stop(license, as: .suspended, recordedAs: .licenseSuspended, at: now)
    }

    /// Revokes a license for good; refused if it has been returned.
    package func revoke(_ license: License, at now: Timestamp) -> Decision<Consequences> {
        license.recordedState == .revoked
            ? .granted(.none) : stop(license, as: .revoked, recordedAs: .licenseRevoked, at: now)
    }

    private func stop(
        _ license: License, as state: License.State, recordedAs kind: EventKind, at now: Timestamp
    ) -> Decision<Consequences> {
        if let refusal = License.chart.end(in: license.recordedState) { return .refused(refusal) }
        var stopped = license
        stopped.recordedState = state
        return .granted(
            license.recording(
                kind, stopped, by: actor, at: now,
                [
                    .init("previousState", .text(license.state(at: now).rawValue)),
                    .init(EventKind.causeFact, .text(cause.rawValue)),
                ]))
    }

    /// Records another actor's suspension of a license that an order has suspended already; `nil` if no order has.
    ///
    /// An order lifts its own suspension once the cause is gone. Without an event for the other actor's suspension, the
    /// order would lift that suspension, too.
    ///
    /// - Parameter events: The license's newest events, newest first.
    static func outlasting(
        _ license: License, because reason: StatedReason?, after events: [Event], by actor: Actor, at now: Timestamp
    ) -> Decision<Consequences>? {
        guard license.recordedState == .suspended, let stop = events.first(where: { $0.kind == .licenseSuspended }),
            Cause(stop.facts) != nil
        else { return nil }
        let previous = Reason.Evidence("previousState", .text(license.state(at: now).rawValue))
        return .granted(
            license.recording(.licenseSuspended, license, by: actor, at: now, [previous] + (reason?.facts ?? [])))
    }

    /// Whether the newest suspension of a license is in force and by this actor; `events` are the license's, newest
    /// first.
    package static func isNewest(of actor: Actor, on license: License, after events: [Event]) -> Bool {
        license.recordedState == .suspended && events.first { $0.kind == .licenseSuspended }?.actor == actor
    }
}

extension OrderStop.Cause {
    /// Reads the cause from the facts of an event or of a reason; `nil` if they name none.
    fileprivate init?(_ facts: [Reason.Evidence]) {
        guard case .text(let text)? = facts.first(where: { $0.name == EventKind.causeFact })?.value else { return nil }
        self.init(rawValue: text)
    }
}

extension Reason {
    /// What happened to the order's payment, if an order has stopped the license and the reason names it.
    package var stopCause: OrderStop.Cause? { OrderStop.Cause(evidence) }

    /// Adds to the reason what happened to the order's payment, if an order has stopped the license.
    ///
    /// - Parameter events: The license's events, newest first; at least those of ``StatedAct/kinds``.
    func namingCause(among events: [Event]) -> Reason {
        let (kind, start): (EventKind, String)
        var cure: String
        switch code {
        case .licenseSuspended: (kind, start, cure) = (.licenseSuspended, "The license is suspended", self.cure)
        case .licenseRevoked:
            (kind, start) = (.licenseRevoked, "The license has been revoked")
            cure = "A revoked license can't be restored, but the vendor can issue a new one."
        default: return self
        }
        let stop = events.first { $0.kind == kind }
        guard let cause = stop.flatMap({ OrderStop.Cause($0.facts) }) else { return self }
        let happened =
            switch cause {
            case .refund: "the payment was refunded"
            case .dispute: "the payment is disputed"
            }
        if code == .licenseSuspended, cause == .dispute {
            cure = "The suspension ends automatically if the dispute is won. \(cure)"
        }
        return Reason(
            code, message: "\(start), because \(happened).", cure: cure,
            evidence: evidence + [Evidence(EventKind.causeFact, .text(cause.rawValue))], changesAt: changesAt)
    }
}

extension EventKind {
    /// The name of the fact that says what happened to the order's payment: `refund` or `dispute`.
    static let causeFact = "cause"
}
