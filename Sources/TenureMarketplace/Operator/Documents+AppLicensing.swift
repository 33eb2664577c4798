public import TenureCore
public import TenureFormats

/// How the operator's view writes accounts, grants and app licenses: the same members in the API and in `--json`.
extension JSONObjectWriter {
    /// The members of an account; of a password only whether there is one.
    public mutating func account(_ account: Account) {
        member("id", account.ref.account.text)
        member("tenant", account.ref.tenant.text)
        member("email", account.email)
        member("hasPassword", account.passwordHash != nil)
        member("createdAt", account.createdAt.description)
    }

    /// The members of a grant at a moment.
    public mutating func appGrant(_ grant: AppGrant, at now: Timestamp) {
        member("account", grant.account.account.text)
        member("appleItemID", grant.item.description)
        member("open", grant.isOpen(at: now))
        member("startsAt", grant.term.start.description)
        member("expiresAt", grant.term.end?.description)
        member("grantedAt", grant.grantedAt.description)
        member("endedAt", grant.endedAt?.description)
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

extension Digest {
    /// Enough of it to tell devices apart: its first eight bytes in hexadecimal.
    public var shortText: String { Hex.encode(Array(bytes.prefix(8))) }
}
