package import TenureCore
import TenureFormats
package import TenureMarketplace
public import TenureStore

extension SignIn.Means: StorableCode {}
extension SignIn.Stage: StorableCode {}

extension RefreshFamily.ReplacedTokens: StorableAs {
    /// The text that `description` returns.
    package var simple: String { description }
    /// Parses the text that ``simple`` returns; returns `nil` for any other text.
    package init?(simple: String) { self.init(simple) }
}

extension SignIn: Stored {
    package static let table = Table<SignIn>(
        "sign_ins", key: ["hash"],
        [
            Field("hash") { $0.hash }, Field("tenant") { $0.account.tenant },
            Field("account", namesPerson: true) { $0.account.account },
            Field("means") { $0.means }, Field("stage") { $0.stage }, Field("secret") { $0.secret },
            Field("former") { $0.former }, Field("newest") { $0.family.newest }, Field("used") { $0.family.used },
            Field("used_at") { $0.family.usedAt }, Field("is_taken") { $0.family.isTaken },
            Field("replaced") { $0.family.replaced }, Field("client") { $0.binding?.client },
            Field("challenge") { $0.binding?.challenge }, Field("redirect") { $0.binding?.redirect },
            Field("access") { $0.access?.digest }, Field("access_at") { $0.access?.madeAt },
            Field("former_access") { $0.formerAccess?.digest }, Field("former_access_at") { $0.formerAccess?.madeAt },
            Field("created_at") { $0.createdAt }, Field("expires_at") { $0.expiresAt },
            Field("ended_at") { $0.endedAt },
        ],
        foreignKeys: [ForeignKey(to: Account.self)],
        indexes: [
            TableIndex("by_account", "tenant", "account"), TableIndex("by_expiry", "expires_at"),
            TableIndex("by_end", "ended_at", where: .isNotNull("ended_at")),
        ]
    ) { row in
        SignIn(
            hash: try row.next(), account: try row.account(), means: try row.next(), stage: try row.next(),
            secret: try row.next(), former: try row.next(),
            family: RefreshFamily(
                newest: try row.next(), used: try row.next(), usedAt: try row.next(), isTaken: try row.next(),
                replaced: try row.next()),
            binding: Binding(client: try row.next(), challenge: try row.next(), redirect: try row.next()),
            access: Access(digest: try row.next(), madeAt: try row.next()),
            formerAccess: Access(digest: try row.next(), madeAt: try row.next()),
            createdAt: try row.next(), expiresAt: try row.next(), endedAt: try row.next())
    }

    /// The sign-ins of an account, including ended ones.
    package static let ofAccount = table.set("of_account", "tenant", "account")
    /// All sign-ins, sorted by expiry.
    package static let byExpiry = table.set("by_expiry", order: [.up("expires_at")])
    /// The ended sign-ins, sorted by their end.
    package static let byEnd = table.set("by_end", where: .isNotNull("ended_at"), order: [.up("ended_at")])

    /// Reads a sign-in by the digest that all of its codes and tokens share.
    package static let plan = QueryPlan(for: Digest.self) { query in query.row(SignIn.table.key) { [.of($0)] } }

    /// Reads a sign-in with its account, in order to open a session with it.
    static let withAccount = QueryPlan(for: Digest.self) { query in
        let signIn = query.row(SignIn.table.key) { [.of($0)] }
        return (signIn: signIn, account: query.accountOf(signIn))
    }

    /// The key of a query: the digest of a sign-in and the account that the sign-in is for.
    struct OfAccount: Sendable {
        let account: AccountRef
        let signIn: Digest
    }
}

extension SignIn.Binding {
    /// Reads a binding from its columns; returns `nil` if the column of the client is empty.
    fileprivate init?(client: Digest?, challenge: Digest?, redirect: String?) {
        guard let client else { return nil }
        self.init(client: client, challenge: challenge, redirect: redirect)
    }
}

extension SignIn.Access {
    /// Reads an access token from its columns; returns `nil` unless both columns have a value.
    fileprivate init?(digest: Digest?, madeAt: Timestamp?) {
        guard let digest, let madeAt else { return nil }
        self.init(digest: digest, madeAt: madeAt)
    }
}

extension SignIn {
    /// The id for display, in the format of other credentials: `cred_` and the first 64 bits of the digest.
    package var id: String { "cred_" + Hex.encode(Array(hash.bytes.prefix(AccountCredential.idLength))) }

    package func event(_ kind: EventKind, by actor: Actor, at now: Timestamp, _ facts: [Reason.Evidence]) -> Event {
        Event(kind, at: now, actor: actor, about: .init(account), facts: facts + [.init("credential", .text(id))])
    }

    /// The rows to write for a new sign-in, or for a sign-in that replaces a row with the same digest.
    ///
    /// If the account then has too many sign-ins, the oldest are removed, ended ones first.
    package func beginning(beside others: [SignIn], at now: Timestamp) -> [RowWrite] {
        let beside = others.filter { $0.hash != hash }
        let surplus = beside.count - (Self.mostOfAccount - 1)
        let order = beside.sorted {
            ($0.works(at: now) ? 1 : 0, $0.createdAt) < ($1.works(at: now) ? 1 : 0, $1.createdAt)
        }
        let before = others.first { $0.hash == hash }
        return order.prefix(max(0, surplus)).map { RowWrite.remove($0) } + [.put(self, over: before)]
    }
}
