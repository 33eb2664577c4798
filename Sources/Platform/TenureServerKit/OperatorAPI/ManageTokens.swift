package import TenureCore
import TenureCrypto
import TenureFormats
import TenureStore

/// A new operator token, with the only copy of its text.
package struct IssuedToken: Sendable {
    /// The record, without the text.
    package let record: TokenRecord
    /// The token's text: `tenure_` and 256 random bits in base64url.
    ///
    /// Show the text to the operator once. It can't be read again.
    package let text: String
}

extension FeatureContext {
    /// Creates a token, which is durable when this returns.
    ///
    /// - Parameter expiresAt: The time at which the token expires; `nil` for never.
    package func makeToken(
        for tenant: TenantID, name: String, scopes: [String], expiresAt: Timestamp?
    ) async throws(ServerError) -> IssuedToken {
        var random = SecureRandom()
        let text = CredentialText.random(prefix: TokenRecord.prefix)
        let record = TokenRecord(
            id: "tok_" + LicenseID.random(using: &random).description.dropFirst(4), tenant: tenant, name: name,
            scopes: scopes.sorted(), hash: text.hash, createdAt: clock.now(), expiresAt: expiresAt, revokedAt: nil)
        try await store.perform(Transaction { TransactionResult((), [.insert(record)]) })
        return IssuedToken(record: record, text: text.text)
    }

    /// Revokes a token.
    ///
    /// A token that was revoked before keeps its first time of revocation.
    ///
    /// Returns the token's record; `nil` for an unknown id.
    package func revokeToken(_ id: String) async throws(ServerError) -> TokenRecord? {
        let now = clock.now()
        let change = Transaction(tokenPlan.bind(id)) { results -> TransactionResult<TokenRecord?> in
            guard let found = results[tokenPlan.queries], found.revokedAt == nil else {
                return TransactionResult(results[tokenPlan.queries])
            }
            var revoked = found
            revoked.revokedAt = now
            return TransactionResult(revoked, [.replace(found, by: revoked)])
        }
        return try await store.perform(change)
    }
}

private let tokenPlan = QueryPlan(for: String.self) { query in query.row(TokenRecord.table.key) { [.of($0)] } }
