import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

/// An operator's change of a device's trial.
enum TrialAct: Sendable {
    /// Adds days; repeating the act adds them again.
    case extend(days: Int)
    /// Starts the trial again, for the reason that the operator gave, if any; repeating the act does so again.
    case reset(because: StatedReason?)

    fileprivate func decide(
        _ product: Product, _ trial: Trial, by actor: Actor, at now: Timestamp
    ) -> Decision<Trial.Answer> {
        switch self {
        case .extend(let days): product.extendTrial(trial, by: days, actor: actor, at: now)
        case .reset(let reason): product.resetTrial(trial, because: reason, actor: actor, at: now)
        }
    }
}

extension LicensingContext {
    /// Changes a device's trial, for the operator; durable before this returns.
    ///
    /// Refused if the product has no trial. Returns `nil` if none is recorded for the device. Throws ``ServerError``.
    func changeTrial(
        _ trial: TrialName, _ act: TrialAct, by actor: Actor
    ) async throws(ServerError) -> Decision<Trial>? {
        let once = try await changeTrialOnce(nil, trial, act, by: actor, remembering: { _ in nil })
        guard case .done(let decision) = once else { return nil }
        return decision
    }

    /// Changes a device's trial with an idempotency record.
    func changeTrialOnce(
        _ request: RepeatableRequest?, _ name: TrialName, _ act: TrialAct, by actor: Actor,
        remembering: @escaping @Sendable (Decision<Trial>?) -> RepeatableAnswer?
    ) async throws(ServerError) -> IdempotentOutcome<Decision<Trial>?> {
        let now = clock.now()
        let bound = Self.plan.bind(request, name)
        return try await catalog.performOnce(request, at: now, bound, remembering: remembering) {
            (results, rows, snapshot) -> TransactionResult<Decision<Trial>?> in
            guard let offered = snapshot.catalog[name.product], let existing = results[rows.trial] else {
                return TransactionResult(nil)
            }
            switch act.decide(offered, existing, by: actor, at: now) {
            case .refused(let refusal): return TransactionResult(.refused(refusal))
            case .granted(let answer):
                let device = results[rows.device].map { stored in
                    RowWrite.replace(stored, by: stored.retained(for: answer.trial, under: offered))
                }
                return TransactionResult(
                    .granted(answer.trial),
                    [.put(answer.trial, over: existing)] + (device.map { [$0] } ?? [])
                        + answer.events.map(RowWrite.event))
            }
        }
    }

    private static let plan = IdempotentQueryPlan(for: TrialName.self) { query in TrialRows(&query) }
}
