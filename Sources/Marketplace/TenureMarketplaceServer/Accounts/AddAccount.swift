package import TenureCore
package import TenureMarketplace
import TenureServerKit
import TenureStore

/// The result of adding or changing an account.
enum AccountAddition: Sendable, Hashable {
    case created(Account)
    /// The account already existed; it now has the requested values.
    case existing(Account, changed: Bool)
    /// Another account has the e-mail address; nothing was changed.
    ///
    /// If two accounts shared an address, neither could sign in with it.
    case emailTaken(by: AccountID)
    /// The account was deleted before, so its id can't be used again.
    case deleted(at: Timestamp)
    case noMarketplace
}

extension MarketplaceContext {
    /// Adds an account to a marketplace, or changes an existing one, in one transaction; `nil` leaves a value
    /// unchanged.
    ///
    /// Repeating the call changes nothing.
    ///
    /// - Parameter passwordHash: A hash that `PasswordHash` in `TenureCrypto` created.
    /// - Throws: ``ServerError`` if the store fails.
    func addAccount(
        _ ref: AccountRef, email: String? = nil, passwordHash: String? = nil, by actor: Actor
    ) async throws(ServerError) -> AccountAddition {
        let now = clock.now()
        let bound = Self.plan.bind(.init(account: ref, email: email))
        return try await catalog.perform(bound) { results, queries, snapshot in
            guard snapshot.catalog.tenants[ref.tenant]?.marketplace != nil else {
                return TransactionResult(.noMarketplace)
            }
            let before = results[queries.account]
            if let deletedAt = before?.deletedAt { return TransactionResult(.deleted(at: deletedAt)) }
            if email != before?.email, let other = queries.ofEmail.other(than: ref, in: results) {
                return TransactionResult(.emailTaken(by: other))
            }
            guard let before else {
                let account = Account(ref: ref, email: email, passwordHash: passwordHash, createdAt: now)
                return TransactionResult(
                    .created(account), [.insert(account), .event(account.event(.accountAdded, by: actor, at: now))])
            }
            var account = before
            account.email = email ?? account.email
            account.passwordHash = passwordHash ?? account.passwordHash
            guard account != before else { return TransactionResult(.existing(account, changed: false)) }
            // A new password ends all sessions, links and app sign-ins, in case the old one leaked. Device tokens stay
            // valid.
            let isNew = account.passwordHash != before.passwordHash
            let signedOut = isNew ? results[queries.signIns].filter { $0.works(at: now) } : []
            let open = isNew ? results[queries.credentials] : []
            let ended = open.filter { $0.kind != .token && $0.works(at: now) }.map {
                RowWrite.replace($0, by: $0.ended(at: now))
            }
            let out = signedOut.map { RowWrite.replace($0, by: $0.ended(at: now)) }
            let changed = [
                account.email == before.email ? nil : "email",
                account.passwordHash == before.passwordHash ? nil : "password",
            ].compactMap(\.self)
            let event = account.event(
                .accountChanged, by: actor, at: now, changed.map { .init("changed", .text($0)) })
            return TransactionResult(
                .existing(account, changed: true), [.replace(before, by: account)] + ended + out + [.event(event)])
        }
    }

    private struct AdditionParameters: Sendable {
        let account: AccountRef
        let email: String?
    }

    private static let plan = CatalogQueryPlan(for: AdditionParameters.self) { query in
        (
            account: query.row(Account.table.key) { [.of($0.account.tenant), .of($0.account.account)] },
            ofEmail: query.part(EmailQueries.init) { .init(email: $0.email, tenant: $0.account.tenant) },
            credentials: query.rows(AccountCredential.ofAccount, upTo: .everything) {
                [.of($0.account.tenant), .of($0.account.account)]
            },
            signIns: query.rows(SignIn.ofAccount, upTo: .everything) {
                [.of($0.account.tenant), .of($0.account.account)]
            }
        )
    }
}

/// Finds the accounts with an e-mail address at a marketplace, compared by its fold.
struct EmailQueries: Sendable {
    private let accounts: RowsQuery<Account>

    /// The account's address, `nil` if it has no address, and the tenant of the marketplace.
    struct Parameters: Sendable {
        let email: String?
        let tenant: TenantID
    }

    init(_ query: inout QueryBuilder<Parameters>) {
        query.hold(Self.turn) { bound in bound.email.map { [.of(bound.tenant), .of(FoldedText($0))] } ?? [] }
        accounts = query.rows(Account.byEmail, upTo: 2) { [.of($0.tenant), .of($0.email.map { FoldedText($0) })] }
    }

    /// Serializes transactions that claim the same address, because a free address has no row to lock.
    ///
    /// The parameters are the tenant and the address's fold.
    private static let turn = QueryLock(
        [.text, .text],
        postgres: """
            SELECT hashtextextended(tenant || '/email/' || email, 0)
            FROM unnest($1::text[], $2::text[]) AS w (tenant, email)
            """)

    /// Another account with the address; `nil` if there is no other.
    func other(than ref: AccountRef, in results: QueryResult) -> AccountID? {
        results[accounts].first { $0.ref != ref }?.ref.account
    }
}

extension Account {
    static let plan = CatalogQueryPlan(for: AccountRef.self) { query in
        query.row(Account.table.key) { [.of($0.tenant), .of($0.account)] }
    }
}

extension Account {
    package func event(
        _ kind: EventKind, by actor: Actor, at now: Timestamp, _ detail: [Reason.Evidence] = []
    ) -> Event {
        Event(kind, at: now, actor: actor, about: .init(ref), facts: detail)
    }
}
