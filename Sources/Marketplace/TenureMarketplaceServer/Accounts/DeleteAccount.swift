import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

extension MarketplaceContext {
    /// Deletes an account, and ends its grants, credentials and licenses; `nil` if the account doesn't exist.
    ///
    /// One transaction marks the account as deleted, and ends its grants, tokens, links, sessions and sign-ins. Its
    /// licenses are then revoked in further transactions of at most 1,000 each; repeating an interrupted call revokes
    /// and lists the rest. The row stays without address and password, so that its id is never given to another
    /// account.
    ///
    /// - Parameter isDry: Whether to report what a deletion would end, without deleting the account.
    /// - Throws: ``ServerError`` if the store fails.
    func deleteAccount(
        _ ref: AccountRef, by actor: Actor, isDry: Bool = false
    ) async throws(ServerError) -> DeletedAccount? {
        let now = clock.now()
        let closed = try await catalog.perform(Self.plan.bind(ref)) {
            results, queries, _ -> TransactionResult<DeletedAccount?> in
            guard let account = results[queries.account] else { return TransactionResult(nil) }
            var deleted = DeletedAccount(account: isDry ? account : account.deleted(at: now), now: now)
            guard account.isOpen else { return TransactionResult(deleted) }
            deleted.wasOpen = true
            var saves: [RowWrite] = [
                .replace(account, by: deleted.account), .event(account.event(.accountDeleted, by: actor, at: now)),
            ]
            for grant in results[queries.grants] {
                let consequences = grant.end(by: actor, at: now)
                if grant.isOpen(at: now), let ended = consequences.grant {
                    deleted.grants.append(isDry ? grant : ended)
                }
                saves.add(consequences, over: [], grant)
            }
            let credentials = results[queries.credentials].filter { $0.works(at: now) }
            let signIns = results[queries.signIns].filter { $0.works(at: now) }
            deleted.credentials = credentials.count + signIns.count
            saves += credentials.map { .replace($0, by: $0.ended(at: now)) }
            saves += signIns.map { .replace($0, by: $0.ended(at: now)) }
            return TransactionResult(deleted, isDry ? [] : saves)
        }
        guard var deleted = closed else { return nil }
        try await store.eachPage(of: AppLicense.ofAccount, [.of(ref.tenant), .of(ref.account)]) {
            page throws(ServerError) in
            let open = page.filter { !$0.recordedState.isFinal }
            if !open.isEmpty { deleted.add(try await revoke(open, by: actor, at: now, isDry: isDry)) }
        }
        return deleted
    }

    /// Revokes licenses in one transaction, and returns those that this call revoked, in their state before the call.
    private func revoke(
        _ licenses: [AppLicense], by actor: Actor, at now: Timestamp, isDry: Bool
    ) async throws(ServerError) -> [AppLicense] {
        let plan = AppLicense.byIDs
        let bound = plan.bind(licenses.map(\.id))
        return try await store.perform(
            Transaction(bound) { results -> TransactionResult<[AppLicense]> in
                var revoked: [AppLicense] = []
                var saves: [RowWrite] = []
                for license in results[plan.queries] {
                    let decision = license.perform(.revoke, with: [], by: actor, at: now)
                    guard let consequences = decision.outcome, !consequences.isEmpty else { continue }
                    revoked.append(license)
                    saves.add(consequences, over: CollectionOfOne(license))
                }
                return TransactionResult(revoked, isDry ? [] : saves)
            })
    }

    private static let plan = CatalogQueryPlan(for: AccountRef.self) { query in
        query.hold(AppLicense.turnOfAccount) { [.of($0.tenant), .of($0.account)] }
        return (
            account: query.row(Account.table.key) { [.of($0.tenant), .of($0.account)] },
            grants: query.rows(AppGrant.ofAccount, upTo: .everything) { [.of($0.tenant), .of($0.account)] },
            credentials: query.rows(AccountCredential.ofAccount, upTo: .everything) {
                [.of($0.tenant), .of($0.account)]
            },
            signIns: query.rows(SignIn.ofAccount, upTo: .everything) { [.of($0.tenant), .of($0.account)] }
        )
    }
}

/// A deleted account, with the grants, licenses and credentials that ended with it.
struct DeletedAccount: Sendable, Hashable {
    let account: Account
    /// Whether the account was open before the deletion.
    var wasOpen = false
    /// The grants that were open before the deletion.
    var grants: [AppGrant] = []
    /// The revoked licenses that hadn't been replaced and hadn't expired, in their state before the deletion; at most
    /// ``licenseLimit``.
    private(set) var licenses: [AppLicense] = []
    /// The number of licenses that ``licenses`` would list without ``licenseLimit``.
    private(set) var licenseCount = 0
    /// Whether any license was revoked, including replaced and expired ones.
    private(set) var hasRevoked = false
    /// The number of tokens, links, sessions and sign-ins that were still valid.
    var credentials = 0
    /// The time of the deletion.
    let now: Timestamp

    /// The maximum number of licenses to list.
    static let licenseLimit = 1_000

    init(account: Account, now: Timestamp) {
        self.account = account
        self.now = now
    }

    mutating func add(_ revoked: [AppLicense]) {
        let current = revoked.filter { $0.isDeviceActive(at: now) && !$0.isReplaced }
        hasRevoked = hasRevoked || !revoked.isEmpty
        licenseCount += current.count
        licenses += current.prefix(max(0, Self.licenseLimit - licenses.count))
    }

    static let document = Document<DeletedAccount>(
        "DeletedAccount",
        Account.document.members { $0.account } + [
            .list("grants", of: AppGrant.document, "The grants that ended.") { deleted in
                deleted.grants.map { AsOf($0, at: deleted.now) }
            },
            .list(
                "licenses", of: AppLicense.document,
                "The devices' licenses that were revoked, as they were, at most \(licenseLimit)."
            ) { deleted in deleted.licenses.map { AsOf($0, at: deleted.now) } },
            .integer("licenseCount", "The number of those licenses, including those that aren't listed.") {
                Int64($0.licenseCount)
            },
            .integer("credentials", "The number of tokens, links, sessions and sign-ins that ended.") {
                Int64($0.credentials)
            },
        ])
}
