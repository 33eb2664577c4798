import TenureCore
import TenureMarketplace
import TenureStore

/// A credential of an account for display: a token, a link, a session, or an app's sign-in.
struct CredentialSpec: Sendable, Hashable {
    /// The credential's id, such as `cred_` and 16 hex digits.
    let id: String
    /// The kind of credential, such as `token` or `sign-in code`.
    let kind: String
    let account: AccountRef
    let createdAt: Timestamp
    /// When the credential expires; `nil` if it never expires.
    let expiresAt: Timestamp?
    /// When the credential was used or ended; `nil` if neither has happened.
    let endedAt: Timestamp?

    init(_ credential: AccountCredential) {
        id = credential.id
        kind = credential.kind.rawValue
        account = credential.account
        createdAt = credential.createdAt
        expiresAt = credential.expiresAt
        endedAt = credential.endedAt
    }

    /// Creates a value from a sign-in, whose tokens count as one credential.
    init(_ signIn: SignIn) {
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

extension RecordStore {
    /// Reads all credentials of an account that haven't been deleted, oldest first.
    func listedCredentials(of account: AccountRef) async throws(Failure) -> [CredentialSpec] {
        let plan = CredentialSpec.ofAccount
        let signIns = try await fetch(plan.bind(account))[plan.queries]
        let all = try await credentials(of: account).map(CredentialSpec.init) + signIns.map(CredentialSpec.init)
        return all.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    /// Reads the sign-ins with an id, at most two.
    ///
    /// Two exist only if the first 64 bits of their hashes were made to collide deliberately.
    func signIns(named id: String) async throws(Failure) -> [SignIn] {
        guard let (first, last) = AccountCredential.range(ofID: id) else { return [] }
        return try await list(
            Listing(
                SignIn.table.all,
                where: [[Comparison("hash", .atLeast(.blob(first))), Comparison("hash", .atMost(.blob(last)))]],
                limit: 2))
    }
}

extension CredentialSpec {
    fileprivate static let ofAccount = QueryPlan(for: AccountRef.self) { query in
        query.rows(SignIn.ofAccount, upTo: .everything) { [.of($0.tenant), .of($0.account)] }
    }
}
