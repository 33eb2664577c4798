import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

/// The result of creating the link that returns the browser from a shop.
enum ShopSignInLink: Sendable, Hashable {
    /// The link's secret text.
    ///
    /// This is the only copy of the text, because only a digest is stored.
    case created(SignInText, expiresAt: Timestamp)
    case unknownAccount
    /// This sign-in was already completed.
    case over
}

/// The result of using the link that returns the browser from a shop.
enum ShopSignIn<Value: Sendable>: Sendable {
    /// The link was exchanged for this code or session.
    case completed(Value)
    /// The link was used or has expired.
    case spent
    /// The store doesn't have the link.
    case unknown
}

extension MarketplaceContext {
    /// Creates the link that returns the browser from a shop after the shop has signed the person in.
    ///
    /// An earlier unused link of the same sign-in becomes invalid.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func linkShopSignIn(
        _ pending: PendingSignIn, to ref: AccountRef, by actor: Actor
    ) async throws(ServerError) -> ShopSignInLink {
        let (now, plan) = (clock.now(), Self.plan)
        let link = SignInText.random(.link, of: pending.origin)
        let signIn = SignIn(
            hash: link.origin.hash, account: ref, means: .shop, stage: .link, secret: link.digest, createdAt: now,
            expiresAt: now.adding(seconds: SignIn.Lifetime.link))
        let bound = plan.bind(.init(account: ref, signIn: signIn.hash))
        return try await store.perform(
            Transaction(bound) { results -> TransactionResult<ShopSignInLink> in
                guard let account = results[plan.queries.account], account.isOpen else {
                    return TransactionResult(.unknownAccount)
                }
                let before = results[plan.queries.before]
                if let before, before.stage != .link || before.endedAt != nil { return TransactionResult(.over) }
                let event = account.event(
                    .accountTokenMade, by: actor, at: now,
                    [.init("kind", .text("sign-in link")), .init("expiresAt", .date(signIn.expiresAt))])
                let others = results[plan.queries.others] + [before].compactMap(\.self)
                return TransactionResult(
                    .created(link, expiresAt: signIn.expiresAt),
                    signIn.beginning(beside: others, at: now) + [.event(event)])
            })
    }

    /// Exchanges the link for an authorization code.
    ///
    /// The caller must first check that the link was opened in the browser that began the sign-in. Of two simultaneous
    /// requests, only one receives a code.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func finishShopSignIn(
        _ link: SignInText, for binding: SignIn.Binding, at tenant: TenantID
    ) async throws(ServerError) -> ShopSignIn<SignInText> {
        let code = SignInText.random(.code, of: link.origin)
        return try await useShopLink(link, at: tenant) { before, now in
            before.led(isNext: link.fits(before.secret), to: code.digest, of: binding, at: now).map { after in
                (code, [.replace(before, by: after)])
            }
        }
    }

    /// Exchanges the link for a session on the resolution page.
    ///
    /// The caller must first check that the link was opened in the browser that began the sign-in.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func openSession(
        byShopLink link: SignInText, at tenant: TenantID
    ) async throws(ServerError) -> ShopSignIn<SessionToken> {
        let token = SessionToken.random()
        return try await useShopLink(link, at: tenant) { before, now in
            guard before.leads(isNext: link.fits(before.secret), at: now) else { return nil }
            return (
                token,
                [.replace(before, by: before.ended(at: now))] + token.opening(for: before.account, by: "shop", at: now)
            )
        }
    }

    private func useShopLink<Value: Sendable>(
        _ link: SignInText, at tenant: TenantID,
        _ decide: @escaping @Sendable (SignIn, Timestamp) -> (Value, [RowWrite])?
    ) async throws(ServerError) -> ShopSignIn<Value> {
        let (now, plan) = (clock.now(), SignIn.withAccount)
        return try await store.perform(
            Transaction(plan.bind(link.origin.hash)) { results -> TransactionResult<ShopSignIn<Value>> in
                guard let before = results[plan.queries.signIn] else { return TransactionResult(.unknown) }
                guard before.account.tenant == tenant, results[plan.queries.account]?.isOpen == true,
                    let (value, saves) = decide(before, now)
                else { return TransactionResult(.spent) }
                return TransactionResult(.completed(value), saves)
            })
    }

    private static let plan = QueryPlan(for: SignIn.OfAccount.self) { query in
        (
            account: query.row(Account.table.key) { [.of($0.account.tenant), .of($0.account.account)] },
            others: query.rows(SignIn.ofAccount, upTo: .everything) {
                [.of($0.account.tenant), .of($0.account.account)]
            },
            before: query.row(SignIn.table.key) { [.of($0.signIn)] }
        )
    }
}
