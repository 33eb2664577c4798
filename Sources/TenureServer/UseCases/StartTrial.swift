public import TenureCore
import TenureStore

/// Tells a device when its trial began, and begins it where it has not.
public struct StartTrial: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock
    let limit: TrialLimit

    /// What the wish comes to.
    public enum Outcome: Sendable {
        /// This is when it began.
        case granted(Trial)
        /// The product has no trial.
        case refused(Refusal)
        /// Too many devices began one just now; seconds until the next may.
        case later(Int64)
    }

    /// Decides and saves in one transaction; the start is durable before this returns, and never changes.
    ///
    /// Only a device that is new counts against the limit. Throws ``ServerError``: after a transient one the same call
    /// may be made again.
    public func callAsFunction(
        _ device: Digest, of product: ProductRef, claimed: Timestamp?
    ) async throws(ServerError) -> Outcome {
        let known = try await decide(device, product, claimed, saving: false)
        guard case .granted(let answer) = known, answer.isNew else { return Self.outcome(known) }
        if case .refused(let seconds) = limit.admit(device, of: product, at: clock.now()) { return .later(seconds) }
        return Self.outcome(try await decide(device, product, claimed, saving: true))
    }

    private func decide(
        _ device: Digest, _ product: ProductRef, _ claimed: Timestamp?, saving: Bool
    ) async throws(ServerError) -> Decision<TrialAnswer> {
        let now = clock.now()
        let name = TrialName(product: product, device: device)
        return try await catalog.perform(loading: LoadKeys(trial: name)) {
            (loaded, snapshot) throws(ServerError) -> Saving<Decision<TrialAnswer>> in
            guard let offered = snapshot.catalog[product] else { throw .catalogBusy }
            let decision = offered.startTrial(on: device, known: loaded.trial, claimed: claimed, at: now)
            guard saving, let answer = decision.outcome, answer.isNew else { return Saving(decision) }
            return Saving(decision, [.trial(answer.trial)] + answer.events.map(Write.event))
        }
    }

    private static func outcome(_ decision: Decision<TrialAnswer>) -> Outcome {
        switch decision {
        case .granted(let answer): .granted(answer.trial)
        case .refused(let refusal): .refused(refusal)
        }
    }
}
