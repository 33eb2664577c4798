import TenureCore
import TenureCrypto
import TenureMarketplace
import TenureServerKit
import TenureStore

/// A new access token and a new refresh token.
///
/// They are the only copies of the tokens, because only digests are stored.
struct GivenTokens: Sendable, Hashable {
    let access: SignInText
    let refresh: SignInText
}

/// The result of presenting a code or token.
enum TokenExchange: Sendable, Hashable {
    case given(GivenTokens)
    case invalid
    /// The store has no record of the code or token, perhaps because it lost recent changes.
    case unknown
}

extension MarketplaceContext {
    /// Exchanges an authorization code and its PKCE verifier (RFC 7636).
    ///
    /// - Parameter redirect: The `redirect_uri` of the token request, which must equal that of the authorization
    ///   request (RFC 6749 §4.1.3). Apple's devices send no `redirect_uri`. In that case, the code must have been sent
    ///   to `app-distribution-oauth://`.
    func giveTokens(
        code: SignInText, of client: String, verifier: String, redirect: String?, at tenant: TenantID
    ) async throws(ServerError) -> TokenExchange {
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

    /// Exchanges a refresh token.
    func giveTokens(
        refresh: SignInText, of client: String, at tenant: TenantID
    ) async throws(ServerError) -> TokenExchange {
        let key = try catalog.secrets.tokenKey
        return try await give(for: refresh, at: tenant, shown: "refresh token") { signIn, pair, now in
            guard let shown = signIn.shown(asRefresh: refresh, under: key) else { return .refused }
            return signIn.refresh(shown, isBound: signIn.isBound(to: client, by: refresh), for: pair, at: now)
        }
    }

    /// Exchanges the handoff token that the vendor gave the app at installation.
    func giveTokens(
        handoff: SignInText, of client: String, at tenant: TenantID
    ) async throws(ServerError) -> TokenExchange {
        let binding = SignIn.Binding(client: handoff.origin.digest(ofClient: client))
        return try await give(for: handoff, at: tenant, shown: "handoff") { signIn, pair, now in
            signIn.exchange(
                isNext: handoff.kind == .handoff && handoff.fits(signIn.secret), bindingTo: binding, for: pair, at: now)
        }
    }

    /// Decides on an exchange and saves the result in one transaction.
    ///
    /// If two requests present the same code or token, the code or token counts as used for the second request.
    private func give(
        for text: SignInText, at tenant: TenantID, shown: String,
        _ decide: @escaping @Sendable (SignIn, SignIn.Pair, Timestamp) -> SignIn.Answer
    ) async throws(ServerError) -> TokenExchange {
        let (now, plan, key) = (clock.now(), SignIn.plan, try catalog.secrets.tokenKey)
        let (access, secret) = (SignInText.random(.access, of: text.origin), SignInText.Secret())
        return try await store.perform(
            Transaction(plan.bind(text.origin.hash)) { results -> TransactionResult<TokenExchange> in
                guard let before = results[plan.queries] else { return TransactionResult(.unknown) }
                guard before.account.tenant == tenant else { return TransactionResult(.invalid) }
                let refresh = SignInText(
                    refresh: before.family.newest + 1, of: text.origin, secret, under: key)
                let pair = SignIn.Pair(refresh: refresh.digest, access: access.digest)
                let actor = Actor.account(before.account.account)
                switch decide(before, pair, now) {
                case .refused:
                    return TransactionResult(before.isOlder(than: text, under: key) ? .unknown : .invalid)
                case .ended(let after):
                    let event = before.event(
                        .accountSignInEnded, by: .device, at: now, [.init("shown", .text(shown))])
                    return TransactionResult(.invalid, [.replace(before, by: after), .event(event)])
                case .given(let after):
                    let given = GivenTokens(access: access, refresh: refresh)
                    if before.stage == .open {
                        return TransactionResult(.given(given), [.replace(before, by: after)])
                    }
                    let event = before.event(
                        .accountSignedIn, by: actor, at: now, [.init("by", .text(before.means.rawValue))])
                    return TransactionResult(.given(given), [.replace(before, by: after), .event(event)])
                }
            })
    }
}

extension SignIn {
    /// Whether the text was issued in a later state of this sign-in, which means that the store has lost changes.
    ///
    /// The number of a refresh token is authenticated, so a client can't invent such a token.
    fileprivate func isOlder(than text: SignInText, under key: [UInt8]) -> Bool {
        guard endedAt == nil else { return false }
        switch text.kind {
        case .refresh:
            return shown(asRefresh: text, under: key) == .other(text.number) && text.number >= family.newest
        case .code: return stage == .link || stage == .code && !text.fits(secret)
        case .link, .handoff, .access: return false
        }
    }

    /// Whether this sign-in belongs to the app with this client id.
    ///
    /// The digests are compared in constant time.
    fileprivate func isBound(to client: String, by text: SignInText) -> Bool {
        constantTimeEquals(binding?.client.bytes ?? [], text.origin.digest(ofClient: client).bytes)
    }
}
