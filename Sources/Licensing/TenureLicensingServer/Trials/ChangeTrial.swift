import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension LicensingContext {
    /// Gives a device's trial more days, for the operator; durable before this returns.
    ///
    /// Each call adds the days again. Refused if the product has no trial. Returns `nil` if none is recorded for the
    /// device. Throws ``ServerError``.
    func extendTrial(
        _ device: Digest, of product: ProductRef, by days: Int, actor: Actor
    ) async throws(ServerError) -> Decision<Trial>? {
        try await changeTrial(device, of: product) { $0.extendTrial($1, by: days, actor: actor, at: $2) }
    }

    /// Lets a device have its trial again, for the operator; durable before this returns.
    ///
    /// Each call starts it again. Refused if the product has no trial. Returns `nil` if none is recorded for the
    /// device. Throws ``ServerError``.
    func resetTrial(
        _ device: Digest, of product: ProductRef, because reason: StatedReason?, actor: Actor
    ) async throws(ServerError) -> Decision<Trial>? {
        try await changeTrial(device, of: product) { $0.resetTrial($1, because: reason, actor: actor, at: $2) }
    }

    private func changeTrial(
        _ device: Digest, of product: ProductRef,
        _ decide: @escaping @Sendable (Product, Trial, Timestamp) -> Decision<Trial.Answer>
    ) async throws(ServerError) -> Decision<Trial>? {
        let now = clock.now()
        let bound = Self.plan.bind(TrialName(product: product, device: device))
        return try await catalog.perform(bound) {
            (results, trial, snapshot) -> TransactionResult<Decision<Trial>?> in
            guard let offered = snapshot.catalog[product], let known = results[trial] else {
                return TransactionResult(nil)
            }
            switch decide(offered, known, now) {
            case .refused(let refusal): return TransactionResult(.refused(refusal))
            case .granted(let answer):
                return TransactionResult(
                    .granted(answer.trial),
                    [.put(answer.trial, over: known)] + answer.events.map(RowWrite.event))
            }
        }
    }

    private static let plan = CatalogQueryPlan(for: TrialName.self) { query in
        query.hold(Trial.turn) { [.of($0.device)] }
        return query.row(Trial.table.key) { [.of($0.product.tenant), .of($0.product.product), .of($0.device)] }
    }
}
