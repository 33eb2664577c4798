import TenureContent
package import TenureCore
package import TenureServerKit
package import TenureStore

/// A holder's links, sessions and device tokens are the same kind of record, so ending the holder's credentials ends
/// all of them.
extension HolderCredential: PageCredential {
    package init(sessionOf owner: HolderName, hash: Digest, createdAt: Timestamp, expiresAt: Timestamp) {
        self.init(
            hash: hash, tenant: owner.tenant, holder: owner.holder, kind: .session, device: nil, createdAt: createdAt,
            expiresAt: expiresAt)
    }

    package static let withOwner = QueryPlan(for: Digest.self) { query in
        query.hold(QueryLock.holderOfCredential) { [.of($0)] }
        return PageCredentialQueries(query.row(HolderCredential.table.key) { [.of($0)] }) { credential, _ in
            credential.owner
        }
    }

    package static let sessionEvents = SessionEvents(opened: .holderSessionOpened, closed: .holderSessionClosed)

    var owner: HolderName { HolderName(tenant: tenant, holder: holder) }

    /// The support reference that all events of a session contain, so that support can find them.
    var reference: Reason.Evidence { SupportReference(of: hash).evidence }
}

extension RecordStore {
    /// Finds the holder whose session on a learner's page has a reference; `nil` after the session was deleted.
    func holder(ofSession reference: SupportReference, at tenant: TenantID) async throws(Failure) -> String? {
        let (first, last) = reference.hashes
        return try await list(
            Listing(
                HolderCredential.table.all,
                where: [
                    [
                        Comparison("hash", .atLeast(.of(first))), Comparison("hash", .atMost(.of(last))),
                        .equals("tenant", tenant), .equals("kind", HolderCredential.Kind.session),
                    ]
                ], limit: 1)
        ).first?.holder
    }
}

extension HolderCredential.Kind: PageCredentialKind {}

extension HolderName: PageOwner {
    package typealias Credential = HolderCredential

    package var whose: PageFrame.Whose { .person(holder) }
    package var limitName: String { holder }

    package func event(_ kind: EventKind, at now: Timestamp, _ facts: [Reason.Evidence]) -> Event {
        event(kind, by: .holder, at: now, facts)
    }

    func event(_ kind: EventKind, by actor: Actor, at now: Timestamp, _ facts: [Reason.Evidence]) -> Event {
        Event(kind, at: now, actor: actor, about: Event.Subject(tenant: tenant), facts: facts)
    }

    package func identity(under secrets: StoreSecrets) -> [Reason.Evidence] {
        [.init(Event.holderRefName, .text(secrets.holderRef(holder, of: tenant)))]
    }
}
