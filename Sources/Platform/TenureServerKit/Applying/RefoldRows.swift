import TenureCommandLine
package import TenureStore

/// Rewrites the case-folded search texts that an earlier version of Tenure stored, so that look-ups find their rows.
///
/// A new version of Unicode may fold a text differently.
package struct RefoldRows: Sendable {
    private let store: any Store
    private let schema: StoreSchema

    package init(_ store: any Store, of schema: StoreSchema) { (self.store, self.schema) = (store, schema) }

    /// Reads every row with a case-folded text, and rewrites the outdated ones unless it's a dry run.
    ///
    /// Returns a change for each table with such rows. Throws `StoreError`.
    package func refold(isDry: Bool) async throws(StoreError) -> [PlannedChange] {
        var changes: [PlannedChange] = []
        for table in schema.kept where table.shape.folds != 0 {
            var count = 0
            var last: StoredRow?
            repeat {
                let page = try await store.page(of: table.shape, after: last, limit: Self.pageSize)
                let stale = page.filter(\.hasStaleFold)
                count += stale.count
                if !isDry {
                    _ = try await store.performTogether(stale.map { table.refold(table.shape.keyValues(of: $0)) })
                }
                last = page.count == Self.pageSize ? page.last : nil
            } while last != nil
            if count > 0 {
                changes.append(
                    PlannedChange(.update, "table", table.shape.name, "\(count.of("row")) folded again for look-ups"))
            }
        }
        return changes
    }

    private static let pageSize = 1_000
}
