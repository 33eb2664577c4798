import TenureCore
import TenureCrypto
import TenurePages
import TenureServerKit
import TenureStore

/// Tells whose account a bearer names at a marketplace.
struct AuthenticateAccount: Sendable {
    let store: any Store
    let clock: any WallClock

    /// Reads the credential each time, so that its end counts at the next request; nil for a text that names nobody, has
    /// ended, or belongs to another tenant. Throws ``ServerError``.
    func callAsFunction(_ text: String, at tenant: TenantID) async throws(ServerError) -> AccountID? {
        if let shown = SignInText(text) { return try await account(of: shown, at: tenant) }
        guard let hash = Digest(SHA256.hash(Array(text.utf8))) else { return nil }
        let found = try await asking { () async throws(StoreError) in try await store.credential(hash) }
        guard let found, found.kind == .token, found.account.tenant == tenant, found.works(at: clock.now()) else {
            return nil
        }
        return found.account.account
    }

    /// Whose sign-in an access token is of. Its first use is noted while that decides on the refresh token before it.
    private func account(of text: SignInText, at tenant: TenantID) async throws(ServerError) -> AccountID? {
        let (now, form) = (clock.now(), SignIn.form)
        let asked = form.asked(.of(text.origin.hash))
        let found = try await asking { () async throws(StoreError) in try await store.look(asked) }[form.looks]
        guard let found, found.account.tenant == tenant, let shown = found.shown(asAccess: text),
            found.admits(shown, at: now)
        else { return nil }
        guard found.noted(shown, at: now) != nil else { return found.account.account }
        let noted = try await asking { () async throws(StoreError) in
            try await store.perform(
                Change(asked) { seen -> Saving<Bool> in
                    guard let before = seen[form.looks], let shown = before.shown(asAccess: text),
                        before.admits(shown, at: now)
                    else { return Saving(false) }
                    return Saving(true, before.noted(shown, at: now).map { [.replace(before, by: $0)] } ?? [])
                })
        }
        return noted ? found.account.account : nil
    }
}

/// Tells whose a session is.
struct FindSession: Sendable {
    let store: any Store
    let clock: any WallClock

    /// Answers the account while the session works at this tenant, nil otherwise. Throws ``ServerError``.
    func callAsFunction(_ token: SessionToken, at tenant: TenantID) async throws(ServerError) -> AccountRef? {
        let credential = try await asking { () async throws(StoreError) in try await store.credential(token.hash) }
        guard let credential, credential.isSession(at: tenant, now: clock.now()) else { return nil }
        return credential.account
    }
}

extension AccountCredential {
    /// Whether it is a session of this tenant's pages that works.
    func isSession(at tenant: TenantID, now: Timestamp) -> Bool {
        kind == .session && account.tenant == tenant && works(at: now)
    }
}
