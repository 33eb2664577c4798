import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

/// The result of holding back or offering versions.
enum HoldOutcome: Sendable, Hashable {
    /// The versions that changed; empty if all were already in the requested state.
    case changed([AppleVersionID])
    /// The tenant doesn't list the app.
    case appUnknown
    /// The app has no such version.
    case versionUnknown
}

extension FeatureContext {
    /// Holds back or offers one version, or all versions if `version` is `nil`; licenses don't change.
    ///
    /// Servers notice the change at their next request.
    func holdVersions(
        _ item: AppleItemID, _ version: AppleVersionID?, of tenant: TenantID, isHeld: Bool
    ) async throws(ServerError) -> HoldOutcome {
        let plan = AppWithVersions.plan
        let change = Transaction(
            plan.bind(.init(tenant: tenant, item: item))
        ) { results -> TransactionResult<HoldOutcome> in
            guard results[plan.queries.app] != nil else { return TransactionResult(.appUnknown) }
            let all = results[plan.queries.versions]
            let named = all.filter { version == nil || $0.version.id == version }
            if let version, named.isEmpty, all.allSatisfy({ $0.version.id != version }) {
                return TransactionResult(.versionUnknown)
            }
            let others = named.filter { $0.version.isHeld != isHeld }
            let saves = others.map { row in
                var updated = row
                updated.version.isHeld = isHeld
                return RowWrite.replace(row, by: updated)
            }
            return TransactionResult(
                .changed(others.map(\.version.id).sorted()),
                saves.isEmpty ? [] : saves + plan.queries.marks.raised(for: [tenant], in: results))
        }
        return try await store.perform(change)
    }
}

/// Reads an app with all its versions in a catalog transaction.
struct AppWithVersions: Sendable {
    let marks: TenantMarks
    let app: RowQuery<AppRow>
    let versions: RowsQuery<VersionRow>

    struct Parameters: Sendable {
        let tenant: TenantID
        let item: AppleItemID
    }

    private init(_ query: inout QueryBuilder<Parameters>) {
        marks = query.part(TenantMarks.init) { [$0.tenant] }
        app = query.row(AppRow.table.key) { [.of($0.tenant), .of($0.item)] }
        versions = query.rows(VersionRow.ofApp, upTo: .everything) { [.of($0.tenant), .of($0.item)] }
    }

    static let plan = QueryPlan(isAlone: true, AppWithVersions.init)
}
