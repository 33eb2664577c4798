import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

/// Opens, finds and closes the sessions of a license's page.
struct HolderSessions: Sendable {
    let licensing: LicensingContext

    /// Opens a session for the holder of a one-time link and uses the link up.
    ///
    /// Returns `nil` if the link was used before, has expired or doesn't belong to this vendor; the caller can't tell
    /// which. The session, the used link and an event are saved in one transaction, so only one of two concurrent
    /// requests succeeds. Throws ``ServerError``.
    func open(_ link: String, at tenant: TenantID) async throws(ServerError) -> SessionToken? {
        let (hash, now, token) = (Digest.sha256(of: link), licensing.clock.now(), SessionToken.random())
        guard let named = try await find(hash) else { return nil }
        return try await change(hash, of: named.license) { license, credential in
            guard let unused = credential, unused.kind == .link, unused.works(at: now),
                license.product.tenant == tenant
            else { return TransactionResult(nil) }
            let session = LicenseCredential(
                hash: token.hash, license: license.id, kind: .session, createdAt: now,
                expiresAt: now.adding(seconds: SessionToken.lifetime))
            return TransactionResult(
                token,
                [
                    .replace(unused, by: unused.ended(at: now)), .insert(session),
                    .event(session.event(.licenseSessionOpened, of: license, at: now)),
                ])
        }
    }

    /// Whether a link would open a session; doesn't use it up.
    func isOpen(_ link: String, at tenant: TenantID) async throws(ServerError) -> Bool {
        guard let found = try await find(.sha256(of: link)), found.kind == .link, found.works(at: licensing.clock.now())
        else { return false }
        return try await license(found.license, at: tenant) != nil
    }

    /// Returns the license of an active session of this tenant, or `nil`.
    func license(_ token: SessionToken, at tenant: TenantID) async throws(ServerError) -> License? {
        guard let session = try await find(token.hash), session.isSession(at: licensing.clock.now()) else { return nil }
        return try await license(session.license, at: tenant)
    }

    private func license(_ id: LicenseID, at tenant: TenantID) async throws(ServerError) -> License? {
        let found = try await asking {
            try await licensing.store.licenses(matching: LicenseName(.id(id), tenant: tenant, product: nil))
        }
        return found.first
    }

    /// Saves the session's end with its event; does nothing if the session has already ended.
    func close(_ token: SessionToken, at tenant: TenantID) async throws(ServerError) {
        let now = licensing.clock.now()
        guard let named = try await find(token.hash) else { return }
        try await change(token.hash, of: named.license) { license, credential in
            guard let open = credential, open.isSession(at: now), license.product.tenant == tenant else {
                return TransactionResult(())
            }
            return TransactionResult(
                (),
                [
                    .replace(open, by: open.ended(at: now)),
                    .event(open.event(.licenseSessionClosed, of: license, at: now)),
                ])
        }
    }

    private func find(_ hash: Digest) async throws(ServerError) -> LicenseCredential? {
        try await asking { try await licensing.store.licenseCredential(hash) }
    }

    private func change<Answer: Sendable>(
        _ hash: Digest, of license: LicenseID,
        decide: @escaping @Sendable (License, LicenseCredential?) -> TransactionResult<Answer>
    ) async throws(ServerError) -> Answer {
        let queries = Self.plan.queries
        let bound = Self.plan.bind(.init(license: license, credential: hash))
        let answer = try await asking {
            try await licensing.store.perform(
                Transaction(bound) { results -> TransactionResult<Answer?> in
                    guard let license = results[queries.license] else { return TransactionResult(nil) }
                    let saving = decide(license, results[queries.credential])
                    return TransactionResult(saving.answer, saving.saves)
                })
        }
        guard let answer else {
            throw ServerError(
                .catalogInconsistent, "A credential refers to the license \(license), which doesn't exist.")
        }
        return answer
    }

    private struct Parameters: Sendable {
        let license: LicenseID
        let credential: Digest
    }

    private static let plan = QueryPlan(for: Parameters.self) { query in
        (
            license: query.row(License.table.key) { [.of($0.license)] },
            credential: query.licenseCredential { $0.credential }
        )
    }
}

extension LicenseCredential {
    /// Whether the credential is a session that is active at `now`.
    func isSession(at now: Timestamp) -> Bool { kind == .session && works(at: now) }

    /// An event about an action of the holder in this session.
    fileprivate func event(_ kind: EventKind, of license: License, at now: Timestamp) -> Event {
        Event(
            kind, at: now, actor: .holder, about: license.subject,
            facts: [SupportReference(of: hash).evidence])
    }
}
