import TenureCore
import TenureLicensing
import TenureMarketplace
import TenureMarketplaceServer
import TenureStore

/// Ids and records of a marketplace for the contract's checks.
extension Sample {
    static let game = item(6_483_539_426)
    static let chess = item(UInt64(Int64.max))
    static let firstVersion = version(1)
    static let secondVersion = version(UInt64(Int64.max))
    static let ada = account("ada")
    static let bob = account("Bøb Smith 🌍")

    /// A marketplace with every member set, and two apps: `game` with two versions, `chess` with one.
    static let market = Marketplace(
        name: "Megabyte “Mart”", domain: "market.example", appleItemID: item(1), bundleID: "com.example.market",
        pollingIntervalHours: 48, access: .token, resolutionPage: false, supportEmail: "help@market.example",
        overrides: [
            game: ["restore": "https://cdn.example/\"r\"", "license.licenseRenewalURL": "/renew"], item(1): [:],
        ],
        apps: [game: gameApp, chess: chessApp])

    static let gameApp = MarketplaceApp(
        item: game, bundleID: "com.example.game", name: "Spiel\n", shareURL: "https://market.example/game",
        packageURL: "https://cdn.example/game", isDelisted: true,
        rules: AppLicense.Rules(
            durationDays: nil, jitterPercent: 0, deviceLimit: 2, revokeOnTakedown: true, renewAfterExpiryDays: nil,
            renewAheadDays: 3),
        versions: [
            firstVersion: AppVersion(id: firstVersion, shortVersion: "1.0", bundleVersion: "10"),
            secondVersion: AppVersion(id: secondVersion, shortVersion: "", bundleVersion: "ü"),
        ])

    static let chessApp = MarketplaceApp(
        item: chess,
        rules: AppLicense.Rules(deviceLimit: nil),
        versions: [firstVersion: AppVersion(id: firstVersion, shortVersion: "1", bundleVersion: "1")])

    /// The catalog of ``Sample/catalog``, with the marketplace at `acme` and the accounts `ada` and `bob`.
    static let marketCatalog: [Put] =
        catalog + [
            .marketplace(market, of: acme), .app(gameApp, of: acme), .app(chessApp, of: acme),
            .account(Account(ref: ref(ada), email: "Ada@Example.com", createdAt: now)),
            .account(Account(ref: ref(bob), createdAt: now)),
        ]

    static func item(_ number: UInt64) -> AppleItemID {
        guard let item = AppleItemID(number: number) else { preconditionFailure("a sample's app has no number") }
        return item
    }

    static func system(_ text: String) -> SystemVersion {
        guard let version = SystemVersion(text) else { preconditionFailure("a sample's system has another shape") }
        return version
    }

    static func version(_ number: UInt64) -> AppleVersionID {
        guard let version = AppleVersionID(number: number) else {
            preconditionFailure("a sample's version has no number")
        }
        return version
    }

    static func account(_ text: String) -> AccountID {
        guard let account = AccountID(text) else { preconditionFailure("a sample's account has another shape") }
        return account
    }

    static func ref(_ account: AccountID, tenant: TenantID = acme) -> AccountRef {
        AccountRef(tenant: tenant, account: account)
    }

    static func assetRef(
        _ text: String = "9a1f-V", item: AppleItemID = game, version: AppleVersionID = firstVersion
    ) -> AssetRef {
        guard let asset = AssetID(text) else { preconditionFailure("a sample's asset has another shape") }
        return AssetRef(item: item, version: version, asset: asset)
    }

    static func asset(_ ref: AssetRef, keyBlob: [UInt8]? = [0, 255, 7], kind: AppAsset.Kind = .variant) -> AppAsset {
        AppAsset(tenant: acme, ref: ref, kind: kind, keyBlob: keyBlob, isSimulated: keyBlob != nil)
    }

    static func grant(
        _ item: AppleItemID = game, to account: AccountID = ada, end: Timestamp? = nil, endedAt: Timestamp? = nil
    ) -> AppGrant {
        guard let term = Term(start: now.adding(days: -400), end: end) else {
            preconditionFailure("a sample's term ends before it starts")
        }
        return AppGrant(account: ref(account), item: item, term: term, grantedAt: now, endedAt: endedAt)
    }

    static func appLicense(
        _ number: Int64, item: AppleItemID = game, account: AccountID? = ada, device: Int = 1, request: UInt64 = 1,
        issuedAt: Timestamp = now, end: Timestamp? = nil, state: LifecycleState = .active, failedAt: Timestamp? = nil,
        isReplaced: Bool = false, countsUntil: Timestamp? = nil
    ) -> AppLicense {
        guard let term = Term(start: now.adding(days: -400), end: end) else {
            preconditionFailure("a sample's term ends before it starts")
        }
        return AppLicense(
            id: id(number), tenant: acme, asset: assetRef(item: item), account: account, device: hash(device),
            request: request, issuedAt: issuedAt, term: term, termRequest: request, recordedState: state,
            stoppedAt: state == .active ? nil : now, failedAt: failedAt, isReplaced: isReplaced,
            countsUntil: countsUntil)
    }

    static func credential(
        _ number: Int, kind: AccountCredential.Kind = .link, of account: AccountID = ada, expiresAt: Timestamp? = nil,
        endedAt: Timestamp? = nil
    ) -> AccountCredential {
        AccountCredential(
            hash: hash(number), account: ref(account), kind: kind, createdAt: now, expiresAt: expiresAt,
            endedAt: endedAt)
    }

    static func signIn(_ number: Int, of account: AccountID = ada) -> SignIn {
        SignIn(
            hash: hash(number), account: ref(account), means: .password, stage: .code, secret: hash(number + 1),
            binding: SignIn.Binding(client: hash(7), challenge: hash(8), redirect: "app-distribution-oauth://"),
            createdAt: now, expiresAt: now.adding(seconds: 60))
    }

    static func marketplaceKey(
        _ kid: String, _ purpose: MarketplaceKeyRecord.Purpose, at time: Timestamp = now, sealed: [UInt8]? = [1, 0]
    ) -> MarketplaceKeyRecord {
        MarketplaceKeyRecord(
            tenant: acme, kid: kid, purpose: purpose, origin: sealed == nil ? .imported : .simulated,
            certificate: purpose == .pask ? [] : [0x30, 0, 255], sealedSecret: sealed, createdAt: time,
            namedFrom: time.adding(days: 1))
    }
}
