public import TenureCore
import TenureCrypto
import TenureFormats
import TenureMarketplace
public import TenureServerKit
import TenureStore

/// Creates account credentials: tokens for devices and apps, and links to the resolution page.
public struct MakeAccountCredential: Sendable {
    let context: MarketplaceContext

    /// Creates the use case.
    public init(_ context: MarketplaceContext) { self.context = context }

    /// The prefix of the texts of accounts' tokens.
    static let tokenPrefix = "tenure_at_"

    /// A credential with the only copy of its text.
    public struct Made: Sendable {
        /// The stored record, which doesn't contain the text.
        public let credential: AccountCredential
        /// The text, to be shown only once.
        ///
        /// It has 256 random bits in base64url; a token also has the prefix `tenure_at_`.
        public let text: String
    }

    /// Creates a token and saves it durably; `nil` if the account doesn't exist.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    public func token(
        of ref: AccountRef, expiresAt: Timestamp? = nil, by actor: Actor
    ) async throws(ServerError) -> Made? {
        try await make(.token, .random(prefix: Self.tokenPrefix), ref, expiresAt, by: actor)
    }

    /// Creates a link that opens one session, and saves it durably; `nil` if the account doesn't exist.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    public func link(
        of ref: AccountRef, expiresAt: Timestamp, by actor: Actor
    ) async throws(ServerError) -> Made? {
        try await make(.link, .random(), ref, expiresAt, by: actor)
    }

    /// Ends a credential durably and returns whether this call changed it; `nil` if the id is unknown or ambiguous.
    ///
    /// Repeating the call changes nothing.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    public func end(
        _ id: String, by actor: Actor
    ) async throws(ServerError) -> (credential: CredentialSpec, changed: Bool)? {
        let store = context.catalog.store
        let found = try await store.credentials(named: id)
        let signIns = try await store.signIns(named: id)
        guard found.count + signIns.count == 1 else { return nil }
        if let named = signIns.first { return try await end(signIn: named.hash, by: actor) }
        guard let named = found.first else { return nil }
        let (now, plan) = (context.clock.now(), AccountCredential.plan)
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

    private func end(
        signIn hash: Digest, by actor: Actor
    ) async throws(ServerError) -> (credential: CredentialSpec, changed: Bool)? {
        let (store, now, plan) = (context.catalog.store, context.clock.now(), SignIn.plan)
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

    private func make(
        _ kind: AccountCredential.Kind, _ text: CredentialText, _ ref: AccountRef, _ expiresAt: Timestamp?,
        by actor: Actor
    ) async throws(ServerError) -> Made? {
        let now = context.clock.now()
        let credential = AccountCredential(
            hash: text.hash, account: ref, kind: kind, createdAt: now, expiresAt: expiresAt)
        return try await context.catalog.perform(Account.plan.bind(ref)) { results, account, _ in
            guard let account = results[account], account.isOpen else { return TransactionResult(nil) }
            let event = account.event(
                .accountTokenMade, by: actor, at: now,
                [
                    .init("kind", .text(kind.rawValue)),
                    .init("expiresAt", expiresAt.map { .date($0) } ?? .text("never")),
                ])
            return TransactionResult(
                Made(credential: credential, text: text.text), [.insert(credential), .event(event)])
        }
    }
}
