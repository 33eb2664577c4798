package import TenureCore
import TenureCrypto
package import TenureHTTP
package import TenureServerKit
package import TenureStore

/// Finds out whether somebody knows an account's password, for every page that asks for one.
package struct ProvePassword: Sendable {
    let store: any Store
    let clock: any WallClock
    let pool: ComputeLane
    let tries: PasswordTries

    /// Verifies on a pool.
    /// - Parameter tries: How many may be made, whichever page they come from.
    package init(store: any Store, clock: any WallClock, pool: ComputeLane, tries: PasswordTries) {
        self.store = store
        self.clock = clock
        self.pool = pool
        self.tries = tries
    }

    /// What an attempt comes to.
    package enum Outcome: Sendable, Hashable {
        /// It is the account's password; its hash, which whoever saves anything has to find unchanged.
        case proven(AccountRef, hash: String)
        /// No account has this name and this password; which of the two is wrong is not told.
        case wrong
        /// Too many attempts were made under this name from this source; seconds until the next.
        case tooMany(retryAfter: Int64)
    }

    /// Checks a password on the pool. Saves nothing.
    ///
    /// The name is an account's or its e-mail address. Unknown names cost what known ones do: both look-ups are made, and
    /// a password is verified against the decoy. Throws ``ServerError``; `crypto_busy`, which is transient, when the pool
    /// is full.
    package func callAsFunction(
        _ name: String, password: String, at tenant: TenantID, from source: IPAddress?
    ) async throws(ServerError) -> Outcome {
        let now = clock.now()
        if case .refused(let seconds) = tries.attempts.admit(name, of: tenant, from: source, at: now) {
            return .tooMany(retryAfter: seconds)
        }
        do throws(ServerError) {
            return try await check(name, password, at: tenant, from: source)
        } catch {
            // A server that is busy must not use up a person's attempts.
            tries.attempts.takeBack(name, of: tenant, from: source, at: now)
            throw error
        }
    }

    private func check(
        _ name: String, _ password: String, at tenant: TenantID, from source: IPAddress?
    ) async throws(ServerError) -> Outcome {
        let account = try await find(name, at: tenant)
        let hash = account?.passwordHash ?? tries.decoy
        let secret = Array(password.utf8)
        let verified = try await tries.turns.take(.init(tenant: tenant, network: source)) { [pool] in
            do throws(ServerError) {
                return Result<Bool, ServerError>.success(
                    try await pool.run { PasswordHash.verify(secret, against: hash) })
            } catch {
                return .failure(error)
            }
        }
        let fits = try verified.get()
        guard fits, let account, account.passwordHash == hash else { return .wrong }
        tries.attempts.forget(name, of: tenant, from: source)
        return .proven(account.ref, hash: hash)
    }

    private func find(_ name: String, at tenant: TenantID) async throws(ServerError) -> Account? {
        let byMail = try await asking { () async throws(StoreError) in
            try await store.account(email: name, of: tenant)
        }
        guard let id = AccountID(name) else { return byMail }
        let byName = try await asking { () async throws(StoreError) in
            try await store.account(AccountRef(tenant: tenant, account: id))
        }
        return byName ?? byMail
    }
}
