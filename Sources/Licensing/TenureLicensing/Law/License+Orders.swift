package import TenureCore

/// What an order does to its licenses, beyond what an operator can do.
extension License {
    /// Suspends the license, because its order's payment was refunded or is disputed; refused if it has been revoked or
    /// returned.
    ///
    /// A suspension by somebody else stays, and this one is recorded as well: the newest suspension tells who may lift it.
    ///
    /// - Parameter cause: `refund` or `dispute`.
    package func suspend(forOrder cause: String, by actor: Actor, at now: Timestamp) -> Decision<Consequences> {
        stop(as: .suspended, recordedAs: .licenseSuspended, cause, by: actor, at: now)
    }

    /// Revokes the license for good, because its order's payment was refunded; refused if it has been returned.
    package func revoke(forOrder cause: String, by actor: Actor, at now: Timestamp) -> Decision<Consequences> {
        recordedState == .revoked
            ? .granted(.none) : stop(as: .revoked, recordedAs: .licenseRevoked, cause, by: actor, at: now)
    }

    private func stop(
        as state: License.State, recordedAs kind: EventKind, _ cause: String, by actor: Actor, at now: Timestamp
    ) -> Decision<Consequences> {
        if let refusal = Self.chart.end(in: recordedState) { return .refused(refusal) }
        var license = self
        license.recordedState = state
        return .granted(
            recording(
                kind, license, by: actor, at: now,
                [
                    .init("previousState", .text(self.state(at: now).rawValue)),
                    .init(EventKind.causeFact, .text(cause)),
                ]))
    }

    /// Whether the license's suspension is the actor's, according to its events, newest first.
    package func isSuspended(by actor: Actor, after events: [Event]) -> Bool {
        recordedState == .suspended && events.first { $0.kind == .licenseSuspended }?.actor == actor
    }
}

extension EventKind {
    /// The fact of a stop that names what happened to the order's payment: `refund` or `dispute`.
    package static let causeFact = "cause"
}
