import TenureCore
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

/// Removes a version of an app with the keys of its assets, so that devices no longer find it.
struct RemoveVersion: Sendable {
    let store: any Store

    /// Removes a version; `false` if it doesn't exist.
    ///
    /// Existing licenses stay, but aren't renewed until the app is updated. Throws ``ServerError`` if the store fails.
    func callAsFunction(
        _ item: AppleItemID, _ version: AppleVersionID, of tenant: TenantID
    ) async throws(ServerError) -> Bool {
        let plan = Self.plan
        let change = Transaction(plan.bind(.init(tenant: tenant, item: item, version: version))) {
            results -> TransactionResult<Bool> in
            guard let row = results[plan.queries.version] else { return TransactionResult(false) }
            let saves = results[plan.queries.assets].map { RowWrite.remove($0) } + [.remove(row)]
            return TransactionResult(true, saves + plan.queries.marks.raised(for: [tenant], in: results))
        }
        return try await asking { try await store.perform(change) }
    }

    private struct Queries: Sendable {
        let marks: TenantMarks
        let version: RowQuery<VersionRow>
        let assets: RowsQuery<AppAsset>

        struct Parameters: Sendable {
            let tenant: TenantID
            let item: AppleItemID
            let version: AppleVersionID
        }

        init(_ query: inout QueryBuilder<Parameters>) {
            marks = query.part(TenantMarks.init) { [$0.tenant] }
            version = query.row(VersionRow.table.key) { [.of($0.tenant), .of($0.item), .of($0.version)] }
            assets = query.rows(AppAsset.ofVersion, upTo: .everything) {
                [.of($0.tenant), .of($0.item), .of($0.version)]
            }
        }
    }

    private static let plan = QueryPlan(isAlone: true, Queries.init)
}
