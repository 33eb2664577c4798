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
        /// The license as it is now, and whether this call changed it.
        case done(AppLicense, changed: Bool)
        /// The licensing rules refuse the action.
        case refused(Refusal)
    }

    /// Decides and saves durably in one transaction; repeating the call changes nothing.
    ///
    /// Another tenant's license counts as unknown.
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
            results, license, _ in
            guard let license = results[license], license.tenant == tenant else {
                return TransactionResult(.refused(Refusal(.appLicenseForeign)))
            }
            switch license.perform(act, by: actor, at: now) {
            case .refused(let refusal): return TransactionResult(.refused(refusal))
            case .granted(let consequences):
                return TransactionResult(
                    .done(consequences.licenses.first ?? license, changed: !consequences.isEmpty),
                    [RowWrite](consequences, over: [license]))
            }
        }
    }

    private static let plan = IdempotentQueryPlan(for: LicenseID.self) { query in
        query.hold(AppLicense.turnOfOwner) { [.of($0)] }
        return query.row(AppLicense.table.key) { [.of($0)] }
    }
}
