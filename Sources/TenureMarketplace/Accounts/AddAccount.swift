public import TenureCore
public import TenureServerKit
package import TenureStore

/// Makes an account at a marketplace, or edits the one of that name.
public struct AddAccount: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock

    /// Adds under a catalog, by a clock.
    public init(catalog: CatalogCache, clock: any WallClock) {
        self.catalog = catalog
        self.clock = clock
    }

    /// What came of it.
    public enum Outcome: Sendable, Hashable {
        /// There was none; it is new.
        case made(Account)
        /// It is as asked for now; whether this call changed it.
        case there(Account, changed: Bool)
        /// Another account has the e-mail address: two would sign in with it, and neither could. Nothing was changed.
        case emailTaken(by: AccountID)
        /// The tenant has no marketplace.
        case noMarketplace
    }

    /// Decides and saves in one transaction; what is nil is left as it is. Repeating it changes nothing.
    ///
    /// Throws ``ServerError``.
    /// - Parameter passwordHash: What `PasswordHash` of `TenureCrypto` made of the password.
    public func callAsFunction(
        _ ref: AccountRef, email: String? = nil, passwordHash: String? = nil, by actor: Actor
    ) async throws(ServerError) -> Outcome {
        let now = clock.now()
        let name: [StoredValue] = [.of(ref.tenant), .of(ref.account)]
        let asked = Self.form.asked(
            all: name + [.of(email), .of(ref.tenant)] + name + name, lists: [EmailLooks.turn(of: email, at: ref.tenant)]
        )
        return try await catalog.perform(asked) { seen, looks, snapshot in
            guard snapshot.catalog.tenants[ref.tenant]?.marketplace != nil else { return Saving(.noMarketplace) }
            let before = seen[looks.account]
            if email != before?.email, let other = looks.ofEmail.other(than: ref, in: seen) {
                return Saving(.emailTaken(by: other))
            }
            guard let before else {
                let account = Account(ref: ref, email: email, passwordHash: passwordHash, createdAt: now)
                return Saving(
                    .made(account), [.insert(account), .event(account.event(.accountAdded, by: actor, at: now))])
            }
            var account = before
            account.email = email ?? account.email
            account.passwordHash = passwordHash ?? account.passwordHash
            guard account != before else { return Saving(.there(account, changed: false)) }
            // Whoever learned the old password is out: sessions, links and sign-ins of apps go; tokens that were made for
            // devices stay.
            let isNew = account.passwordHash != before.passwordHash
            let signedOut = isNew ? seen[looks.signIns].filter { $0.works(at: now) } : []
            let open = isNew ? seen[looks.credentials] : []
            let ended = open.filter { $0.kind != .token && $0.works(at: now) }.map { credential in
                var over = credential
                over.endedAt = now
                return Save.replace(credential, by: over)
            }
            let out = signedOut.map { Save.replace($0, by: $0.ended(at: now)) }
            let changed = [
                account.email == before.email ? nil : "email",
                account.passwordHash == before.passwordHash ? nil : "password",
            ].compactMap(\.self)
            let event = account.event(
                .accountChanged, by: actor, at: now, changed.map { .init("changed", .text($0)) })
            return Saving(
                .there(account, changed: true), [.replace(before, by: account)] + ended + out + [.event(event)])
        }
    }
}

extension AddAccount {
    private static let form = CatalogForm { ask in
        (
            account: ask.row(Account.table.key), ofEmail: EmailLooks(&ask),
            credentials: ask.rows(AccountCredential.ofAccount, upTo: Asking.everything),
            signIns: ask.rows(SignIn.ofAccount, upTo: Asking.everything)
        )
    }
}

/// Who has an e-mail address at a marketplace, compared without regard to ASCII case.
package struct EmailLooks: Sendable {
    private let accounts: RowsLook<Account>

    /// Takes the address, which may be absent, and the tenant; and the list of ``turn(of:at:)``.
    package init(_ ask: inout Asking) {
        ask.hold(Self.turn)
        accounts = ask.rows(Account.byEmail, upTo: 2, .request, .request)
    }

    /// Of two who take one address at once, one waits and sees the other: no row stands for an address that is free.
    /// Its list: tenant and address. What the database folds beyond ASCII makes strangers wait for each other, no more.
    private static let turn = Guard(
        [.text, .text],
        postgres: """
            SELECT hashtextextended(tenant || '/email/' || lower(email), 0)
            FROM unnest($1::text[], $2::text[]) AS w (tenant, email)
            """)

    /// The list that the guard takes; empty without an address.
    package static func turn(of email: String?, at tenant: TenantID) -> [StoredValue] {
        email.map { [.of(tenant), .of($0)] } ?? []
    }

    /// Somebody else who has it; nil when nobody has.
    package func other(than ref: AccountRef, in seen: Seen) -> AccountID? {
        seen[accounts].first { $0.ref != ref }?.ref.account
    }
}

extension Account {
    /// One of them by its name, for a decision about it.
    static let form = CatalogForm { ask in ask.row(Account.table.key) }
}

extension Account {
    /// An event about this account.
    package func event(
        _ kind: EventKind, by actor: Actor, at now: Timestamp, _ detail: [Reason.Evidence] = []
    ) -> Event {
        Event(kind, at: now, actor: actor, about: .init(ref), facts: detail)
    }
}
