public import TenureCore
import TenureLicensing
public import TenureServerKit
import TenureStore

extension LicensingContext {
    /// Undoes a release for the operator, for example if a holder released the wrong device.
    ///
    /// Activates the released device again; durable before this returns.
    ///
    /// The id is the activation's own or its public one. The decision says whether this call changed anything, or why
    /// it's refused. Returns `nil` if there's no such activation. Throws ``ServerError``; the call can be repeated
    /// after a transient one.
    public func restoreActivation(
        named id: ActivationID, by actor: Actor
    ) async throws(ServerError) -> Decision<Bool>? {
        if let decision = try await restore(id, by: actor) { return decision }
        return try await restore(catalog.secrets.names.meant(id), by: actor)
    }

    private func restore(
        _ activation: ActivationID, by actor: Actor
    ) async throws(ServerError) -> Decision<Bool>? {
        let now = clock.now()
        return try await catalog.perform(Self.plan.bind(activation)) {
            (results, queries, snapshot) -> TransactionResult<Decision<Bool>?> in
            guard let license = results[queries.record.license], let record = results[queries.record.activation] else {
                return TransactionResult(nil)
            }
            let activations = queries.activations.activations(in: results)
            switch license.restore(
                record, activations: activations, under: try snapshot.policy(of: license), by: actor, at: now)
            {
            case .refused(let refusal): return TransactionResult(.refused(refusal))
            case .granted(let consequences):
                return TransactionResult(
                    .granted(!consequences.isEmpty), [RowWrite](consequences, over: license, record))
            }
        }
    }

    private static let plan = CatalogQueryPlan(for: ActivationID.self) { query in
        let record = ActivationQueries(&query)
        return (record: record, activations: DeviceActivationQueries(beside: record.activation, &query))
    }
}
