import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

/// Gives an app the code of a person who has proved who it is.
struct IssueCode: Sendable {
    let store: any Store
    let clock: any WallClock

    /// What proves it.
    enum Proof: Sendable, Hashable {
        /// An account's password, whose hash must be the same still.
        case password(AccountRef, hash: String)
        /// A one-time link, by the secret in it.
        case link(String)
    }

    /// What it comes to.
    enum Outcome: Sendable, Hashable {
        /// The only copy of a code.
        case issued(SignInText)
        /// The proof does not hold: the password was changed meanwhile, or the link does not work.
        case wrong
        /// The sign-in was ended already.
        case over
    }

    /// Saves the code, and uses a link up, in one transaction. A form that is sent twice gets another code, and the former
    /// one stops working. Throws ``ServerError``.
    func callAsFunction(
        _ pending: PendingSignIn, for binding: SignIn.Binding, by proof: Proof, at tenant: TenantID
    ) async throws(ServerError) -> Outcome {
        let code = SignInText.random(.code, of: pending.origin)
        switch proof {
        case .password(let account, let hash):
            let form = Self.byPassword
            let name: [StoredValue] = [.of(account.tenant), .of(account.account)]
            let asked = form.asked(all: name + name + [.of(code.origin.hash)])
            let now = clock.now()
            return try await asking { () async throws(StoreError) in
                try await store.perform(
                    Change(asked) { seen -> Saving<Outcome> in
                        guard seen[form.looks.account]?.passwordHash == hash else { return Saving(.wrong) }
                        guard
                            let saves = Self.saves(
                                code, of: account, by: .password, binding, over: seen[form.looks.before],
                                beside: seen[form.looks.others], at: now)
                        else { return Saving(.over) }
                        return Saving(.issued(code), saves)
                    })
            }
        case .link(let text):
            return try await use(text, for: code, binding, at: tenant)
        }
    }

    private func use(
        _ text: String, for code: SignInText, _ binding: SignIn.Binding, at tenant: TenantID
    ) async throws(ServerError) -> Outcome {
        let (now, form, hash) = (clock.now(), Self.byLink, StoredValue.of(Digest.sha256(of: text)))
        let asked = form.asked(hash, .of(code.origin.hash), lists: [[hash]])
        return try await asking { () async throws(StoreError) in
            try await store.perform(
                Change(asked) { seen -> Saving<Outcome> in
                    guard let unused = seen[form.looks.link], unused.kind == .link, unused.account.tenant == tenant,
                        unused.works(at: now)
                    else { return Saving(.wrong) }
                    guard
                        let saves = Self.saves(
                            code, of: unused.account, by: .link, binding, over: seen[form.looks.before],
                            beside: seen[form.looks.others], at: now)
                    else { return Saving(.over) }
                    var link = unused
                    link.endedAt = now
                    return Saving(.issued(code), [.replace(unused, by: link)] + saves)
                })
        }
    }

    /// What is saved of a new code; nil when the sign-in went on already.
    private static func saves(
        _ code: SignInText, of account: AccountRef, by means: SignIn.Means, _ binding: SignIn.Binding,
        over before: SignIn?, beside others: [SignIn], at now: Timestamp
    ) -> [Save]? {
        if let before, before.stage != .code || before.endedAt != nil || before.account != account { return nil }
        let signIn = SignIn(
            hash: code.origin.hash, account: account, means: means, stage: .code, secret: code.digest, binding: binding,
            createdAt: now, expiresAt: now.adding(seconds: SignIn.Lifetime.code))
        return signIn.beginning(beside: others, at: now)
    }

    private static let byPassword = LoadForm { ask in
        (
            account: ask.row(Account.table.key), others: ask.rows(SignIn.ofAccount, upTo: Asking.everything),
            before: ask.row(SignIn.table.key)
        )
    }

    private static let byLink = LoadForm { ask in
        let link = ask.accountCredential()
        let before = ask.row(SignIn.table.key)
        let others = ask.rows(
            SignIn.ofAccount, upTo: Asking.everything, .column("tenant", of: link), .column("account", of: link))
        return (link: link, before: before, others: others)
    }
}
