import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

/// The result of granting an app or ending a grant.
enum AppGrantOutcome: Sendable, Hashable {
    /// The current grant, and whether this call changed it.
    case done(AppGrant, changed: Bool)
    /// The marketplace doesn't list the app, or the app was never granted to the account.
    case refused(Refusal)
    case unknownAccount
}

extension MarketplaceContext {
    /// Grants an app, or changes the fields of an open grant; the change is durable when the call returns.
    ///
    /// An ended or expired grant is opened again. Repeating the call changes nothing, unless `again` is set.
    ///
    /// - Parameters:
    ///   - changes: The fields to set. An open grant keeps its other fields; a new or reopened grant never ends by
    ///     default.
    ///   - again: Whether devices whose license was revoked may request a new one from now on.
    /// - Throws: ``ServerError`` if the store fails.
    func grantApp(
        _ item: AppleItemID, to ref: AccountRef, _ changes: [AppGrant.FieldChange] = [], again: Bool = false,
        by actor: Actor
    ) async throws(ServerError) -> AppGrantOutcome {
        try await changeGrant(of: item, to: ref) { before, now in
            let edited = AppGrant.grant(item, to: ref, changes, over: before, by: actor, at: now)
            guard again, let grant = edited.grant ?? before else { return edited }
            return grant.again(by: actor, at: now)
        }
    }

    /// Ends a grant, so that its licenses are no longer issued or renewed.
    ///
    /// Repeating the call changes nothing. The call is refused if the app was never granted.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func endAppGrant(
        _ item: AppleItemID, of ref: AccountRef, by actor: Actor
    ) async throws(ServerError) -> AppGrantOutcome {
        try await changeGrant(of: item, to: ref) { before, now in before?.end(by: actor, at: now) ?? .none }
    }

    private func changeGrant(
        of item: AppleItemID, to ref: AccountRef,
        _ decide: @escaping @Sendable (AppGrant?, Timestamp) -> AppLicense.Consequences
    ) async throws(ServerError) -> AppGrantOutcome {
        let now = clock.now()
        let bound = Self.plan.bind(.init(account: ref, item: item))
        return try await catalog.perform(bound) { results, queries, snapshot in
            guard results[queries.account]?.isOpen == true else { return TransactionResult(.unknownAccount) }
            let before = results[queries.grant]
            let isListed = snapshot.catalog.tenants[ref.tenant]?.marketplace?.apps[item] != nil
            guard isListed || before != nil else { return TransactionResult(.refused(Refusal(.appUnknown(item)))) }
            let consequences = decide(before, now)
            guard let grant = consequences.grant ?? before else {
                return TransactionResult(.refused(Refusal(.appNotGranted(item))))
            }
            return TransactionResult(
                .done(grant, changed: !consequences.isEmpty), [RowWrite](consequences, over: [], before))
        }
    }

    private struct GrantParameters: Sendable {
        let account: AccountRef
        let item: AppleItemID
    }

    private static let plan = CatalogQueryPlan(for: GrantParameters.self) { query in
        query.hold(AppLicense.turnOfAccount) { [.of($0.account.tenant), .of($0.account.account)] }
        return (
            account: query.row(Account.table.key) { [.of($0.account.tenant), .of($0.account.account)] },
            grant: query.row(AppGrant.table.key) {
                [.of($0.account.tenant), .of($0.account.account), .of($0.item)]
            }
        )
    }
}
