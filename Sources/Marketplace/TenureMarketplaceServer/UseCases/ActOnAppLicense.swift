public import TenureCore
public import TenureMarketplace
public import TenureServerKit
import TenureStore

/// Performs an operator's action on an app license.
public struct ActOnAppLicense: Sendable {
    let context: MarketplaceContext

    /// Creates the use case.
    public init(_ context: MarketplaceContext) { self.context = context }

    /// The result of an action.
    public enum Outcome: Sendable {
        /// The license as it is now, and how many licenses this call changed: it and the device's others of the app.
        case done(AppLicense, changed: Int)
        /// The licensing rules refuse the action.
        case refused(Refusal)
    }

    /// Decides and saves durably in one transaction; repeating the call changes nothing.
    ///
    /// The action also reaches the device's other licenses of the same app and account. Another tenant's license counts as unknown.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    public func callAsFunction(
        _ act: AppLicense.Act, on license: LicenseID, of tenant: TenantID, by actor: Actor
    ) async throws(ServerError) -> Outcome {
        let once = try await self.once(nil, act, on: license, of: tenant, by: actor, remembering: { _ in nil })
        guard case .done(let outcome) = once else { return .refused(Refusal(.appLicenseForeign)) }
        return outcome
    }

    /// Performs the action for a request that the client may repeat with an idempotency key.
    func once(
        _ request: RepeatableRequest?, _ act: AppLicense.Act, on id: LicenseID, of tenant: TenantID, by actor: Actor,
        remembering: @escaping @Sendable (Outcome) -> RepeatableAnswer?
    ) async throws(ServerError) -> IdempotentOutcome<Outcome> {
        let now = context.clock.now()
        let bound = Self.plan.bind(request, id)
        return try await context.catalog.performOnce(request, at: now, bound, remembering: remembering) {
            results, queries, _ in
            guard let license = results[queries.license], license.tenant == tenant else {
                return TransactionResult(.refused(Refusal(.appLicenseForeign)))
            }
            let others = queries.licenses(in: results)
            switch license.perform(act, with: others, by: actor, at: now) {
            case .refused(let refusal): return TransactionResult(.refused(refusal))
            case .granted(let consequences):
                return TransactionResult(
                    .done(
                        consequences.licenses.first { $0.id == license.id } ?? license,
                        changed: consequences.licenses.count),
                    [RowWrite](consequences, over: others))
            }
        }
    }

    private static let plan = IdempotentQueryPlan(for: LicenseID.self) { query in
        query.hold(AppLicense.turnOfOwner) { [.of($0)] }
        return query.licensesOfDevice { $0 }
    }
}
