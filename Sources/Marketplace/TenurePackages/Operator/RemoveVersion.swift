import TenureCore
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

extension FeatureContext {
    /// Removes a version of an app with the keys of its assets, so that devices no longer find it; `false` if it
    /// doesn't exist.
    ///
    /// Existing licenses stay, but aren't renewed until the app is updated.
    func removeVersion(
        _ item: AppleItemID, _ version: AppleVersionID, of tenant: TenantID
    ) async throws(ServerError) -> Bool {
        let plan = versionPlan
        let change = Transaction(plan.bind(.init(tenant: tenant, item: item, version: version))) {
            results -> TransactionResult<Bool> in
            guard let row = results[plan.queries.version] else { return TransactionResult(false) }
            let saves = results[plan.queries.assets].map { RowWrite.remove($0) } + [.remove(row)]
            return TransactionResult(true, saves + plan.queries.marks.raised(for: [tenant], in: results))
        }
        return try await store.perform(change)
    }
}

private struct VersionQueries: Sendable {
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

private let versionPlan = QueryPlan(isAlone: true, VersionQueries.init)
