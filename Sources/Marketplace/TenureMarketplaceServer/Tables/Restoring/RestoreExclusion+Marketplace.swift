import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

extension RestoreExclusion {
    /// The revocations and other changes that restoring an older backup must not undo.
    static let marketplace = [
        RestoreExclusion(
            "app", of: AppRow.self, where: [[.equals("is_withdrawn", true)]],
            named: { "\($0.app.item) of \($0.tenant)" }
        ) { copied, later, _ in
            guard !copied.app.isDelisted else { return nil }
            var withdrawn = copied
            withdrawn.app.isDelisted = true
            return (withdrawn, ["withdrawn"])
        },
        RestoreExclusion(
            "app version", of: VersionRow.self, where: [[.equals("is_held", true)]],
            named: { "\($0.version.id) of \($0.item) of \($0.tenant)" }
        ) { copied, later, _ in
            guard !copied.version.isHeld else { return nil }
            var row = copied
            row.version.isHeld = true
            return (row, ["held back"])
        },
        // Apply App Store Connect's latest notification, whether it makes an app available or unavailable, because the
        // restored state is outdated.
        RestoreExclusion(
            adding: "availability", of: AvailabilityRow.self, under: TenantRow.table.key, parent: { [.of($0.tenant)] },
            named: { $0.package.isEmpty ? "\($0.item) of \($0.tenant)" : "\($0.package) of \($0.tenant)" }
        ) { copied, later, _ in
            guard later.availability.toldAt ?? .min > copied?.availability.toldAt ?? .min else { return nil }
            return (later, [later.availability.isWithdrawn ? "taken down" : "told anew"])
        },
        // A deleted account's id must not be used again, even if the backup doesn't contain the account.
        RestoreExclusion(
            adding: "account", of: Account.self, under: TenantRow.table.key, parent: { [.of($0.ref.tenant)] },
            named: { "\($0.ref)" }, about: { .account($0.ref) }
        ) { copied, later, changes in
            if let deletedAt = later.deletedAt {
                guard copied?.isOpen ?? true else { return nil }
                return ((copied ?? later).deleted(at: deletedAt), ["deleted"])
            }
            guard let copied, copied.isOpen, copied.passwordHash != later.passwordHash,
                changes.decide([.accountAdded, .accountChanged])
            else { return nil }
            var changed = copied
            changed.passwordHash = later.passwordHash
            return (changed, [later.passwordHash == nil ? "left without a password" : "given another password"])
        },
        .credentials("credential", of: AccountCredential.self) { "\($0.id) of \($0.account)" },
        // Apply a sign-in's progress: a used code or token must not work again, and the app with the newest token stays
        // signed in.
        RestoreExclusion(
            "sign-in", of: SignIn.self, named: { "\($0.id) of \($0.account)" },
            gone: RestoreExclusion.endIfWorking
        ) { copied, later, _ in
            guard copied != later else { return nil }
            // The shop created this link again for another account, which the backup may not contain. End the restored
            // sign-in instead.
            guard copied.account == later.account else { return (copied.ended(at: later.createdAt), ["ended"]) }
            // If the restored store has been in use, it may have ended the sign-in or issued newer tokens for it.
            if copied.endedAt != nil { return nil }
            if copied.isAhead(of: later) {
                return later.endedAt.map { (copied.ended(at: $0), ["ended"]) }
            }
            return (later, [later.endedAt != nil ? "ended" : "used"])
        },
        RestoreExclusion(
            "app grant", of: AppGrant.self, named: { "\($0.item) of \($0.account)" },
            about: { .grant($0.account, $0.item) },
            explained: { copied, later, _ in
                guard copied.endedAt == nil, later.endedAt != nil else { return nil }
                return (.grant(later.account, later.item), [.appGrantEnded, .appGranted])
            }
        ) {
            $0.takingBack($1, since: $2)
        },
        RestoreExclusion(
            "app license", of: AppLicense.self, named: \.id.description, about: { .license($0.id) },
            explained: { copied, later, _ in
                guard later.recordedState.takesBack(copied.recordedState) else { return nil }
                return (
                    .license(later.id),
                    [.appLicenseSuspended, .appLicenseReinstated, .appLicenseRevoked, .appLicenseReturned]
                )
            }
        ) { $0.takingBack($1, since: $2) },
    ]
}

extension [RestoredAsCopied] {
    /// The marketplace's tables that are restored as they are in the backup.
    static let marketplace: [RestoredAsCopied] = [
        .catalog(MarketplaceRow.self), .catalog(MarketplaceKeyRecord.self), .catalog(MarketplaceSecretRow.self),
        RestoredAsCopied(
            AppAsset.self, because: "Apps and versions decide what is offered, and both have an exclusion."),
    ]
}
