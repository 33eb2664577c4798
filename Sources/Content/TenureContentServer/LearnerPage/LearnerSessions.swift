import TenureContent
package import TenureCore
import TenureCrypto
import TenureFormats
package import TenureServerKit
import TenureStore

/// Creates one-time links to the learner page, and opens, finds and closes sessions.
///
/// Links, sessions and device tokens are the same kind of record, so ending a holder's credentials ends all of them.
package struct LearnerSessions: Sendable {
    let context: ContentContext

    package init(_ context: ContentContext) { self.context = context }

    /// A one-time link; its text isn't stored anywhere else.
    package struct Link: Sendable {
        /// The path on this server, `/content/TENANT/learner/link/TEXT`.
        ///
        /// The text contains 256 random bits.
        package let path: String
        /// When the link expires, whether it was used or not.
        package let expiresAt: Timestamp
    }

    /// Creates a link that opens one session on a holder's page; durable before this returns.
    package func makeLink(
        for holder: String, of tenant: TenantID, hours: Int, by actor: Actor
    ) async throws(ServerError) -> Link {
        let text = CredentialText.random()
        let now = context.clock.now()
        let link = HolderCredential(
            hash: text.hash, tenant: tenant, holder: holder, kind: .link, device: nil, createdAt: now,
            expiresAt: now.adding(seconds: Int64(hours) * 3_600))
        let event = link.event(.holderLinkMade, by: actor, at: now, [.init("expiresAt", .date(link.expiresAt))])
        try await change(link) { _ in TransactionResult((), [.insert(link), .event(event)]) }
        return Link(
            path: PagePath(PageSite.learner.place(of: tenant) + ["link", text.text]).text, expiresAt: link.expiresAt)
    }

    /// Whether a link would open a session; doesn't use it up.
    func isOpen(_ link: String, at tenant: TenantID) async throws(ServerError) -> Bool {
        guard let found = try await find(.sha256(of: link)), found.tenant == tenant else { return false }
        return found.works(as: .link, at: context.clock.now())
    }

    /// Opens a session with a link, which can't be used again.
    ///
    /// Returns `nil` if the link was used, has expired, was ended, or is unknown to this tenant, without saying which.
    /// The changes and the event are saved in one transaction, so only one of two concurrent requests succeeds. Throws
    /// ``ServerError``.
    func open(_ link: String, at tenant: TenantID) async throws(ServerError) -> SessionToken? {
        let (now, token) = (context.clock.now(), SessionToken.random())
        guard let found = try await find(.sha256(of: link)), found.tenant == tenant else { return nil }
        return try await change(found) { link in
            guard let unused = link, unused.works(as: .link, at: now) else { return TransactionResult(nil) }
            let session = HolderCredential(
                hash: token.hash, tenant: tenant, holder: unused.holder, kind: .session, device: nil, createdAt: now,
                expiresAt: now.adding(seconds: SessionToken.lifetime))
            let event = session.event(.holderSessionOpened, by: .holder, at: now, [session.reference])
            return TransactionResult(
                token, [.replace(unused, by: unused.ended(at: now)), .insert(session), .event(event)])
        }
    }

    /// Returns the holder of a session; `nil` if the session isn't valid at this tenant.
    func holder(_ token: SessionToken, at tenant: TenantID) async throws(ServerError) -> String? {
        guard let session = try await find(token.hash), session.tenant == tenant,
            session.works(as: .session, at: context.clock.now())
        else { return nil }
        return session.holder
    }

    /// Ends a session and records an event.
    ///
    /// Does nothing if the session has already ended. Throws ``ServerError``.
    func close(_ token: SessionToken, at tenant: TenantID) async throws(ServerError) {
        let now = context.clock.now()
        guard let found = try await find(token.hash), found.tenant == tenant else { return }
        try await change(found) { session -> TransactionResult<Void> in
            guard let open = session, open.works(as: .session, at: now) else { return TransactionResult(()) }
            let event = open.event(.holderSessionClosed, by: .holder, at: now, [open.reference])
            return TransactionResult((), [.replace(open, by: open.ended(at: now)), .event(event)])
        }
    }

    private func find(_ hash: Digest) async throws(ServerError) -> HolderCredential? {
        let plan = HolderCredential.byHash
        let results = try await asking { try await context.store.fetch(plan.bind(hash)) }
        return results[plan.queries]
    }

    /// Changes a credential under the holder's lock, so that ending all of the holder's credentials misses none.
    private func change<Answer: Sendable>(
        _ credential: HolderCredential, decide: @escaping @Sendable (HolderCredential?) -> TransactionResult<Answer>
    ) async throws(ServerError) -> Answer {
        let plan = Self.plan
        let bound = plan.bind(credential)
        return try await asking {
            try await context.store.perform(Transaction(bound) { results in decide(results[plan.queries]) })
        }
    }

    private static let plan = QueryPlan(for: HolderCredential.self) { query in
        query.hold(QueryLock.holder) { [.of($0.tenant), .of($0.holder)] }
        return query.row(HolderCredential.table.key) { [.of($0.hash)] }
    }
}

extension HolderCredential {
    /// Whether the credential has this kind and is valid.
    func works(as kind: Kind, at now: Timestamp) -> Bool {
        self.kind == kind && works(at: now)
    }

    /// The support reference that all events of a session contain, so that support can find them.
    var reference: Reason.Evidence { SupportReference(of: hash).evidence }

    /// An event about a link or session of the holder.
    fileprivate func event(
        _ kind: EventKind, by actor: Actor, at now: Timestamp, _ facts: [Reason.Evidence]
    ) -> Event {
        Event(
            kind, at: now, actor: actor, about: Event.Subject(tenant: tenant),
            facts: [.init("holder", .text(holder))] + facts)
    }
}
