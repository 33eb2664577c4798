package import TenureCore
package import TenureMarketplace
package import TenureServerKit
import TenureStore

/// Deletes an account with everything that it holds.
package struct DeleteAccount: Sendable {
    let context: MarketplaceContext

    package init(_ context: MarketplaceContext) { self.context = context }

    /// Deletes an account in one transaction; `nil` if it doesn't exist.
    ///
    /// Its grants end, its licenses are revoked, and its tokens, links, sessions and sign-ins end. The row stays
    /// without address and password, so that its id is never given to another account. Repeating the call changes
    /// nothing.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    package func callAsFunction(_ ref: AccountRef, by actor: Actor) async throws(ServerError) -> DeletedAccount? {
        let now = context.clock.now()
        return try await context.catalog.perform(Self.plan.bind(ref)) { results, queries, _ in
            guard let account = results[queries.account] else { return TransactionResult(nil) }
            var deleted = DeletedAccount(account: account.deleted(at: now), now: now)
            guard account.isOpen else { return TransactionResult(deleted) }
            var saves: [RowWrite] = [
                .replace(account, by: deleted.account), .event(account.event(.accountDeleted, by: actor, at: now)),
            ]
            for grant in results[queries.grants] {
                let consequences = grant.end(by: actor, at: now)
                if grant.isOpen(at: now), let ended = consequences.grant { deleted.grants.append(ended) }
                saves.add(consequences, over: [], grant)
            }
            for license in results[queries.licenses] {
                let decision = license.perform(.revoke, with: [], by: actor, at: now)
                guard let consequences = decision.outcome, !consequences.isEmpty else { continue }
                if license.runs(at: now) { deleted.licenses.append(license) }
                saves.add(consequences, over: [license])
            }
            let credentials = results[queries.credentials].filter { $0.works(at: now) }
            let signIns = results[queries.signIns].filter { $0.works(at: now) }
            deleted.credentials = credentials.count + signIns.count
            saves += credentials.map { .replace($0, by: $0.ended(at: now)) }
            saves += signIns.map { .replace($0, by: $0.ended(at: now)) }
            deleted.licenses = deleted.licenses.currentOfEachDevice
            return TransactionResult(deleted, saves)
        }
    }

    /// Returns what a deletion would end; `nil` if the account doesn't exist.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    package func preview(_ ref: AccountRef) async throws(ServerError) -> DeletedAccount? {
        let now = context.clock.now()
        let store = context.store
        guard let account = try await asking({ try await store.account(ref) }) else { return nil }
        var deleted = DeletedAccount(account: account, now: now)
        guard account.isOpen else { return deleted }
        deleted.grants = try await asking { try await store.appGrants(of: ref) }.filter { $0.isOpen(at: now) }
        let all = try await asking { try await store.all(AppLicense.ofAccount, [.of(ref.tenant), .of(ref.account)]) }
        deleted.licenses = all.filter { $0.runs(at: now) }.currentOfEachDevice
        let credentials = try await asking { try await store.listedCredentials(of: ref) }
        deleted.credentials = credentials.count { $0.endedAt == nil && $0.expiresAt.map { $0 > now } ?? true }
        return deleted
    }

    private static let plan = CatalogQueryPlan(for: AccountRef.self) { query in
        query.hold(AppLicense.turnOfAccount) { [.of($0.tenant), .of($0.account)] }
        return (
            account: query.row(Account.table.key) { [.of($0.tenant), .of($0.account)] },
            grants: query.rows(AppGrant.ofAccount, upTo: .everything) { [.of($0.tenant), .of($0.account)] },
            licenses: query.rows(AppLicense.ofAccount, upTo: .everything) { [.of($0.tenant), .of($0.account)] },
            credentials: query.rows(AccountCredential.ofAccount, upTo: .everything) {
                [.of($0.tenant), .of($0.account)]
            },
            signIns: query.rows(SignIn.ofAccount, upTo: .everything) { [.of($0.tenant), .of($0.account)] }
        )
    }
}

/// An account that was deleted, and what ended with it.
package struct DeletedAccount: Sendable, Hashable {
    package let account: Account
    /// The grants that were open.
    package var grants: [AppGrant] = []
    /// The current license of each device and app, as it was before.
    package var licenses: [AppLicense] = []
    /// The number of tokens, links, sessions and sign-ins that worked.
    package var credentials = 0
    /// When this was read.
    package let now: Timestamp

    init(account: Account, now: Timestamp) {
        self.account = account
        self.now = now
    }

    /// The number of devices that have a license.
    package var devices: Int { Set(licenses.map(\.device)).count }

    package static let document = Document<DeletedAccount>(
        "DeletedAccount",
        Account.document.members { $0.account } + [
            .list("grants", of: AppGrant.document, "The grants that ended.") { deleted in
                deleted.grants.map { AsOf($0, at: deleted.now) }
            },
            .list("licenses", of: AppLicense.document, "The devices' licenses that were revoked, as they were.") {
                deleted in deleted.licenses.map { AsOf($0, at: deleted.now) }
            },
            .integer("credentials", "The number of tokens, links, sessions and sign-ins that ended.") {
                Int64($0.credentials)
            },
        ])
}

extension AppLicense {
    /// Whether a device may start the app with the license.
    fileprivate func runs(at now: Timestamp) -> Bool { !recordedState.isFinal && !term.isOver(at: now) }
}
