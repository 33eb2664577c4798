import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

/// The result of an operator's action on an app license.
enum AppLicenseActOutcome: Sendable {
    /// The changed license, and the number of changed licenses: this license and the device's other licenses of the
    /// app.
    case done(AppLicense, changed: Int)
    /// The licensing rules refuse the action.
    case refused(Refusal)
}

extension MarketplaceContext {
    /// Performs an operator's action on an app license.
    ///
    /// Decides and saves durably in one transaction; repeating the call changes nothing. The action also applies to the
    /// device's other licenses of the same app and account. Another tenant's license counts as unknown.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func perform(
        _ act: AppLicense.Act, on id: LicenseID, of tenant: TenantID, by actor: Actor
    ) async throws(ServerError) -> AppLicenseActOutcome {
        let now = clock.now()
        return try await catalog.perform(Self.plan.bind(id)) { results, queries, _ in
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

    private static let plan = CatalogQueryPlan(for: LicenseID.self) { query in
        query.hold(AppLicense.turnOfOwner) { [.of($0)] }
        return query.licensesOfDevice { $0 }
    }
}
