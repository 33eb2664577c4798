import TenureContent
package import TenureCore
import TenureFormats
package import TenureServerKit
import TenureStore

/// A one-time link to a holder's page; its text isn't stored anywhere else.
package struct LearnerLink: Sendable {
    /// The path on this server, `/content/TENANT/learner/link/TEXT`.
    ///
    /// The text contains 256 random bits.
    package let path: String
    /// When the link expires, whether it was used or not.
    package let expiresAt: Timestamp
}

extension ContentContext {
    /// Creates a link that opens one session on a holder's page; durable before this returns.
    package func makeLearnerLink(
        for holder: String, of tenant: TenantID, hours: Int, by actor: Actor
    ) async throws(ServerError) -> LearnerLink {
        let text = CredentialText.random()
        let now = clock.now()
        let link = HolderCredential(
            hash: text.hash, tenant: tenant, holder: holder, kind: .link, device: nil, createdAt: now,
            expiresAt: now.adding(seconds: Int64(hours) * 3_600))
        let event = link.owner.event(
            .holderLinkMade, by: actor, at: now,
            link.owner.identity(under: try catalog.secrets) + [.init("expiresAt", .date(link.expiresAt))])
        // Under the holder's lock, so that ending all of the holder's credentials ends this one too.
        let bound = Self.holderLock.bind(link.owner)
        try await store.perform(Transaction(bound) { _ in TransactionResult((), [.insert(link), .event(event)]) })
        let path = PagePath(PageSite.learner.segments(of: tenant) + ["link", text.text])
        return LearnerLink(path: path.text, expiresAt: link.expiresAt)
    }

    private static let holderLock = QueryPlan(for: HolderName.self) { query in
        query.hold(QueryLock.holder) { [.of($0.tenant), .of($0.holder)] }
    }
}
