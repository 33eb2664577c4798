package import TenureCore
import TenureCrypto
import TenureStore

/// The result of verifying an operator's token and its scope.
package enum OperatorVerification: Sendable {
    /// The token is valid. Its record identifies the actor.
    case allowed(TokenRecord)
    /// The tenant has no token with this text, although another tenant may have it.
    ///
    /// A text that isn't well-formed was never a token.
    case unknown(isWellFormed: Bool)
    /// The token expired at this time.
    case expired(at: Timestamp)
    /// The token was revoked at this time.
    case revoked(at: Timestamp)
    /// The token is valid, but lacks this scope.
    case lacks(scope: String)
}

extension TokenRecord {
    /// The prefix of the texts of operators' tokens.
    static let prefix = "tenure_"
}

extension FeatureContext {
    /// Verifies an operator's token by its text, and that it has the scope.
    ///
    /// Reads the tenant's tokens on every call, so that a revocation takes effect with the next request.
    package func authenticateOperator(
        _ text: String, of tenant: TenantID, for scope: String
    ) async throws(ServerError) -> OperatorVerification {
        let hash = SHA256.hash(Array(text.utf8))
        let tokens = try await store.tokens(of: tenant)
        let now = clock.now()
        let match = tokens.first { constantTimeEquals($0.hash.bytes, hash) }
        guard let match else {
            return .unknown(isWellFormed: CredentialText.isWellFormed(text, prefix: TokenRecord.prefix))
        }
        // Only a caller that knows the token's text learns that the token was revoked or has expired.
        if let revoked = match.revokedAt { return .revoked(at: revoked) }
        if let end = match.expiresAt, now >= end { return .expired(at: end) }
        return match.scopes.contains(scope) ? .allowed(match) : .lacks(scope: scope)
    }
}
