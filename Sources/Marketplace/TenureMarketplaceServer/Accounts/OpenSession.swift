import TenureCore
import TenureHTTP
import TenureMarketplace
import TenureServerKit
import TenureStore

/// Opens a session on the resolution page with an account's password.
struct OpenSession: Sendable {
    let store: ServerStore
    let clock: any WallClock
    let prove: ProvePassword

    /// The result of a sign-in attempt.
    enum Outcome: Sendable, Hashable {
        /// A session with the only copy of its token.
        case opened(SessionToken)
        /// The name or the password is wrong; the response doesn't say which.
        case wrong
        /// There were too many attempts with this name from this address; the next is allowed after this many seconds.
        case tooMany(retryAfter: Int64)
    }

    /// Checks a password, then saves the session and its event in one transaction.
    ///
    /// - Throws: ``ServerError`` if the store fails or the server is busy.
    func callAsFunction(
        _ name: String, password: String, at tenant: TenantID, from source: IPAddress?
    ) async throws(ServerError) -> Outcome {
        switch try await prove(name, password: password, at: tenant, from: source) {
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
