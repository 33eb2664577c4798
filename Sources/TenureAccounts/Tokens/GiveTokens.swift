import TenureCore
import TenureCrypto
import TenureMarketplace
import TenureServerKit
import TenureStore

/// Gives apps tokens for what they show.
struct GiveTokens: Sendable {
    let store: any Store
    let clock: any WallClock
    /// What the numbers of refresh tokens are vouched for with.
    let key: [UInt8]

    /// The only copies of two tokens.
    struct Given: Sendable, Hashable {
        let access: SignInText
        let refresh: SignInText
    }

    /// For a code, with what the app kept to itself (RFC 7636). Nil for one that does not work.
    /// - Parameter redirect: The `redirect_uri` of the request for tokens, which must equal the authorization's (RFC 6749
    ///   §4.1.3). `nil` if the request has none, as Apple's device sends it: then the code must have gone to
    ///   `app-distribution-oauth://`.
    func callAsFunction(
        code: SignInText, of client: String, verifier: String, redirect: String?, at tenant: TenantID
    ) async throws(ServerError) -> Given? {
        let challenge = Digest.sha256(of: verifier)
        return try await give(for: code, at: tenant, shown: "code") { signIn, pair, now in
            let isBound =
                signIn.isBound(to: client, by: code)
                && constantTimeEquals(signIn.binding?.challenge?.bytes ?? [], challenge.bytes)
                && constantTimeEquals(
                    Array((redirect ?? RedirectURI.system).utf8), Array((signIn.binding?.redirect ?? "").utf8))
            let proof = SignIn.CodeProof(isNext: code.kind == .code && code.fits(signIn.secret), isBound: isBound)
            return signIn.redeem(proof, for: pair, at: now)
        }
    }

    /// For a refresh token. Nil for one that does not work.
    func callAsFunction(
        refresh: SignInText, of client: String, at tenant: TenantID
    ) async throws(ServerError) -> Given? {
        try await give(for: refresh, at: tenant, shown: "refresh token") { [key] signIn, pair, now in
            guard let shown = signIn.shown(asRefresh: refresh, under: key) else { return .refused }
            return signIn.refresh(shown, isBound: signIn.isBound(to: client, by: refresh), for: pair, at: now)
        }
    }

    /// For what the vendor gave the app at its installation. Nil for one that does not work.
    func callAsFunction(
        handoff: SignInText, of client: String, at tenant: TenantID
    ) async throws(ServerError) -> Given? {
        let binding = SignIn.Binding(client: handoff.origin.digest(ofClient: client))
        return try await give(for: handoff, at: tenant, shown: "handoff") { signIn, pair, now in
            signIn.exchange(
                isNext: handoff.kind == .handoff && handoff.fits(signIn.secret), bindingTo: binding, for: pair, at: now)
        }
    }

    /// Decides and saves in one transaction, so that of two who show one text at once the second finds it used.
    private func give(
        for text: SignInText, at tenant: TenantID, shown: String,
        _ decide: @escaping @Sendable (SignIn, SignIn.Pair, Timestamp) -> SignIn.Answer
    ) async throws(ServerError) -> Given? {
        let (now, form, key) = (clock.now(), SignIn.form, key)
        let (access, secret) = (SignInText.random(.access, of: text.origin), SignInText.Secret())
        return try await asking { () async throws(StoreError) in
            try await store.perform(
                Change(form.asked(.of(text.origin.hash))) { seen -> Saving<Given?> in
                    guard let before = seen[form.looks], before.account.tenant == tenant else { return Saving(nil) }
                    let refresh = SignInText(
                        refresh: before.family.newest + 1, of: text.origin, secret, under: key)
                    let pair = SignIn.Pair(refresh: refresh.digest, access: access.digest)
                    let actor = Actor.account(before.account.account)
                    switch decide(before, pair, now) {
                    case .refused: return Saving(nil)
                    case .ended(let after):
                        let event = before.event(
                            .accountSignInEnded, by: .device, at: now, [.init("shown", .text(shown))])
                        return Saving(nil, [.replace(before, by: after), .event(event)])
                    case .given(let after):
                        let given = Given(access: access, refresh: refresh)
                        if before.stage == .open { return Saving(given, [.replace(before, by: after)]) }
                        let event = before.event(
                            .accountSignedIn, by: actor, at: now, [.init("by", .text(before.means.rawValue))])
                        return Saving(given, [.replace(before, by: after), .event(event)])
                    }
                })
        }
    }
}

extension SignIn {
    /// Whether it was given to this app; compared in constant time.
    fileprivate func isBound(to client: String, by text: SignInText) -> Bool {
        constantTimeEquals(binding?.client.bytes ?? [], text.origin.digest(ofClient: client).bytes)
    }
}
