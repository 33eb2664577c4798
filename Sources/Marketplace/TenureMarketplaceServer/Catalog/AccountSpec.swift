package import TenureCore
import TenureFormats
package import TenureMarketplace
package import TenureServerKit
package import TenureStore

/// An account in a catalog file; a `nil` value leaves the stored value unchanged.
package struct AccountSpec: Sendable, Hashable {
    package let ref: AccountRef
    package private(set) var email: String?
    /// The apps that the file grants to the account.
    package private(set) var apps: [AppleItemID] = []
    /// The grants' fields that the file sets, for all apps of the account.
    package internal(set) var terms: [AppGrant.FieldChange] = []

    /// An account that is being read, with the ids of the apps that the marketplace lists.
    struct Draft: Sendable {
        var listed: AccountSpec
        var existing: Set<AppleItemID> = []
    }

    /// The JSON schema of an account in a catalog file.
    static var schema: Schema { section.schema }

    private static let section = CatalogObject(
        "A customer account of the marketplace.", sample: Draft(listed: AccountSpec(ref: .sample)),
        [
            .id(schema: Schema.text(length: 1...128).described("1 to 128 bytes; the `account` in Apple's URLs.")),
            .text(
                "email", \.listed.email, longest: 254, pattern: EmailAddress.pattern,
                fault: {
                    EmailAddress.isOne($0) ? nil : "must be an e-mail address, without spaces or invisible characters"
                }),
            CatalogField(
                "apps",
                schema: { _ in
                    Schema.list(of: AppleItemID.schema.described("The app's Apple item id."))
                        .adding("uniqueItems", true).adding("default", [])
                        .described("Apps of this file that the account may use.")
                }
            ) { node, draft, reader in
                for element in reader.list(node) {
                    guard let item = reader.item(element) else { continue }
                    if !draft.existing.contains(item) {
                        reader.report(element, "the marketplace has no such app; add it to \"apps\"")
                    } else if draft.listed.apps.contains(item) {
                        reader.report(element, "the app is granted twice")
                    }
                    draft.listed.apps.append(item)
                }
            },
        ] + AppGrantField.all.map(\.listed))

    private init(ref: AccountRef) { self.ref = ref }

    /// Reads an account and its grants for apps of the file; `nil` if it has no valid id.
    init?(_ node: CatalogNode, granting apps: [AppleItemID: MarketplaceApp], _ reader: inout CatalogReader) {
        let members = Self.section.members(of: node, &reader)
        guard let idNode = members["id"] else {
            reader.report(node, "needs an \"id\"")
            return nil
        }
        guard case .string(let text) = idNode.value, let id = AccountID(text) else {
            reader.report(idNode, "must be a string of 1 to 128 bytes without control characters")
            return nil
        }
        var draft = Draft(
            listed: AccountSpec(ref: AccountRef(tenant: reader.tenant, account: id)), existing: Set(apps.keys))
        Self.section.fill(&draft, from: members, of: node, &reader)
        self = draft.listed
    }
}

extension AccountRef {
    /// A placeholder account for describing the schema.
    fileprivate static var sample: AccountRef {
        guard let id = AccountID("sample") else { preconditionFailure("\"sample\" is not an account id") }
        return AccountRef(tenant: .sample, account: id)
    }
}

extension AccountSpec: CatalogEntry {
    package func change(isDry: Bool, by actor: Actor, at now: Timestamp) -> Transaction<[PlannedChange]> {
        Transaction(bound) { results in
            let (changes, saves) = decide(over: results, by: actor, at: now)
            return TransactionResult(changes, isDry ? [] : saves)
        }
    }
}

extension AccountSpec {
    /// The queries of the decision: the account, other accounts with its e-mail address, and its grants for the listed
    /// apps.
    ///
    /// They run under the account's lock.
    private struct Queries: Sendable {
        let account: RowQuery<Account>
        let ofEmail: EmailQueries
        let grants: RowsQuery<AppGrant>

        init(_ query: inout QueryBuilder<AccountSpec>) {
            query.hold(AppLicense.turnOfAccount) { [.of($0.ref.tenant), .of($0.ref.account)] }
            account = query.row(Account.table.key) { [.of($0.ref.tenant), .of($0.ref.account)] }
            ofEmail = query.part(EmailQueries.init) { .init(email: $0.email, tenant: $0.ref.tenant) }
            grants = query.each(AppGrant.table.key) { listed in
                listed.apps.flatMap { [.of(listed.ref.tenant), .of(listed.ref.account), .of($0)] }
            }
        }

        static let plan = QueryPlan(Queries.init)
    }

    private var bound: BoundQuery { Queries.plan.bind(self) }

    /// Computes the changes that make the stored account and its grants match the file.
    ///
    /// The end of an open grant may become earlier or later. An ended or expired grant stays as it is; `tenure account
    /// grant` opens it again. Grants that the file doesn't name don't change.
    private func decide(over results: QueryResult, by actor: Actor, at now: Timestamp) -> (
        changes: [PlannedChange], saves: [RowWrite]
    ) {
        var changes: [PlannedChange] = []
        var saves: [RowWrite] = []
        let queries = Queries.plan.queries
        let stored = results[queries.account]
        if let deletedAt = stored?.deletedAt {
            let why = "it was deleted on \(deletedAt), and its id can't be used again; remove it from the file"
            return ([PlannedChange(.keep, "account", ref.description, why)], [])
        }
        var email = email
        if email != stored?.email, let other = queries.ofEmail.other(than: ref, in: results) {
            email = nil
            changes.append(
                PlannedChange(
                    .keep, "account", ref.description,
                    "\(other) has this e-mail address too; nobody can sign in with an address that two accounts share"))
        }
        if var account = stored {
            if let email, email != account.email {
                account.email = email
                changes.append(PlannedChange(.update, "account", ref.description, "email"))
                saves += [
                    .put(account, over: stored), .event(account.event(.accountChanged, by: actor, at: now)),
                ]
            }
        } else {
            let account = Account(ref: ref, email: email, createdAt: now)
            changes.append(PlannedChange(.create, "account", ref.description))
            if EmailAddress.isOne(ref.account.text) {
                changes.append(PlannedChange(.note, "account", ref.description, AccountRef.warning))
            }
            saves += [.insert(account), .event(account.event(.accountAdded, by: actor, at: now))]
        }
        let grants = results[queries.grants]
        for item in apps {
            let grant = grants.first { $0.item == item }
            let (change, consequences) = decide(item, over: grant, by: actor, at: now)
            if let change { changes.append(change) }
            saves.add(consequences, over: [], grant)
        }
        return (changes, saves)
    }

    private func decide(
        _ item: AppleItemID, over grant: AppGrant?, by actor: Actor, at now: Timestamp
    ) -> (PlannedChange?, AppLicense.Consequences) {
        let name = "\(ref) \(item)"
        guard let grant else {
            let granted = AppGrant.grant(item, to: ref, terms, over: nil, by: actor, at: now)
            return (PlannedChange(.create, "grant", name, "until \(Self.text(granted.grant?.term.end))"), granted)
        }
        if let ended = grant.endedAt {
            return (keep(name, "it was ended on \(ended)"), .none)
        }
        guard grant.isChanged(by: terms) else { return (nil, .none) }
        guard grant.isOpen(at: now) else {
            return (keep(name, "it expired on \(Self.text(grant.term.end))"), .none)
        }
        let granted = AppGrant.grant(item, to: ref, terms, over: grant, by: actor, at: now)
        let line = PlannedChange(
            .update, "grant", name, "until \(Self.text(grant.term.end)) -> \(Self.text(granted.grant?.term.end))")
        return (line, granted)
    }

    private func keep(_ name: String, _ why: String) -> PlannedChange {
        PlannedChange(.keep, "grant", name, "\(why); to grant it again, use `tenure account grant`")
    }

    private static func text(_ end: Timestamp?) -> String { end?.description ?? "never" }
}
