import TenureCore
import TenureCrypto
import TenureFormats
import TenureMarketplace
import TenureServerKit
import TenureStore

/// An account's new credential with the only copy of its text.
struct NewAccountCredential: Sendable {
    /// The stored record, which doesn't contain the text.
    let credential: AccountCredential
    /// The text, to be shown only once.
    ///
    /// It has 256 random bits in base64url; a token also has the prefix `tenure_at_`.
    let text: String
}

extension AccountCredential {
    /// The prefix of the texts of accounts' tokens.
    static let tokenPrefix = "tenure_at_"
}

extension MarketplaceContext {
    /// Creates a token for an account's devices and apps, and saves it durably; `nil` if the account doesn't exist.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func makeToken(
        for ref: AccountRef, expiresAt: Timestamp? = nil, by actor: Actor
    ) async throws(ServerError) -> NewAccountCredential? {
        try await makeCredential(.token, .random(prefix: AccountCredential.tokenPrefix), ref, expiresAt, by: actor)
    }

    /// Creates a link that opens one session on the resolution page, and saves it durably; `nil` if the account doesn't
    /// exist.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func makeLink(
        for ref: AccountRef, expiresAt: Timestamp, by actor: Actor
    ) async throws(ServerError) -> NewAccountCredential? {
        try await makeCredential(.link, .random(), ref, expiresAt, by: actor)
    }

    /// Ends a credential durably and returns whether this call changed it; `nil` if the id is unknown or ambiguous.
    ///
    /// Repeating the call changes nothing.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func endCredential(
        _ id: String, by actor: Actor
    ) async throws(ServerError) -> (credential: CredentialSpec, changed: Bool)? {
        let found = try await store.credentials(named: id)
        let signIns = try await store.signIns(named: id)
        guard found.count + signIns.count == 1 else { return nil }
        if let named = signIns.first { return try await endSignIn(named.hash, by: actor) }
        guard let named = found.first else { return nil }
        let (now, plan) = (clock.now(), AccountCredential.plan)
        let bound = plan.bind(named.hash)
        return try await store.perform(
            Transaction(bound) { results -> TransactionResult<(credential: CredentialSpec, changed: Bool)?> in
                guard let before = results[plan.queries] else { return TransactionResult(nil) }
                guard before.works(at: now) else { return TransactionResult((CredentialSpec(before), false)) }
                let after = before.ended(at: now)
                let event = Event(
                    .accountCredentialEnded, at: now, actor: actor, about: .init(before.account),
                    facts: [.init("kind", .text(before.kind.rawValue)), .init("credential", .text(before.id))])
                return TransactionResult(
                    (CredentialSpec(after), true), [.replace(before, by: after), .event(event)])
            })
    }

    private func endSignIn(
        _ hash: Digest, by actor: Actor
    ) async throws(ServerError) -> (credential: CredentialSpec, changed: Bool)? {
        let (now, plan) = (clock.now(), SignIn.plan)
        return try await store.perform(
            Transaction(plan.bind(hash)) {
                results -> TransactionResult<(credential: CredentialSpec, changed: Bool)?> in
                guard let before = results[plan.queries] else { return TransactionResult(nil) }
                guard before.works(at: now) else { return TransactionResult((CredentialSpec(before), false)) }
                let after = before.ended(at: now)
                let kind = CredentialSpec(before).kind
                let event = before.event(
                    .accountCredentialEnded, by: actor, at: now, [.init("kind", .text(kind))])
                return TransactionResult(
                    (CredentialSpec(after), true), [.replace(before, by: after), .event(event)])
            })
    }

    private func makeCredential(
        _ kind: AccountCredential.Kind, _ text: CredentialText, _ ref: AccountRef, _ expiresAt: Timestamp?,
        by actor: Actor
    ) async throws(ServerError) -> NewAccountCredential? {
        let now = clock.now()
        let credential = AccountCredential(
            hash: text.hash, account: ref, kind: kind, createdAt: now, expiresAt: expiresAt)
        return try await catalog.perform(Account.plan.bind(ref)) { results, account, _ in
            guard let account = results[account], account.isOpen else { return TransactionResult(nil) }
            let event = account.event(
                .accountTokenMade, by: actor, at: now,
                [
                    .init("kind", .text(kind.rawValue)),
                    .init("expiresAt", expiresAt.map { .date($0) } ?? .text("never")),
                ])
            return TransactionResult(
                NewAccountCredential(credential: credential, text: text.text), [.insert(credential), .event(event)])
        }
    }
}
