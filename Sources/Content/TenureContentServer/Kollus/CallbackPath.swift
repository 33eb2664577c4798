import TenureCore
import TenureCrypto
import TenureFormats
import TenureServerKit
import TenureStore

extension CallbackTokenRow {
    /// Whether a text has the format of a callback secret: 24 bytes in base64url.
    ///
    /// If so, a secret that isn't in the store may have been lost with it.
    static func isWellFormed(_ secret: String) -> Bool { Base64.decodeURL(secret)?.count == secretLength }

    /// The length of a decoded secret, in bytes.
    fileprivate static let secretLength = 24

    /// How long a secret works after it was replaced, in days.
    static let overlapDays = 7
}

extension ContentContext {
    /// Returns the path of a tenant's Kollus callback; `nil` if the tenant has no Kollus settings.
    ///
    /// The path contains a secret, which is created if the tenant has none yet. If the tenant's settings require no
    /// secret, the path contains one only with `rotates`. Throws ``ServerError``.
    ///
    /// - Parameter rotates: Whether to replace the secret.
    func kollusCallbackPath(of tenant: TenantID, rotates: Bool) async throws(ServerError) -> String? {
        let now = clock.now()
        let base = "/content/\(tenant)/kollus/drm"
        guard let kollus = try await catalog.refreshIfChanged().targets(of: tenant).kollus else { return nil }
        if kollus.callbackAuth == .none, !rotates { return base }
        let text = Base64.encodeURL(SecureRandom.bytes(CallbackTokenRow.secretLength))
        let newest = try await catalog.encrypting { master throws(ServerError) in
            try await newestToken(text, of: tenant, rotates: rotates, under: master, at: now)
        }
        let token = try await catalog.decrypting { master throws(ServerError) in
            try master.open(newest.sealed, of: tenant, for: CallbackTokenRow.purpose)
        }
        return "\(base)/\(String(decoding: token, as: UTF8.self))"
    }

    /// Returns the tenant's newest secret.
    ///
    /// If the tenant has none, or if `rotates` is set, a new secret with the given text is stored first.
    private func newestToken(
        _ text: String, of tenant: TenantID, rotates: Bool, under master: MasterKey, at now: Timestamp
    ) async throws(ServerError) -> CallbackTokenRow {
        let sealed = try master.seal(Array(text.utf8), of: tenant, for: CallbackTokenRow.purpose)
        let plan = Self.callbackTokens
        return try await catalog.perform(plan.bind(tenant)) { results, queries, snapshot in
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
                    ending.endsAt = now.adding(days: CallbackTokenRow.overlapDays)
                    saves.append(.replace(old, by: ending))
                }
            }
            return TransactionResult(token, saves + queries.marks.raised(for: [tenant], in: results))
        }
    }

    private static let callbackTokens = CatalogQueryPlan(isAlone: true, for: TenantID.self) { query in
        (
            tokens: query.rows(CallbackTokenRow.ofTenant, upTo: 10_000) { [.of($0)] },
            marks: query.part(TenantMarks.init) { [$0] }
        )
    }
}
