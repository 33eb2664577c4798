import TenureContent
import TenureCore
import TenureServerKit
import TenureStore

extension ContentLicense.Act {
    /// The result of an operator's action on a content license.
    enum Outcome: Sendable {
        /// The license is in the requested state; `changed` says whether this call changed it.
        case done(ContentLicense, changed: Bool)
        /// The action was refused, because the license has been revoked or returned.
        case refused(Refusal)
        /// The tenant has no such license.
        case unknown
    }
}

extension ContentContext {
    /// Performs an operator's action on a content license in one transaction, which is durable before this returns.
    ///
    /// Repeating an action changes nothing. Throws ``ServerError``.
    ///
    /// - Parameter reason: The operator's reason, recorded in the event.
    func perform(
        _ act: ContentLicense.Act, on id: ContentLicenseID, of tenant: TenantID, why reason: String? = nil,
        by actor: Actor
    ) async throws(ServerError) -> ContentLicense.Act.Outcome {
        let now = clock.now()
        let plan = Self.licenseAct
        return try await store.perform(
            Transaction(plan.bind(id)) { results -> TransactionResult<ContentLicense.Act.Outcome> in
                guard let license = results[plan.queries], license.present.tenant == tenant else {
                    return TransactionResult(.unknown)
                }
                switch license.perform(act, why: reason, by: actor, at: now) {
                case .refused(let refusal): return TransactionResult(.refused(refusal))
                case .granted(let consequences):
                    let saves = [RowWrite](consequences, over: [license])
                    return TransactionResult(
                        .done(consequences.licenses.first ?? license, changed: !saves.isEmpty), saves)
                }
            })
    }

    private static let licenseAct = QueryPlan(for: ContentLicenseID.self) { query in
        query.hold(QueryLock.holderOfLicense) { [.of($0)] }
        return query.row(ContentLicense.table.key) { [.of($0)] }
    }
}
