import TenureCore
import TenureMarketplace
import TenureMarketplaceServer
import TenureStore

extension TableSample {
    private static let tenant = "acme"
    private static let game: Int64 = 6_483_539_426

    static let marketplace: [TableSample] = [
        TableSample(
            MarketplaceRow(
                tenant: Sample.acme,
                marketplace: Marketplace(
                    name: "Mart", domain: "market.example", appleItemID: Sample.item(9), bundleID: "com.example.market",
                    pollingIntervalHours: 48, access: .token, packageAccess: .open, resolutionPage: true,
                    supportEmail: "help@example.com",
                    overrides: [Sample.game: ["restore": "https://cdn.example/r"]]
                ).signingIn(at: "https://shop.example/in", ["com.example:/in", "https://shop.example/done"])),
            [
                "tenant": .text(tenant), "name": .text("Mart"), "domain": .text("market.example"),
                "apple_item_id": .integer(9), "bundle_id": .text("com.example.market"),
                "polling_interval_hours": .integer(48), "access": .text("token"), "resolution_page": .flag(true),
                "support_email": .text("help@example.com"),
                "overrides": .text("{\"\(game)\":{\"restore\":\"https://cdn.example/r\"}}"),
                "package_access": .text("open"), "sign_in_url": .text("https://shop.example/in"),
                "redirect_uris": .text("com.example:/in\nhttps://shop.example/done"),
                "aliases": .text("cdn.example\nfiles.example"), "has_external_signature": .flag(true),
                "former_paths": .text("/r restore 87400"),
            ], bare: MarketplaceRow(tenant: Sample.bolt, marketplace: Marketplace(name: "", domain: "bolt.example"))),
        TableSample(
            AppRow(
                tenant: Sample.acme,
                app: MarketplaceApp(
                    item: Sample.game, bundleID: "com.example.game", name: "Game", shareURL: "https://share.example",
                    packageURL: "https://cdn.example", isDelisted: true,
                    autoPublish: false,
                    rules: AppLicense.Rules(
                        durationDays: 30, jitterPercent: 10, deviceLimit: 5, revokeOnTakedown: true,
                        renewAfterExpiryDays: 90, renewAheadDays: 7, deviceChanges: 4))),
            [
                "tenant": .text(tenant), "item": .integer(game), "bundle_id": .text("com.example.game"),
                "name": .text("Game"), "share_url": .text("https://share.example"),
                "package_url": .text("https://cdn.example"), "is_withdrawn": .flag(true),
                "duration_days": .integer(30), "jitter_percent": .integer(10), "device_limit": .integer(5),
                "revoke_on_takedown": .flag(true), "renew_after_expiry_days": .integer(90),
                "renew_ahead_days": .integer(7), "device_changes": .integer(4), "auto_publish": .flag(false),
            ],
            bare: AppRow(
                tenant: Sample.acme,
                app: MarketplaceApp(
                    item: Sample.chess,
                    rules: AppLicense.Rules(
                        durationDays: nil, deviceLimit: nil, renewAfterExpiryDays: nil, deviceChanges: nil)))),
        TableSample(
            VersionRow(
                tenant: Sample.acme, item: Sample.game,
                version: AppVersion(
                    id: Sample.version(2), shortVersion: "1.0", bundleVersion: "10",
                    lowestSystems: [.iOS: Sample.system("17.4"), .iPadOS: Sample.system("18")],
                    downloadBytes: 1_000...3_000_000_000, isHeld: true,
                    package: HeldPackage(revision: 3, id: "52c5cb04-1163-4a30-ad4f-a3433cd6a4f6"))),
            [
                "tenant": .text(tenant), "item": .integer(game), "version": .integer(2),
                "short_version": .text("1.0"), "bundle_version": .text("10"), "lowest_ios": .text("17.4"),
                "lowest_ipados": .text("18"), "is_held": .flag(true),
                "package_revision": .integer(3), "package_id": .text("52c5cb04-1163-4a30-ad4f-a3433cd6a4f6"),
                "smallest_bytes": .integer(1_000), "largest_bytes": .integer(3_000_000_000),
            ],
            bare: VersionRow(
                tenant: Sample.acme, item: Sample.chess,
                version: AppVersion(id: Sample.version(1), shortVersion: "", bundleVersion: ""))),
    ]

    static let marketplaceKeys: [TableSample] = [
        TableSample(
            MarketplaceKeyRecord(
                tenant: Sample.acme, kid: "k1", purpose: .signing, origin: .imported, certificate: [1],
                sealedSecret: [2], createdAt: first, namedFrom: first.adding(days: 1)),
            [
                "tenant": .text(tenant), "kid": .text("k1"), "purpose": .text("signing"), "origin": .text("imported"),
                "certificate": .blob([1]), "sealed_secret": .blob([2]), "created_at": .integer(1_000),
                "named_from": .integer(87_400),
            ], bare: Sample.marketplaceKey("k2", .pask, sealed: nil)),
        TableSample(
            AppAsset(
                tenant: Sample.acme, ref: Sample.assetRef("a1", version: Sample.version(2)), kind: .delta,
                keyBlob: [7], isSimulated: true),
            [
                "tenant": .text(tenant), "item": .integer(game), "version": .integer(2), "asset": .text("a1"),
                "kind": .text("delta"), "key_blob": .blob([7]), "is_simulated": .flag(true),
            ],
            bare: AppAsset(
                tenant: Sample.acme, ref: Sample.assetRef("A2", version: Sample.version(2)), kind: .variant,
                keyBlob: nil, isSimulated: false)),
    ]

    static let accounts: [TableSample] = [
        TableSample(
            Account(
                ref: Sample.ref(Sample.ada), email: "Ada@Example.com", passwordHash: "$argon2id$", createdAt: first,
                deletedAt: first.adding(days: 1)),
            [
                "tenant": .text(tenant), "account": .text("ada"), "email": .text("Ada@Example.com"),
                "password_hash": .text("$argon2id$"), "created_at": .integer(1_000), "deleted_at": .integer(87_400),
                "email_folded": .text("ada@example.com"), "account_folded": .text("ada"),
            ], bare: Account(ref: Sample.ref(Sample.bob), createdAt: first)),
        TableSample(
            AccountCredential(
                hash: Sample.hash(1), account: Sample.ref(Sample.ada), kind: .session, createdAt: first,
                expiresAt: first.adding(days: 1), endedAt: first.adding(days: 2)),
            [
                "hash": .blob(Sample.hash(1).bytes), "tenant": .text(tenant), "account": .text("ada"),
                "kind": .text("session"), "created_at": .integer(1_000), "expires_at": .integer(87_400),
                "ended_at": .integer(173_800),
            ], bare: Sample.credential(2)),
        TableSample(
            SignIn(
                hash: Sample.hash(3), account: Sample.ref(Sample.ada), means: .shop, stage: .open,
                secret: Sample.hash(4),
                former: Sample.hash(5),
                family: RefreshFamily(
                    newest: 9, used: 7, usedAt: first.adding(seconds: 1), isTaken: true,
                    replaced: RefreshFamily.ReplacedTokens("2,4-5") ?? .none),
                binding: SignIn.Binding(
                    client: Sample.hash(6), challenge: Sample.hash(7), redirect: "app-distribution-oauth://"),
                access: SignIn.Access(digest: Sample.hash(8), madeAt: first.adding(seconds: 2)),
                formerAccess: SignIn.Access(digest: Sample.hash(9), madeAt: first.adding(seconds: 3)),
                createdAt: first, expiresAt: first.adding(days: 1), endedAt: first.adding(days: 2)),
            [
                "hash": .blob(Sample.hash(3).bytes), "tenant": .text(tenant), "account": .text("ada"),
                "means": .text("shop"), "stage": .text("open"), "secret": .blob(Sample.hash(4).bytes),
                "former": .blob(Sample.hash(5).bytes), "newest": .integer(9), "used": .integer(7),
                "used_at": .integer(1_001), "is_taken": .flag(true), "replaced": .text("2,4-5"),
                "client": .blob(Sample.hash(6).bytes), "challenge": .blob(Sample.hash(7).bytes),
                "redirect": .text("app-distribution-oauth://"), "access": .blob(Sample.hash(8).bytes),
                "access_at": .integer(1_002), "former_access": .blob(Sample.hash(9).bytes),
                "former_access_at": .integer(1_003), "created_at": .integer(1_000), "expires_at": .integer(87_400),
                "ended_at": .integer(173_800),
            ],
            bare: SignIn(
                hash: Sample.hash(10), account: Sample.ref(Sample.ada), means: .password, stage: .code,
                secret: Sample.hash(11), createdAt: first, expiresAt: first.adding(seconds: 60))),
        TableSample(
            AppGrant(
                account: Sample.ref(Sample.ada), item: Sample.game,
                term: term(first.adding(days: 1), first.adding(days: 2)), grantedAt: first,
                endedAt: first.adding(days: 3)),
            [
                "tenant": .text(tenant), "account": .text("ada"), "item": .integer(game),
                "term_start": .integer(87_400), "term_end": .integer(173_800), "granted_at": .integer(1_000),
                "ended_at": .integer(260_200),
            ], bare: Sample.grant(to: Sample.bob)),
        TableSample(
            AppLicense(
                id: Sample.id(8), tenant: Sample.acme, asset: Sample.assetRef("a1", version: Sample.version(2)),
                account: Sample.ada, device: Sample.hash(1), request: .max, issuedAt: first,
                term: term(first.adding(days: 1), first.adding(days: 2)), termRequest: 3, recordedState: .suspended,
                stoppedAt: first.adding(days: 3), failedAt: first.adding(days: 4), isReplaced: true,
                countsUntil: first.adding(days: 5), failedKey: Sample.hash(2)),
            [
                "id": .integer(8), "tenant": .text(tenant), "item": .integer(game), "version": .integer(2),
                "asset": .text("a1"), "account": .text("ada"), "device": .blob(Sample.hash(1).bytes),
                "request": .integer(-1), "issued_at": .integer(1_000), "term_start": .integer(87_400),
                "term_end": .integer(173_800), "term_request": .integer(3), "state": .text("suspended"),
                "stopped_at": .integer(260_200), "failed_at": .integer(346_600), "is_replaced": .flag(true),
                "counts_until": .integer(433_000), "failed_key": .blob(Sample.hash(2).bytes),
            ], bare: Sample.appLicense(9, account: nil)),
    ]
}

extension Marketplace {
    fileprivate func signingIn(at shop: String, _ places: [String]) -> Marketplace {
        var marketplace = self
        marketplace.signInURL = shop
        marketplace.redirectURIs = places
        marketplace.aliases = ["cdn.example", "files.example"]
        marketplace.hasExternalSignature = true
        marketplace.formerPaths = [
            Marketplace.FormerPath(path: "/r", name: "restore", until: Timestamp(seconds: 87_400))
        ]
        return marketplace
    }
}
