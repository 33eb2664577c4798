package import TenureCore
import TenureCrypto
import TenureFormats
package import TenureServerKit
import TenureStore

/// Returns the path of a tenant's Kollus callback and rotates its secret.
package struct CallbackPath: Sendable {
    let context: ContentContext

    package init(_ context: ContentContext) { self.context = context }

    /// How long a secret works after it was replaced, in days.
    package static let overlapDays = 7

    /// Returns the path, creating a secret if there isn't one; `nil` if the tenant has no Kollus settings.
    ///
    /// Throws ``ServerError``.
    ///
    /// - Parameter rotates: Whether to replace the secret.
    package func callAsFunction(_ tenant: TenantID, rotates: Bool) async throws(ServerError) -> String? {
        let now = context.clock.now()
        let base = "/content/\(tenant)/kollus/drm"
        guard let kollus = try await context.catalog.refreshIfChanged().targets(of: tenant).kollus else { return nil }
        if kollus.callbackAuth == .none, !rotates { return base }
        let text = Base64.encodeURL(SecureRandom.bytes(24))
        let sealed = try context.catalog.master.seal(Array(text.utf8), of: tenant, for: CallbackTokenRow.purpose)
        let plan = Self.plan
        let newest = try await context.catalog.perform(plan.bind(tenant)) { results, queries, _ in
            let known = results[queries.tokens]
            if let newest = known.last, !rotates { return TransactionResult(newest) }
            let token = CallbackTokenRow(tenant: tenant, number: (known.last?.number ?? 0) + 1, sealed: sealed)
            var saves: [RowWrite] = [.insert(token)]
            for old in known {
                if let end = old.endsAt, end <= now {
                    saves.append(.remove(old))
                } else if old.endsAt == nil {
                    var ending = old
                    ending.endsAt = now.adding(days: Self.overlapDays)
                    saves.append(.replace(old, by: ending))
                }
            }
            return TransactionResult(token, saves + queries.marks.raised(for: [tenant], in: results))
        }
        let token = try context.catalog.master.open(newest.sealed, of: tenant, for: CallbackTokenRow.purpose)
        return "\(base)/\(String(decoding: token, as: UTF8.self))"
    }

    private static let plan = CatalogQueryPlan(isAlone: true, for: TenantID.self) { query in
        (
            tokens: query.rows(CallbackTokenRow.ofTenant, upTo: 10_000) { [.of($0)] },
            marks: query.part(TenantMarks.init) { [$0] }
        )
    }
}
