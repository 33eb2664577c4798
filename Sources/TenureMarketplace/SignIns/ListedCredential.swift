public import TenureCore
public import TenureStore

/// Something that an account proves itself with, as lists tell it: a token, a link, a session, or a sign-in of an app.
public struct ListedCredential: Sendable, Hashable {
    /// By what people name it.
    public let id: String
    /// What it is.
    public let kind: String
    /// Whose it is.
    public let account: AccountRef
    /// When it was made.
    public let createdAt: Timestamp
    /// When it ends; nil for one without an end.
    public let expiresAt: Timestamp?
    /// When it was used up or ended; nil while it works.
    public let endedAt: Timestamp?

    /// Tells one.
    public init(_ credential: AccountCredential) {
        id = credential.id
        kind = credential.kind.rawValue
        account = credential.account
        createdAt = credential.createdAt
        expiresAt = credential.expiresAt
        endedAt = credential.endedAt
    }

    /// Tells a sign-in: its tokens are one thing.
    package init(_ signIn: SignIn) {
        id = signIn.id
        kind =
            switch signIn.stage {
            case .link: "sign-in link"
            case .code: "sign-in code"
            case .handoff: "handoff"
            case .open: "sign-in"
            }
        account = signIn.account
        createdAt = signIn.createdAt
        expiresAt = signIn.expiresAt
        endedAt = signIn.endedAt
    }
}

extension Store {
    /// Reads all that an account proves itself with and that has not been forgotten, the oldest first.
    public func listedCredentials(of account: AccountRef) async throws(StoreError) -> [ListedCredential] {
        let form = ListedCredential.ofAccount
        let signIns = try await look(form.asked(.of(account.tenant), .of(account.account)))[form.looks]
        let all = try await credentials(of: account).map(ListedCredential.init) + signIns.map(ListedCredential.init)
        return all.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    /// Reads the sign-ins that go by an id.
    func signIns(named id: String) async throws(StoreError) -> [SignIn] {
        guard let (first, last) = AccountCredential.range(ofID: id) else { return [] }
        return try await list(
            Listing(
                SignIn.table.all,
                where: [[Comparison("hash", .atLeast(.blob(first))), Comparison("hash", .atMost(.blob(last)))]],
                limit: 2))
    }
}

extension ListedCredential {
    fileprivate static let ofAccount = LoadForm { ask in ask.rows(SignIn.ofAccount, upTo: Asking.everything) }
}
