public import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

/// An account as a catalog file names it; what is nil is left as it is.
public struct ListedAccount: Sendable, Hashable {
    /// Its name.
    public let ref: AccountRef
    /// Where the person can be written to.
    public let email: String?
    /// The apps that are granted to it.
    public let apps: [AppleItemID]
    /// When those grants end.
    public let end: LicenseEdit.End?
}

extension ListedAccount {
    /// What the decision looks at: the account and its grants of the listed apps, while nobody else changes them.
    private struct Looks: Sendable {
        let account: RowLook<Account>
        let ofEmail: EmailLooks
        let grants: RowsLook<AppGrant>

        init(_ ask: inout Asking) {
            ask.hold(AppLicense.turnOfAccount)
            account = ask.row(Account.table.key)
            ofEmail = EmailLooks(&ask)
            grants = ask.each(AppGrant.table.key)
        }

        static let form = LoadForm(Looks.init)
    }

    /// The form, filled in.
    var asked: Asked {
        let name: [StoredValue] = [.of(ref.tenant), .of(ref.account)]
        return Looks.form.asked(
            all: name + [.of(email), .of(ref.tenant)], lists: [name, apps.flatMap { name + [.of($0)] }])
    }

    /// What makes the stored account and its grants say what the file says, without ever making one more permissive.
    ///
    /// An end is taken over in both directions, but a grant that was ended or is over stays so: granting it again is
    /// what `tenure account grant` is for. What the file does not name is left alone.
    func decide(over seen: Seen, by actor: Actor, at now: Timestamp) -> (changes: [PlannedChange], saves: [Save]) {
        var changes: [PlannedChange] = []
        var saves: [Save] = []
        let looks = Looks.form.looks
        let stored = seen[looks.account]
        var email = email
        if email != stored?.email, let other = looks.ofEmail.other(than: ref, in: seen) {
            email = nil
            changes.append(
                PlannedChange(
                    .keep, "account", ref.description,
                    "\(other) has the e-mail address; with two accounts of one nobody could sign in with it"))
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
            saves += [.insert(account), .event(account.event(.accountAdded, by: actor, at: now))]
        }
        let grants = seen[looks.grants]
        for item in apps {
            let grant = grants.first { $0.item == item }
            let (change, consequences) = decide(item, over: grant, by: actor, at: now)
            if let change { changes.append(change) }
            saves += [Save](consequences, over: [], grant)
        }
        return (changes, saves)
    }

    private func decide(
        _ item: AppleItemID, over grant: AppGrant?, by actor: Actor, at now: Timestamp
    ) -> (PlannedChange?, AppConsequences) {
        let name = "\(ref) \(item)"
        guard let grant else {
            let granted = AppGrant.grant(item, to: ref, until: end?.moment, over: nil, by: actor, at: now)
            return (PlannedChange(.create, "grant", name, "until \(Self.text(end?.moment))"), granted)
        }
        if let ended = grant.endedAt {
            return (keep(name, "it was ended on \(ended)"), .none)
        }
        guard let end, end.moment != grant.term.end else { return (nil, .none) }
        guard grant.isOpen(at: now) else {
            return (keep(name, "it was over on \(Self.text(grant.term.end))"), .none)
        }
        let line = PlannedChange(
            .update, "grant", name, "until \(Self.text(grant.term.end)) -> \(Self.text(end.moment))")
        return (line, AppGrant.grant(item, to: ref, until: end.moment, over: grant, by: actor, at: now))
    }

    private func keep(_ name: String, _ why: String) -> PlannedChange {
        PlannedChange(.keep, "grant", name, "\(why); to open it again, use `tenure account grant`")
    }

    private static func text(_ end: Timestamp?) -> String { end?.description ?? "never" }
}
