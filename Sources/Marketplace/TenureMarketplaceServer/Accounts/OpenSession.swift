import TenureCore
import TenureHTTP
import TenureMarketplace
import TenureServerKit
import TenureStore

/// The result of signing in to the resolution page.
enum SessionOpening: Sendable, Hashable {
    /// A session with the only copy of its token.
    case opened(SessionToken)
    /// The name or the password is wrong; the response doesn't reveal which of them.
    case wrong
    /// There were too many attempts with this name from this address; the next is allowed after this many seconds.
    case tooMany(retryAfter: Int64)
}

extension MarketplaceContext {
    /// Opens a session on the resolution page with an account's password.
    ///
    /// Checks the password, then saves the session and its event in one transaction.
    ///
    /// - Throws: ``ServerError`` if the store fails or the server is busy.
    func openSession(
        _ name: String, password: String, at tenant: TenantID, from source: IPAddress?, tries: PasswordTries
    ) async throws(ServerError) -> SessionOpening {
        switch try await provePassword(name, password: password, at: tenant, from: source, tries: tries) {
        case .wrong: return .wrong
        case .tooMany(let seconds): return .tooMany(retryAfter: seconds)
        case .proven(let account, let hash):
            let (now, token, plan) = (clock.now(), SessionToken.random(), Account.row)
            let bound = plan.bind(account)
            let opened = try await store.perform(
                Transaction(bound) { results in
                    // The password may have been changed while it was verified.
                    guard let stored = results[plan.queries], stored.isOpen, stored.passwordHash == hash else {
                        return TransactionResult(false)
                    }
                    return TransactionResult(true, token.opening(for: account, by: "password", at: now))
                })
            return opened ? .opened(token) : .wrong
        }
    }
}

extension Account {
    static let row = QueryPlan(for: AccountRef.self) { query in
        query.row(Account.table.key) { [.of($0.tenant), .of($0.account)] }
    }
}
