package import TenureCore
import TenureStore

/// Opens, finds and closes the sessions on a site's pages.
package struct PageSessions<Row: PageCredential>: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock

    package init(_: Row.Type = Row.self, catalog: CatalogCache, clock: any WallClock) {
        self.catalog = catalog
        self.clock = clock
    }

    /// Whether a link would open a session. Doesn't use the link up.
    ///
    /// Throws ``ServerError`` if the store fails, or if it may have lost the link's record.
    package func isOpen(_ link: String, at tenant: TenantID) async throws(ServerError) -> Bool {
        try existing(try await find(.sha256(of: link), as: .link, at: tenant), link) != nil
    }

    /// Opens a session with a one-time link, which can't be used again.
    ///
    /// Returns `nil` if the link was used or ended, has expired, or is unknown to this tenant. The result doesn't tell
    /// which.
    ///
    /// The session, the used link and an event are saved in one transaction, so only one of two concurrent requests
    /// succeeds. Throws ``ServerError`` if the store fails, or if it may have lost the link's record.
    package func open(_ link: String, at tenant: TenantID) async throws(ServerError) -> SessionToken? {
        let (token, secrets) = (SessionToken.random(), try catalog.secrets)
        let used = try await use(.sha256(of: link), as: .link, at: tenant) { link, owner, now in
            [.replace(link, by: link.ended(at: now))]
                + token.opening(for: owner, by: "link", at: now, identity: owner.identity(under: secrets))
        }
        return try existing(used, link) == nil ? nil : token
    }

    /// Returns the owner of a session; `nil` if the session isn't valid at this tenant.
    ///
    /// Throws ``ServerError`` if the store fails, or if it may have lost the session's record.
    package func owner(of token: SessionToken, at tenant: TenantID) async throws(ServerError) -> Row.Owner? {
        try existing(try await find(token.hash, as: .session, at: tenant), token.text)
    }

    /// Saves the end of a session and an event. Does nothing if the session isn't valid at this tenant.
    package func close(_ token: SessionToken, at tenant: TenantID) async throws(ServerError) {
        let (reference, secrets) = (SupportReference(of: token.hash).evidence, try catalog.secrets)
        _ = try await use(token.hash, as: .session, at: tenant) { session, owner, now in
            [
                .replace(session, by: session.ended(at: now)),
                .event(
                    owner.event(Row.sessionEvents.closed, at: now, owner.identity(under: secrets) + [reference])),
            ]
        }
    }

    private enum Lookup: Sendable {
        case valid(Row, Row.Owner)
        /// The credential has ended, is of another kind or belongs to another tenant.
        case invalid
        /// The store has no such credential.
        case missing
    }

    /// Returns the owner of a valid credential. Throws if the store may have lost the credential's record.
    private func existing(_ lookup: Lookup, _ text: String) throws(ServerError) -> Row.Owner? {
        switch lookup {
        case .valid(_, let owner): return owner
        case .invalid: return nil
        case .missing:
            if CredentialText.isWellFormed(text) { try catalog.checkLoss() }
            return nil
        }
    }

    private func find(_ hash: Digest, as kind: Row.Kind, at tenant: TenantID) async throws(ServerError) -> Lookup {
        let results = try await catalog.store.fetch(Row.withOwner.bind(hash))
        return Self.lookup(results, as: kind, at: tenant, clock.now())
    }

    /// Saves the rows that the closure returns for a valid credential, in the transaction that checks the credential.
    private func use(
        _ hash: Digest, as kind: Row.Kind, at tenant: TenantID,
        _ saves: @escaping @Sendable (Row, Row.Owner, Timestamp) -> [RowWrite]
    ) async throws(ServerError) -> Lookup {
        let (now, bound) = (clock.now(), Row.withOwner.bind(hash))
        return try await catalog.store.perform(
            Transaction(bound) { results in
                let lookup = Self.lookup(results, as: kind, at: tenant, now)
                guard case .valid(let credential, let owner) = lookup else { return TransactionResult(lookup) }
                return TransactionResult(lookup, saves(credential, owner, now))
            })
    }

    private static func lookup(
        _ results: QueryResult, as kind: Row.Kind, at tenant: TenantID, _ now: Timestamp
    ) -> Lookup {
        let queries = Row.withOwner.queries
        guard let credential = results[queries.credential] else { return .missing }
        guard credential.works(as: kind, at: now), let owner = queries.owner(credential, results),
            owner.tenant == tenant
        else { return .invalid }
        return .valid(credential, owner)
    }
}
