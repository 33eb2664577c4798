import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

extension RandomTable {
    /// Changes of the catalog and of signing keys, which run alone.
    static let alone: [RandomTable] = [
        RandomTable(removes: false) { like, dice in TenantRow(id: like?.id ?? dice.tenant(), name: "t\(dice.upTo(3))")
        },
        RandomTable([], [Product.ofTenant], removes: false) { like, dice in
            Product(
                ref: like?.ref ?? dice.product(), name: "p\(dice.upTo(3))", keyPrefix: Sample.prefix("NOTE"),
                trialDays: dice.upTo(3), freeTier: dice.once(in: 2), sdkKeyHash: dice.once(in: 2) ? nil : dice.hash(3),
                entitlements: dice.once(in: 2) ? nil : [Entitlement("e\(dice.upTo(3))")].compactMap(\.self))
        },
        RandomTable([], [PolicyRow.ofProduct], removes: false) { like, dice in
            PolicyRow(
                product: like?.product ?? dice.product(),
                policy: Policy(
                    id: like?.policy.id ?? dice.policy(), name: "",
                    duration: dice.once(in: 2) ? nil : TermLength(days: dice.upTo(9)),
                    activationLimit: dice.upTo(4), graceDays: dice.upTo(3),
                    selfRelease: dice.once(in: 2) ? nil : SelfRelease(cooldownDays: 1, perYear: dice.upTo(3))))
        },
        RandomTable([], [SigningKeyRecord.byAge, SigningKeyRecord.ofTenant]) { like, dice in
            SigningKeyRecord(
                tenant: like?.tenant ?? dice.tenant(), kid: like?.kid ?? dice.pick("k1", "K1"),
                status: dice.pick(.primary, .retiring, .retired), publicKey: dice.blob(), sealedSeed: dice.blob(),
                createdAt: dice.moment(), publishedUntil: dice.end())
        },
        RandomTable { like, dice in
            SigningKeyRecord.Prepared(
                tenant: like?.tenant ?? dice.tenant(), kid: dice.pick("k1", "K1"), publicKey: dice.blob(),
                sealedSeed: dice.blob(), createdAt: dice.moment())
        },
        RandomTable([MarketplaceRow.byDomain], removes: false) { like, dice in
            MarketplaceRow(
                tenant: like?.tenant ?? dice.tenant(),
                marketplace: Marketplace(
                    name: "", domain: dice.pick("one.example", "two.example"),
                    appleItemID: dice.once(in: 2) ? nil : dice.item(), access: dice.pick(.open, .token),
                    resolutionPage: dice.once(in: 2)))
        },
        RandomTable([], [AppRow.ofTenant], removes: false) { like, dice in
            AppRow(
                tenant: like?.tenant ?? dice.tenant(),
                app: MarketplaceApp(
                    item: like?.app.item ?? dice.item(), name: dice.once(in: 2) ? nil : "n",
                    isDelisted: dice.once(in: 2), rules: AppLicense.Rules(deviceLimit: dice.upTo(3))))
        },
        RandomTable([], [VersionRow.ofTenant, VersionRow.ofApp]) { like, dice in
            VersionRow(
                tenant: like?.tenant ?? dice.tenant(), item: like?.item ?? dice.item(),
                version: AppVersion(
                    id: like?.version.id ?? dice.version(), shortVersion: "\(dice.upTo(3))", bundleVersion: ""))
        },
        RandomTable([], [AppAsset.ofTenant, AppAsset.ofApp, AppAsset.ofVersion]) { like, dice in
            AppAsset(
                tenant: like?.tenant ?? dice.tenant(),
                ref: like?.ref
                    ?? AssetRef(
                        item: dice.item(), version: dice.version(), asset: Sample.assetRef(dice.pick("a", "B")).asset),
                kind: dice.pick(.variant, .delta), keyBlob: dice.once(in: 2) ? nil : dice.blob(),
                isSimulated: dice.once(in: 2))
        },
        RandomTable([], [MarketplaceKeyRecord.byAge, MarketplaceKeyRecord.ofTenant]) { like, dice in
            MarketplaceKeyRecord(
                tenant: like?.tenant ?? dice.tenant(), kid: like?.kid ?? dice.pick("k1", "k2"),
                purpose: like?.purpose ?? dice.pick(.signing, .pask), origin: dice.pick(.simulated, .imported),
                certificate: dice.blob(), sealedSecret: dice.once(in: 2) ? nil : dice.blob(), createdAt: dice.moment(),
                namedFrom: dice.moment())
        },
    ]

    /// Changes of software licenses and of rows that no feature owns.
    static let software: [RandomTable] = [
        RandomTable([TokenRecord.byHash], [TokenRecord.byAge]) { like, dice in
            TokenRecord(
                id: like?.id ?? "t\(dice.upTo(4))", tenant: dice.tenant(), name: "", scopes: dice.pick([], ["a", "b"]),
                hash: dice.hash(4), createdAt: dice.moment(), expiresAt: dice.end(), revokedAt: dice.end())
        },
        RandomTable { like, dice in
            SettingRecord(name: like?.name ?? dice.pick("a", "A", "\u{1}ü"), value: dice.blob())
        },
        RandomTable([License.byKey], licenseSets, removes: false) { like, dice in
            License(
                id: like?.id ?? dice.license(), product: like?.product ?? dice.product(),
                key: LicenseKey(hash: dice.hash(6), masked: dice.pick("", "N-****-0001", "N-****-0002")),
                terms: LicenseTerms(
                    policy: dice.policy(), holder: dice.pick(nil, "ada", "Ada"), term: dice.term(),
                    unstarted: dice.once(in: 3) ? TermLength(months: dice.upTo(3)) : nil,
                    order: dice.pick(nil, "A-1", "a-1"), activationLimit: dice.pick(nil, 1, 30)),
                recordedState: dice.pick(.issued, .active, .revoked, .expired), issuedAt: Sample.now,
                firstActivatedAt: dice.end(), isTest: dice.once(in: 4))
        },
        RandomTable(
            [],
            [
                Activation.ofLicense, Activation.live, Activation.liveOfDevice, Activation.releasedByHolder,
                Activation.counted,
            ]
        ) { like, dice in
            let released = dice.end()
            return Activation(
                id: like?.id ?? Sample.activationID(dice.upTo(12)), license: like?.license ?? dice.license(3),
                identity: dice.identity(), name: "", system: dice.system(), activatedAt: dice.moment(),
                releasedAt: released,
                releasedBy: released.flatMap { _ in dice.pick(nil, .holder, .device) },
                countsUntil: released.flatMap { _ in dice.end() })
        },
        RandomTable { like, dice in
            LastSeen(like?.activation ?? Sample.activationID(dice.upTo(12)), at: dice.moment())
        },
        RandomTable([], [LicenseCredential.byExpiry, LicenseCredential.byEnd]) { like, dice in
            LicenseCredential(
                hash: like?.hash ?? dice.hash(6), license: dice.license(3), kind: dice.pick(.link, .session),
                createdAt: Sample.now, expiresAt: dice.moment(), endedAt: dice.end())
        },
        RandomTable { like, dice in
            Trial(
                product: like?.product ?? dice.product(), device: like?.device ?? dice.hash(3), start: dice.moment(),
                recordedAt: dice.moment())
        },
        RandomTable([], [Trial.Device.byRemoval]) { like, dice in
            Trial.Device(
                product: like?.product ?? dice.product(), device: like?.device ?? dice.hash(3),
                name: dice.pick("", "Mac", "Mia’s Mac"), system: dice.system(), reportedAt: dice.moment(),
                retainedUntil: dice.moment())
        },
        RandomTable([], [IdempotentResponse.byAge, IdempotentResponse.withResponse]) { like, dice in
            IdempotentResponse(
                key: like?.key ?? dice.hash(4), fingerprint: dice.hash(2), records: dice.blob(),
                actor: dice.pick(.operator("tok_1"), .operator("tok_2")), sealed: dice.once(in: 3) ? nil : dice.blob(),
                at: dice.moment())
        },
    ]

    /// Changes of jobs and other rows for the server's own work, and of former keys.
    static let upkeep: [RandomTable] = [
        RandomTable([], [Job.ofKind, Job.inState]) { like, dice in
            Job(
                id: like?.id ?? "job_\(dice.upTo(6))", kind: dice.pick("mail", "Mail"),
                tenant: dice.once(in: 2) ? nil : dice.tenant(), dueAt: dice.moment(), attempt: dice.upTo(3),
                state: dice.pick(.waiting, .running, .failed), payload: dice.pick("{}", "{\"ü\":\"\u{0}\"}"),
                failures: dice.upTo(2), failure: dice.once(in: 2) ? nil : "")
        },
        RandomTable(
            [], [FormerKey.ofHash, FormerKey.ofLicense, FormerKey.inUse, FormerKey.ofKeyEnding]
        ) { like, dice in
            FormerKey(
                product: like?.product ?? dice.product(),
                key: LicenseKey(
                    hash: like?.hash ?? dice.hash(4), masked: dice.pick("N-****-AAAA", "N-****-AAAB", "N-*")),
                license: dice.license(3), replacedAt: dice.moment(), replacedBy: dice.pick(.time, .operator("ü")),
                activatedBefore: dice.once(in: 2) ? nil : dice.moment())
        },
        RandomTable { like, dice in
            LeaderTerm(role: like?.role ?? Role(rawValue: Int32(dice.upTo(2))), term: Int64(dice.upTo(3)))
        },
    ]

    private static let licenseSets = [
        License.ofKey, License.ofKeyAtTenant, License.ofTenant, License.ofProduct, License.ofPolicy, License.ofHolder,
        License.byHolder, License.ofKeyEnding,
        License.ofOrder, License.toExpire,
    ]
}
