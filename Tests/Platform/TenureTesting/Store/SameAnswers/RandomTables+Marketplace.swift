import TenureCore
import TenureMarketplace
import TenureMarketplaceServer

extension RandomTable {
    /// Changes of accounts and app licenses.
    static let marketplaces: [RandomTable] = [
        RandomTable([], [Account.ofTenant, Account.byEmail], removes: false) { like, dice in
            Account(
                ref: like?.ref ?? dice.account(), email: dice.pick(nil, "Ada@x", "ada@X", "b@x", "É@x"),
                passwordHash: dice.once(in: 2) ? nil : "$", createdAt: dice.moment())
        },
        RandomTable([], [AccountCredential.byExpiry, AccountCredential.byEnd]) { like, dice in
            AccountCredential(
                hash: like?.hash ?? dice.hash(6), account: dice.account(), kind: dice.pick(.token, .link, .session),
                createdAt: Sample.now, expiresAt: dice.end(), endedAt: dice.end())
        },
        RandomTable([], [AppGrant.ofAccount]) { like, dice in
            AppGrant(
                account: like?.account ?? dice.account(), item: like?.item ?? dice.item(), term: dice.term(),
                grantedAt: dice.moment(), endedAt: dice.end())
        },
        RandomTable([], appLicenseSets) { like, dice in
            let account = dice.account()
            return AppLicense(
                id: like?.id ?? dice.license(8), tenant: account.tenant, asset: Sample.assetRef(item: dice.item()),
                account: dice.once(in: 3) ? nil : account.account, device: dice.hash(3), request: UInt64(dice.upTo(9)),
                issuedAt: dice.moment(), term: dice.term(), termRequest: 1,
                recordedState: dice.pick(.active, .active, .suspended, .revoked), stoppedAt: dice.end(),
                failedAt: dice.end(), isReplaced: dice.once(in: 2))
        },
    ]

    private static let appLicenseSets = [
        AppLicense.earlierOfAccount, AppLicense.earlierOfDevice, AppLicense.ofApp, AppLicense.ofAccount,
        AppLicense.ofDevice,
    ]
}
