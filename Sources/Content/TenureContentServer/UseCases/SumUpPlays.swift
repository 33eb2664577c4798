import TenureContent
import TenureCore
import TenureServerKit
import TenureStore

extension RetentionRule {
    /// Plays are removed a year after their start.
    ///
    /// The license has counted their use, and recognizes a repeated report by its sequence.
    static let plays = RetentionRule { store, now throws(StoreError) in
        let limit = now.adding(days: -keptDays)
        let page = try await store.list(
            Listing(ReportedPlay.byStart, where: [[Comparison("started_at", .below(.of(limit)))]], limit: batch))
        if page.isEmpty { return false }
        let queries = plan.queries
        return try await store.perform(
            Transaction(plan.bind(page.map(\.report))) { results in
                let over = results[queries.plays].filter { $0.report.startedAt < limit }
                let ofLicenses = Dictionary(grouping: over.map(\.report), by: \.license)
                let summed = results[queries.licenses].compactMap { license -> RowWrite? in
                    guard let plays = ofLicenses[license.id] else { return nil }
                    let after = license.summing(plays)
                    return after == license ? nil : .replace(license, by: after)
                }
                return TransactionResult(!over.isEmpty && page.count == batch, summed + over.map(RowWrite.remove))
            })
    }

    private static let plan = QueryPlan(for: [SessionReport].self) { query in
        (
            plays: query.each(ReportedPlay.table.key) { $0.flatMap { [.of($0.license), .of($0.session)] } },
            licenses: query.each(ContentLicense.table.key) { Set($0.map(\.license)).sorted().map(StoredValue.of) }
        )
    }

    private static let keptDays = 366
    private static let batch = 1_000
}
