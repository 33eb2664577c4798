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
    /// A device that is known, and a product without a trial, are answered without a change. Only a device that is new
    /// counts against the limit. Throws ``ServerError``: after a transient one the same call may be made again.
    /// - Parameter snapshot: The catalog that the request was let in under.
    public func callAsFunction(
        _ device: Digest, of product: ProductRef, claimed: Timestamp?, under snapshot: CatalogSnapshot
    ) async throws(ServerError) -> Outcome {
        let now = clock.now()
        let name = TrialName(product: product, device: device)
        let known = try await asking { () async throws(StoreError) in try await catalog.store.trial(name) }
        guard let offered = snapshot.catalog[product] else { throw .catalogBusy }
        let answer = offered.startTrial(on: device, known: known, claimed: claimed, at: now)
        guard let wanted = answer.outcome, wanted.isNew else { return Self.outcome(answer) }
        if case .refused(let seconds) = limit.admit(device, of: product, at: now) { return .later(seconds) }
        return Self.outcome(try await start(name, claimed: claimed, at: now))
    }

    private func start(
        _ name: TrialName, claimed: Timestamp?, at now: Timestamp
    ) async throws(ServerError) -> Decision<TrialAnswer> {
        try await catalog.perform(loading: LoadKeys(trial: name)) {
            (loaded, snapshot) throws(ServerError) -> Saving<Decision<TrialAnswer>> in
            guard let offered = snapshot.catalog[name.product] else { throw .catalogBusy }
            let decision = offered.startTrial(on: name.device, known: loaded.trial, claimed: claimed, at: now)
            guard let answer = decision.outcome, answer.isNew else { return Saving(decision) }
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
