import TenureCore
import TenureCrypto
import TenureHTTP
import TenurePages
import TenureServerKit
import TenureStore

/// Opens a session on the resolution page for whoever knows an account's password.
struct OpenSession: Sendable {
    let store: any Store
    let clock: any WallClock
    let pool: ComputeLane
    let attempts: AttemptLimit
    /// So many passwords are verified at once; the others wait, tenant by tenant and source by source.
    private let turns = FairTurns<SignInSource>(atOnce: 2, waiting: 16, ofAll: 512)
    /// A hash of no password that anybody has, at the real cost.
    let decoy: String

    /// Makes the hash of the decoy, which takes as long as a sign-in. Throws ``ServerError``.
    init(store: any Store, clock: any WallClock, pool: ComputeLane) throws(ServerError) {
        self.store = store
        self.clock = clock
        self.pool = pool
        attempts = AttemptLimit(AttemptLedger(perName: 5, total: nil, window: 900))
        do throws(CryptoError) {
            decoy = try PasswordHash.make(of: SecureRandom.bytes(32))
        } catch {
            throw ServerError(.crypto, error.message, cause: error.code.text)
        }
    }

    private struct SignInSource: Hashable, Sendable {
        let tenant: TenantID
        let network: IPAddress?
    }

    /// What an attempt comes to.
    enum Outcome: Sendable, Hashable {
        /// A session, and the only copy of its token.
        case opened(SessionToken, AccountID)
        /// No account has this name and this password; which of the two is wrong is not told.
        case wrong
        /// Too many attempts were made under this name from this source; seconds until the next.
        case tooMany(retryAfter: Int64)
    }

    /// Checks a password on the pool and saves the session with its event in one transaction.
    ///
    /// The name is an account's or its e-mail address. Unknown names cost what known ones do: both look-ups are made, and
    /// a password is verified against the decoy. Throws ``ServerError``; `crypto_busy`, which is transient, when the pool
    /// is full.
    func callAsFunction(
        _ name: String, password: String, at tenant: TenantID, from source: IPAddress?
    ) async throws(ServerError) -> Outcome {
        let now = clock.now()
        if case .refused(let seconds) = attempts.admit(name, of: tenant, from: source, at: now) {
            return .tooMany(retryAfter: seconds)
        }
        do throws(ServerError) {
            return try await open(name, password, at: tenant, from: source, now)
        } catch {
            // A server that is busy must not use up a person's attempts.
            attempts.takeBack(name, of: tenant, from: source, at: now)
            throw error
        }
    }

    private func open(
        _ name: String, _ password: String, at tenant: TenantID, from source: IPAddress?, _ now: Timestamp
    ) async throws(ServerError) -> Outcome {
        let account = try await find(name, at: tenant)
        let hash = account?.passwordHash ?? decoy
        let secret = Array(password.utf8)
        let verified = try await turns.take(SignInSource(tenant: tenant, network: source)) { [pool] in
            do throws(ServerError) {
                return Result<Bool, ServerError>.success(
                    try await pool.run { PasswordHash.verify(secret, against: hash) })
            } catch {
                return .failure(error)
            }
        }
        let fits = try verified.get()
        guard fits, let account, account.passwordHash == hash else { return .wrong }
        let token = SessionToken.random()
        let form = Self.form
        let asked = form.asked(.of(account.ref.tenant), .of(account.ref.account))
        let opened = try await asking { () async throws(StoreError) in
            try await store.perform(
                Change(asked) { seen in
                    // The password may have been changed while it was verified.
                    guard seen[form.looks]?.passwordHash == hash else { return Saving(false) }
                    return Saving(true, token.opening(for: account.ref, by: "password", at: now))
                })
        }
        guard opened else { return .wrong }
        attempts.forget(name, of: tenant, from: source)
        return .opened(token, account.ref.account)
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

    private static let form = LoadForm { ask in ask.row(Account.table.key) }
}

extension SessionToken {
    /// What is saved when it opens a session.
    func opening(for account: AccountRef, by means: String, at now: Timestamp) -> [Save] {
        let credential = AccountCredential(
            hash: hash, account: account, kind: .session, createdAt: now,
            expiresAt: now.adding(seconds: Self.lifetime))
        let event = Event(
            .accountSessionOpened, at: now, actor: .account(account.account), about: .init(account),
            facts: [.init("by", .text(means)), SupportReference(of: hash).evidence])
        return [.insert(credential), .event(event)]
    }
}
