import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension LicensingContext {
    /// Stops counting a license's released devices against its limit of different devices; durable before this returns.
    ///
    /// The decision contains the number of released devices that were counted until now, or the refusal. Repeating it
    /// changes nothing. Returns `nil` if there's no such license. Throws ``ServerError``; the call can be repeated
    /// after a transient one.
    ///
    /// - Parameter tenant: The tenant whose license it must be; `nil` for any.
    func forgiveDevices(
        of license: LicenseID, ofTenant tenant: TenantID?, by actor: Actor
    ) async throws(ServerError) -> Decision<Int>? {
        var devices = 0
        while true {
            let step = try await forgive(license, ofTenant: tenant, by: actor)
            switch step {
            case .unknown: return nil
            case .refused(let refusal): return .refused(refusal)
            case .forgiven(let count, let isRest):
                devices += count
                if isRest { return .granted(devices) }
            }
        }
    }

    /// The result of one transaction.
    private enum ForgivenStep: Sendable {
        case unknown
        case refused(Refusal)
        /// How many released devices were counted until now, and whether all activations have been changed.
        case forgiven(Int, isRest: Bool)
    }

    private func forgive(
        _ license: LicenseID, ofTenant tenant: TenantID?, by actor: Actor
    ) async throws(ServerError) -> ForgivenStep {
        let now = clock.now()
        return try await catalog.perform(Self.plan.bind(license)) {
            (results, queries, _) -> TransactionResult<ForgivenStep> in
            guard let license = results[queries.license], tenant == nil || license.product.tenant == tenant else {
                return TransactionResult(.unknown)
            }
            let released = results[queries.released]
            let isRest = released.count < Self.mostAtOnce
            switch Activation.forgive(released, isRest: isRest, of: license, by: actor, at: now) {
            case .refused(let refusal): return TransactionResult(.refused(refusal))
            case .granted(let forgiven):
                let activations = zip(forgiven.activations, released).map { RowWrite.put($0, over: $1) }
                return TransactionResult(
                    .forgiven(forgiven.devices, isRest: isRest),
                    activations + [RowWrite](forgiven.consequences, over: license))
            }
        }
    }

    /// The most activations that one transaction changes; a license can have thousands.
    private static let mostAtOnce = 500

    private static let plan = CatalogQueryPlan(for: LicenseID.self) { query in
        let license = query.row(License.table.key) { [.of($0)] }
        return (
            license: license,
            released: query.rows(Activation.counted, upTo: mostAtOnce, .column("id", of: license))
        )
    }
}
