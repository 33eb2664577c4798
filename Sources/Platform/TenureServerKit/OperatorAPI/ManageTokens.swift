public import TenureCore
import TenureCrypto
import TenureFormats
public import TenureStore

/// Creates, lists and revokes operator tokens.
public struct ManageTokens: Sendable {
    let store: any Store
    let clock: any WallClock

    /// Creates a value that manages the tokens of a store.
    public init(store: any Store, clock: any WallClock) {
        self.store = store
        self.clock = clock
    }

    /// A new token with the only copy of its text.
    public struct Made: Sendable {
        /// The record, without the text.
        public let record: TokenRecord
        /// The token's text: `tenure_` and 256 random bits in base64url.
        ///
        /// Show it to the operator once; it can't be read again.
        public let text: String
    }

    /// Creates a token; it's durable when this returns.
    ///
    /// - Parameter expiresAt: When the token expires; `nil` for never.
    public func make(
        for tenant: TenantID, name: String, scopes: [String], expiresAt: Timestamp?
    ) async throws(ServerError) -> Made {
        var random = SecureRandom()
        let text = CredentialText.random(prefix: "tenure_")
        let record = TokenRecord(
            id: "tok_" + LicenseID.random(using: &random).description.dropFirst(4), tenant: tenant, name: name,
            scopes: scopes.sorted(), hash: text.hash, createdAt: clock.now(), expiresAt: expiresAt, revokedAt: nil)
        try await asking { try await store.perform(Transaction { TransactionResult((), [.insert(record)]) }) }
        return Made(record: record, text: text.text)
    }

    /// Lists the tokens of a tenant, or of all tenants for `nil`, oldest first.
    public func list(_ tenant: TenantID?) async throws(ServerError) -> [TokenRecord] {
        return try await asking { try await store.tokens(of: tenant) }
    }

    /// Revokes a token.
    ///
    /// A token that was revoked before stays unchanged. Returns the token's record, or `nil` for an unknown id.
    public func revoke(id: String) async throws(ServerError) -> TokenRecord? {
        let now = clock.now()
        let change = Transaction(Self.plan.bind(id)) { results -> TransactionResult<TokenRecord?> in
            guard let found = results[Self.plan.queries], found.revokedAt == nil else {
                return TransactionResult(results[Self.plan.queries])
            }
            var revoked = found
            revoked.revokedAt = now
            return TransactionResult(revoked, [.replace(found, by: revoked)])
        }
        return try await asking { try await store.perform(change) }
    }

    private static let plan = QueryPlan(for: String.self) { query in query.row(TokenRecord.table.key) { [.of($0)] } }
}
