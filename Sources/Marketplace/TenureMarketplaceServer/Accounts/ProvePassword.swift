import TenureCore
import TenureCrypto
import TenureHTTP
import TenureMarketplace
import TenureServerKit
import TenureStore

/// The result of verifying an account's password.
enum PasswordProof: Sendable, Hashable {
    /// The password is correct.
    ///
    /// The caller must check in its transaction that the stored hash is still the same.
    case proven(AccountRef, hash: String)
    /// The name or the password is wrong; the response doesn't reveal which of them.
    case wrong
    /// There were too many attempts with this name from this address; the next is allowed after this many seconds.
    case tooMany(retryAfter: Int64)
}

extension MarketplaceContext {
    /// Verifies an account's password for every page with a password form, without saving anything.
    ///
    /// The name is an account's id or e-mail address, compared by its fold; an id that is equal byte for byte takes
    /// precedence. An unknown name takes as long as a known one: all lookups run, and the password is verified against
    /// a decoy hash.
    ///
    /// - Throws: ``ServerError``, such as the transient `crypto_busy` if the pool is full.
    func provePassword(
        _ name: String, password: String, at tenant: TenantID, from source: IPAddress?, tries: PasswordTries
    ) async throws(ServerError) -> PasswordProof {
        let now = clock.now()
        if case .refused(let seconds) = tries.attempts.authenticate(name, of: tenant, from: source, at: now) {
            return .tooMany(retryAfter: seconds)
        }
        do throws(ServerError) {
            return try await verify(name, password, at: tenant, from: source, tries)
        } catch {
            // A busy server must not use up a person's attempts.
            tries.attempts.takeBack(name, of: tenant, from: source, at: now)
            throw error
        }
    }

    private func verify(
        _ name: String, _ password: String, at tenant: TenantID, from source: IPAddress?, _ tries: PasswordTries
    ) async throws(ServerError) -> PasswordProof {
        let account = try await account(named: name, at: tenant)
        let hash = account?.passwordHash ?? tries.decoy
        let secret = PasswordText.bytes(of: password)
        let verified = try await tries.queue.take(.init(tenant: tenant, network: source)) {
            do throws(ServerError) {
                return Result<Bool, ServerError>.success(
                    try await self.compute { PasswordHash.verify(secret, against: hash) })
            } catch {
                return .failure(error)
            }
        }
        let fits = try verified.get()
        guard fits, let account, account.passwordHash == hash else { return .wrong }
        tries.attempts.forget(name, of: tenant, from: source)
        return .proven(account.ref, hash: hash)
    }

    private func account(named name: String, at tenant: TenantID) async throws(ServerError) -> Account? {
        let byMail = try await store.account(email: name, of: tenant)
        let byFold = try await store.account(named: name, of: tenant)
        guard let id = AccountID(name) else { return byFold ?? byMail }
        let byName = try await store.account(AccountRef(tenant: tenant, account: id))
        // A deleted account's id may be the address of another account.
        return byName.flatMap { $0.isOpen ? $0 : nil } ?? byFold ?? byMail
    }
}

/// Converts passwords to the form that is hashed.
enum PasswordText {
    /// The bytes of a password in Unicode's normal form C: keyboards differ in how they write an `ü`.
    static func bytes(of password: String) -> [UInt8] { Array(password.inNormalFormC.utf8) }
}
