public import TenureCore
public import TenureFormats
package import TenureServerKit

/// How the operator's view writes accounts, grants and app licenses: the same members in the API and in `--json`.
extension JSONObjectWriter {
    /// The members of an account; of a password only whether there is one.
    public mutating func account(_ account: Account) { Account.document.write(account, into: &self) }

    /// The members of a grant at a moment.
    public mutating func appGrant(_ grant: AppGrant, at now: Timestamp) {
        AppGrant.document.write(AsOf(grant, at: now), into: &self)
    }

    /// The members of an app license; its state is the one at that moment. `licenseID` is the decimal number that
    /// devices know it by.
    public mutating func appLicense(_ license: AppLicense, at now: Timestamp) {
        member("id", license.id.description)
        member("licenseID", String(license.id.number))
        member("tenant", license.tenant.text)
        member("appleItemID", license.item.description)
        member("appleVersionID", license.asset.version.description)
        member("asset", license.asset.asset.text)
        member("account", license.account?.text)
        member("device", license.device.shortText)
        member("state", license.state(at: now).rawValue)
        member("startsAt", license.term.start.description)
        member("expiresAt", license.term.end?.description)
        member("issuedAt", license.issuedAt.description)
        member("failedAt", license.failedAt?.description)
        member("replaced", license.isReplaced)
    }

    /// The members of an explanation of an app license.
    public mutating func explanation(_ explanation: AppLicenseExplanation) {
        member("state", explanation.state.rawValue)
        member("changesAt", explanation.changesAt?.description)
        array("reasons") { list in
            for reason in explanation.reasons { list.object { $0.reason(reason) } }
        }
    }
}

extension Account {
    /// An account as it is told.
    package static let document = Document<Account>(
        "Account",
        [
            .text("id", "The account of Apple's URLs.") { $0.ref.account.text },
            .text("tenant", "The vendor.") { $0.ref.tenant.text },
            .textOrNull("email", "Where the person can be written to.") { $0.email },
            .boolean("hasPassword", "Whether the person can sign in with a password here.") { $0.passwordHash != nil },
            .moment("createdAt", "When it was made.") { $0.createdAt },
        ])
}

extension AppGrant {
    /// A grant as it is told at a moment.
    package static let document = Document<AsOf<AppGrant>>(
        "AppGrant",
        [
            .text("account", "Whose right it is.") { $0.value.account.account.text },
            .text("appleItemID", "Apple's number of the app.") { $0.value.item.description },
            .boolean("open", "Whether licenses are given now.") { $0.value.isOpen(at: $0.now) },
            .moment("startsAt", "When it began.") { $0.value.term.start },
            .momentOrNull("expiresAt", "When it ends; null for never.") { $0.value.term.end },
            .moment("grantedAt", "When it was last granted anew.") { $0.value.grantedAt },
            .momentOrNull("endedAt", "When it was ended; null while it was not.") { $0.value.endedAt },
        ])
}

extension Digest {
    /// Enough of it to tell devices apart: its first eight bytes in hexadecimal.
    public var shortText: String { Hex.encode(Array(bytes.prefix(8))) }
}
