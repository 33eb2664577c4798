package import TenureCore
import TenureCrypto
import TenureFormats
package import TenureServerKit
import TenureStore

/// Returns the path of a tenant's Kollus callback and rotates its secret.
package struct CallbackPath: Sendable {
    let context: ContentContext

    package init(_ context: ContentContext) { self.context = context }

    /// Whether a text has the form of a secret, so that it may have been one.
    static func isWellFormed(_ secret: String) -> Bool { Base64.decodeURL(secret)?.count == secretLength }

    /// The length of a secret in bytes.
    private static let secretLength = 24

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
        let text = Base64.encodeURL(SecureRandom.bytes(Self.secretLength))
        let newest = try await context.catalog.encrypting { master throws(ServerError) in
            try await newestToken(text, of: tenant, rotates: rotates, under: master, at: now)
        }
        let token = try await context.catalog.decrypting { master throws(ServerError) in
            try master.open(newest.sealed, of: tenant, for: CallbackTokenRow.purpose)
        }
        return "\(base)/\(String(decoding: token, as: UTF8.self))"
    }

    /// Returns the newest secret. If the tenant has no secret, or if it is replaced, that is a new one with this text.
    private func newestToken(
        _ text: String, of tenant: TenantID, rotates: Bool, under master: MasterKey, at now: Timestamp
    ) async throws(ServerError) -> CallbackTokenRow {
        let sealed = try master.seal(Array(text.utf8), of: tenant, for: CallbackTokenRow.purpose)
        let plan = Self.plan
        return try await context.catalog.perform(plan.bind(tenant)) { results, queries, snapshot in
            let tokens = results[queries.tokens]
            if let newest = tokens.last, !rotates { return TransactionResult(newest) }
            try snapshot.checkEncryption(by: master)
            let token = CallbackTokenRow(tenant: tenant, number: (tokens.last?.number ?? 0) + 1, sealed: sealed)
            var saves: [RowWrite] = [.insert(token)]
            for old in tokens {
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
    }

    private static let plan = CatalogQueryPlan(isAlone: true, for: TenantID.self) { query in
        (
            tokens: query.rows(CallbackTokenRow.ofTenant, upTo: 10_000) { [.of($0)] },
            marks: query.part(TenantMarks.init) { [$0] }
        )
    }
}
