package import TenureCore
package import TenureFormats
package import TenureMarketplace
package import TenureServerKit

/// Writes accounts, grants and app licenses in the JSON format of the operator API and of `--json`.
extension JSONObjectWriter {
    /// Writes the members of an account. A member shows whether it has a password; the password hash isn't written.
    package mutating func account(_ account: Account) { Account.document.write(account, into: &self) }

    /// Writes the members of a grant with its state at the given time.
    package mutating func appGrant(_ grant: AppGrant, at now: Timestamp) {
        AppGrant.document.write(AsOf(grant, at: now), into: &self)
    }

    /// Writes the members of an app license with its state at the given time.
    ///
    /// `licenseID` is the decimal number that devices use.
    package mutating func appLicense(_ license: AppLicense, at now: Timestamp) {
        AppLicense.document.write(AsOf(license, at: now), into: &self)
    }

    /// Writes the members of an explanation of an app license.
    package mutating func explanation(_ explanation: AppLicense.Explanation) {
        AppLicense.Explanation.document.write(explanation, into: &self)
    }
}

extension AppLicense {
    /// The JSON representation of an app license at a point in time.
    package static let document = Document<AsOf<AppLicense>>(
        "AppLicense",
        [
            .text("id", "Its id on this server: `lic_` and 13 digits.") { $0.value.id.description },
            .text("licenseID", "The decimal license id that devices use.") { String($0.value.id.number) },
            .text("tenant", "The vendor.") { $0.value.tenant.text },
            .text("appleItemID", "The app's Apple item id.") { $0.value.item.description },
            .text("appleVersionID", "The Apple version id.") { $0.value.asset.version.description },
            .text("asset", "The asset that its key decrypts.") { $0.value.asset.asset.text },
            .textOrNull("account", "The account it belongs to; null in an open marketplace.") {
                $0.value.account?.text
            },
            .text("device", "The device's public id, as in events.") { $0.value.device.shortText },
            .choice("state", "Its current state.") { $0.value.state(at: $0.now) },
            .dateTime("startsAt", "When its term starts.") { $0.value.term.start },
            .momentOrNull("expiresAt", "When its term ends (exclusive); null if it never expires.") {
                $0.value.term.end
            },
            .dateTime("issuedAt", "When it was issued.") { $0.value.issuedAt },
            .momentOrNull(
                "failedAt",
                "When a renewal was last refused in this term, or the license couldn't be written; null if never."
            ) { $0.value.failedAt },
            .boolean("replaced", "Whether the device has a newer license for the app.") { $0.value.hasNewer },
        ])
}

extension AppLicense.Explanation {
    /// The JSON representation of an app license's state and why its device can't renew it.
    package static let document = Document<AppLicense.Explanation>(
        nil,
        [
            .choice("state", "Its current state.") { $0.state },
            .momentOrNull("changesAt", "When this changes automatically.") { $0.changesAt },
            .list("reasons", of: Reason.document) { $0.reasons },
        ])
}

extension Account {
    package static let document = Document<Account>(
        "Account",
        [
            .text("id", "The account id, as `account` in Apple's URLs.") { $0.ref.account.text },
            .text("tenant", "The vendor.") { $0.ref.tenant.text },
            .textOrNull("email", "The person's e-mail address.") { $0.email },
            .boolean("hasPassword", "Whether the person can sign in here with a password.") { $0.passwordHash != nil },
            .dateTime("createdAt", "When it was created.") { $0.createdAt },
            .momentOrNull("deletedAt", "When it was deleted; null if it wasn't.") { $0.deletedAt },
        ])
}

extension Digest {
    /// The first eight bytes in hexadecimal, enough to tell devices apart.
    package var shortText: String { Hex.encode(Array(bytes.prefix(8))) }
}
