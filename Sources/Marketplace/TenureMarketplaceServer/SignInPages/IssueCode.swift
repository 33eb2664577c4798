import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

/// How a person proved their identity.
enum IdentityProof: Sendable, Hashable {
    /// An account's password.
    ///
    /// The stored hash must still be the hash against which the password was verified.
    case password(AccountRef, hash: String)
    /// A one-time link, identified by the secret in it.
    case link(String)
}

/// The result of issuing an authorization code.
enum CodeIssuance: Sendable, Hashable {
    /// The authorization code.
    ///
    /// This is the only copy of the code, because only a digest is stored.
    case issued(SignInText)
    /// The password has been changed since it was verified, or the link is invalid.
    case wrong
    /// This sign-in was already completed.
    case over
    /// The store doesn't have the link.
    case unknownLink
}

extension MarketplaceContext {
    /// Issues an authorization code after a password or a one-time link has proved the person's identity.
    ///
    /// Saves the code, and marks a link as used, in one transaction. If a form is sent twice, the second code replaces
    /// the first, which becomes invalid.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func issueCode(
        _ pending: PendingSignIn, for binding: SignIn.Binding, by proof: IdentityProof, at tenant: TenantID
    ) async throws(ServerError) -> CodeIssuance {
        let code = SignInText.random(.code, of: pending.origin)
        switch proof {
        case .password(let account, let hash):
            let plan = Self.byPassword
            let bound = plan.bind(.init(account: account, signIn: code.origin.hash))
            let now = clock.now()
            return try await store.perform(
                Transaction(bound) { results -> TransactionResult<CodeIssuance> in
                    guard let stored = results[plan.queries.account], stored.isOpen, stored.passwordHash == hash
                    else {
                        return TransactionResult(.wrong)
                    }
                    guard
                        let saves = Self.saves(
                            code, of: account, by: .password, binding, over: results[plan.queries.before],
                            beside: results[plan.queries.others], at: now)
                    else { return TransactionResult(.over) }
                    return TransactionResult(.issued(code), saves)
                })
        case .link(let text):
            return try await issueCode(code, byLink: text, for: binding, at: tenant)
        }
    }

    private func issueCode(
        _ code: SignInText, byLink text: String, for binding: SignIn.Binding, at tenant: TenantID
    ) async throws(ServerError) -> CodeIssuance {
        let (now, plan, hash) = (clock.now(), Self.byLink, Digest.sha256(of: text))
        let bound = plan.bind(.init(link: hash, signIn: code.origin.hash))
        return try await store.perform(
            Transaction(bound) { results -> TransactionResult<CodeIssuance> in
                guard let unused = results[plan.queries.link] else { return TransactionResult(.unknownLink) }
                guard unused.kind == .link, unused.account.tenant == tenant, unused.works(at: now),
                    results[plan.queries.account]?.isOpen == true
                else { return TransactionResult(.wrong) }
                guard
                    let saves = Self.saves(
                        code, of: unused.account, by: .link, binding, over: results[plan.queries.before],
                        beside: results[plan.queries.others], at: now)
                else { return TransactionResult(.over) }
                return TransactionResult(.issued(code), [.replace(unused, by: unused.ended(at: now))] + saves)
            })
    }

    /// The rows to write for a new code; `nil` if this sign-in has already passed the code stage.
    private static func saves(
        _ code: SignInText, of account: AccountRef, by means: SignIn.Means, _ binding: SignIn.Binding,
        over before: SignIn?, beside others: [SignIn], at now: Timestamp
    ) -> [RowWrite]? {
        if let before, before.stage != .code || before.endedAt != nil || before.account != account { return nil }
        let signIn = SignIn(
            hash: code.origin.hash, account: account, means: means, stage: .code, secret: code.digest, binding: binding,
            createdAt: now, expiresAt: now.adding(seconds: SignIn.Lifetime.code))
        return signIn.beginning(beside: others, at: now)
    }

    private static let byPassword = QueryPlan(for: SignIn.OfAccount.self) { query in
        (
            account: query.row(Account.table.key) { [.of($0.account.tenant), .of($0.account.account)] },
            others: query.rows(SignIn.ofAccount, upTo: .everything) {
                [.of($0.account.tenant), .of($0.account.account)]
            },
            before: query.row(SignIn.table.key) { [.of($0.signIn)] }
        )
    }

    private struct LinkedSignIn: Sendable {
        let link: Digest
        let signIn: Digest
    }

    private static let byLink = QueryPlan(for: LinkedSignIn.self) { query in
        let link = query.accountCredential { $0.link }
        let before = query.row(SignIn.table.key) { [.of($0.signIn)] }
        let others = query.rows(
            SignIn.ofAccount, upTo: .everything, .column("tenant", of: link), .column("account", of: link))
        // The account's row serializes the sign-in with the account's deletion.
        let account = query.accountOf(link)
        return (link: link, before: before, others: others, account: account)
    }
}
