import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureMarketplace
import TenureServerKit
import TenureStore

/// Samples of every declared table; referenced tables come before those that reference them.
extension TableSample {
    /// All samples, in the order of ``TenureStore/DeclaredTables``.
    package static let all: [TableSample] =
        catalog + marketplace + appStoreConnect + contentCatalog + own + keys + marketplaceKeys + accounts + software
        + enrolments
        + contentLicenses + contentHolders + selling + ends

    private static let tenant = "acme"
    static let first = Timestamp(seconds: 1_000)

    private static let catalog: [TableSample] = [
        TableSample(
            branded(
                TenantRow(
                    id: Sample.acme, name: "Acme & Söhne", language: .korean, supportEmail: "help@acme.example",
                    supportURL: "https://acme.example/help")),
            [
                "tenant": .text(tenant), "name": .text("Acme & Söhne"), "language": .text("ko"),
                "support_email": .text("help@acme.example"), "support_url": .text("https://acme.example/help"),
                "brand_name": .text("Acme"), "brand_accent": .text("#0a58ca"),
                "brand_accent_dark": .text("#8ab4ff"), "brand_homepage": .text("https://acme.example"),
                "brand_logo": .blob([0, 255]), "mail_from": .text("keys@acme.example"),
                "mail_reply_to": .text("answers@acme.example"), "mail_bounces": .text("bounces@acme.example"),
                "mail_base_url": .text("https://licenses.acme.example"),
            ], bare: TenantRow(id: Sample.bolt, name: "")),
        TableSample(
            Product(
                ref: Sample.notes, name: "Notes", keyPrefix: Sample.prefix("NOTE"), trialDays: 14, freeTier: true,
                sdkKeyHash: Sample.hash(1), entitlements: ["b", "a"].compactMap { Entitlement($0) },
                renewURL: "https://acme.example/renew", activationURL: "notes://activate?key={key}",
                showsKeys: true),
            [
                "tenant": .text(tenant), "product": .text("notes"), "name": .text("Notes"),
                "key_prefix": .text("NOTE"), "trial_days": .integer(14), "free_tier": .flag(true),
                "sdk_key_hash": .blob(Sample.hash(1).bytes), "entitlements": .text("b,a"),
                "renew_url": .text("https://acme.example/renew"), "activation_url": .text("notes://activate?key={key}"),
                "show_keys": .flag(true),
            ], bare: Product(ref: Sample.draw, name: "Draw", keyPrefix: Sample.prefix("DRAW"))),
        TableSample(
            PolicyRow(
                product: Sample.notes,
                policy: Policy(
                    id: Sample.pro, name: "Pro", duration: TermLength(months: 12), activationLimit: 3,
                    entitlements: ["b", "a"].compactMap { Entitlement($0) }, fallbackAccess: true, leaseDays: 7,
                    graceDays: 5, selfRelease: SelfRelease(cooldownDays: 30, perYear: 2), deviceChanges: 4,
                    termStarts: .activation, startBy: TermLength(days: 30),
                    renewURL: "https://acme.example/renew-pro")),
            [
                "tenant": .text(tenant), "product": .text("notes"), "policy": .text("pro"), "name": .text("Pro"),
                "duration": .text("P1Y"), "activation_limit": .integer(3), "entitlements": .text("b,a"),
                "fallback_access": .flag(true), "lease_days": .integer(7), "grace_days": .integer(5),
                "self_release_cooldown_days": .integer(30), "self_release_per_year": .integer(2),
                "device_changes": .integer(4), "term_starts": .text("activation"), "start_by": .text("P30D"),
                "renew_url": .text("https://acme.example/renew-pro"),
            ],
            bare: PolicyRow(
                product: Sample.notes, policy: Policy(id: Sample.team, name: "Team", activationLimit: nil))),
    ]

    private static func branded(_ row: TenantRow) -> TenantRow {
        var row = row
        var brand = Brand()
        brand.name = "Acme"
        brand.accent = RGBColor(red: 0x0A, green: 0x58, blue: 0xCA)
        brand.accentDark = RGBColor(red: 0x8A, green: 0xB4, blue: 0xFF)
        brand.homepage = "https://acme.example"
        brand.logo = Brand.Logo([0, 255], digest: .sha256(of: [0, 255]))
        row.brand = brand
        row.mail = Tenant.MailSettings(
            from: "keys@acme.example", replyTo: "answers@acme.example", bounces: "bounces@acme.example",
            baseURL: "https://licenses.acme.example")
        return row
    }

    private static let own: [TableSample] = [
        TableSample(CatalogVersion(version: 7), ["version": .integer(7)]),
        TableSample(
            TenantVersion(tenant: Sample.acme, version: 3), ["tenant": .text("acme"), "version": .integer(3)],
            bare: TenantVersion(tenant: Sample.bolt, version: 0)),
        TableSample(
            SettingRecord(name: "check", value: [0, 255]), ["name": .text("check"), "value": .blob([0, 255])],
            bare: SettingRecord(name: "", value: [])),
        TableSample(
            letter,
            [
                "id": .integer(1), "tenant": .text(tenant), "kind": .text("keys"), "address": .text("Ada@Shop.example"),
                "language": .text("de"), "licenses": .text("lic_0000000000005:2 lic_0000000000006:0"),
                "order_reference": .text("A-17"), "message_id": .text("mail_0000000000001@acme.example"),
                "state": .text("sent"), "attempts": .integer(2), "answer": .text("250 OK"),
                "operator_fault": .flag(true), "failing_since": .integer(1_010), "refused_at": .integer(1_012),
                "created_at": .integer(1_000),
                "changed_at": .integer(1_020), "sent_at": .integer(1_015), "address_folded": .text("ada@shop.example"),
            ],
            bare: Mail(
                MailID(number: 2) ?? letter.id, kind: MailKind.Name("keys"), to: "bo@shop.example", in: .english,
                of: Sample.acme, by: Tenant.MailSettings(from: "keys@acme.example"), at: first)),
    ]

    /// A letter with a value in every column.
    private static let letter: Mail = {
        var random = SystemRandomNumberGenerator()
        var mail = Mail(
            MailID(number: 1) ?? .random(using: &random), kind: MailKind.Name("keys"), to: "Ada@Shop.example",
            in: .german,
            licenses: [.init(Sample.id(5), generation: 2), .init(Sample.id(6), generation: 0)], order: "A-17",
            of: Sample.acme, by: Tenant.MailSettings(from: "keys@acme.example"), at: first)
        mail.state = .sent
        (mail.attempts, mail.answer, mail.isOperatorFault) = (2, "250 OK", true)
        (mail.failingSince, mail.changedAt) = (first.adding(seconds: 10), first.adding(seconds: 20))
        (mail.refusedAt, mail.sentAt) = (first.adding(seconds: 12), first.adding(seconds: 15))
        return mail
    }()

    private static let keys: [TableSample] = [
        TableSample(
            SigningKeyRecord(
                tenant: Sample.acme, kid: "k1", status: .retiring, publicKey: [1], sealedSeed: [2], createdAt: first,
                publishedUntil: first.adding(days: 1), span: SignedSpan(days: 9)),
            [
                "tenant": .text(tenant), "kid": .text("k1"), "standing": .text("retiring"), "public_key": .blob([1]),
                "sealed_seed": .blob([2]), "created_at": .integer(1_000), "published_until": .integer(87_400),
                "span_days": .integer(9),
            ],
            bare: SigningKeyRecord(
                tenant: Sample.acme, kid: "k2", status: .primary, publicKey: [], sealedSeed: [3], createdAt: first,
                publishedUntil: nil)),
        TableSample(
            SigningKeyRecord.Prepared(
                tenant: Sample.acme, kid: "k3", publicKey: [1], sealedSeed: [2], createdAt: first),
            [
                "tenant": .text(tenant), "kid": .text("k3"), "public_key": .blob([1]), "sealed_seed": .blob([2]),
                "created_at": .integer(1_000),
            ]),
        TableSample(
            TokenRecord(
                id: "tok_1", tenant: Sample.acme, name: "CI", scopes: ["a:read", "b:write"], hash: Sample.hash(1),
                createdAt: first, expiresAt: first.adding(days: 1), revokedAt: first.adding(days: 2)),
            [
                "id": .text("tok_1"), "tenant": .text(tenant), "name": .text("CI"), "scopes": .text("a:read b:write"),
                "hash": .blob(Sample.hash(1).bytes), "created_at": .integer(1_000), "expires_at": .integer(87_400),
                "revoked_at": .integer(173_800),
            ],
            bare: TokenRecord(
                id: "tok_2", tenant: Sample.acme, name: "", scopes: [], hash: Sample.hash(2), createdAt: first,
                expiresAt: nil, revokedAt: nil)),
    ]

    private static let software: [TableSample] = [
        TableSample(
            KeyRoot(
                id: KeyRootID(number: 7)!, tenant: Sample.acme, sealedRoot: [1, 2], createdAt: first),
            [
                "id": .integer(7), "tenant": .text(tenant), "sealed_root": .blob([1, 2]),
                "created_at": .integer(1_000),
            ]),
        TableSample(
            License(
                id: Sample.id(5), product: Sample.notes,
                key: LicenseKey(hash: Sample.hash(1), masked: "NOTE-****-3KPM"),
                terms: LicenseTerms(
                    policy: Sample.pro, holder: "Ada", term: term(first.adding(days: 1), first.adding(days: 2)),
                    unstarted: TermLength(months: 1), order: "A-17", activationLimit: 12,
                    holderEmail: "Ada@example.com", holderName: "Ada Muster"),
                recordedState: .active, issuedAt: first, firstActivatedAt: first.adding(days: 3),
                devicesCountUntil: first.adding(days: 4), keyRoot: KeyRootID(number: 7), keyGeneration: 3,
                isTest: true),
            [
                "id": .integer(5), "tenant": .text(tenant), "product": .text("notes"),
                "key_hash": .blob(Sample.hash(1).bytes), "key_masked": .text("NOTE-****-3KPM"),
                "key_ending": .text("3KPM"), "policy": .text("pro"),
                "holder": .text("Ada"), "term_start": .integer(87_400), "term_end": .integer(173_800),
                "unstarted_length": .text("P1M"), "order_reference": .text("A-17"),
                "activation_limit": .integer(12), "holder_email": .text("Ada@example.com"),
                "holder_name": .text("Ada Muster"), "state": .text("active"), "issued_at": .integer(1_000),
                "first_activated_at": .integer(260_200),
                "devices_count_until": .integer(346_600), "key_root": .integer(7), "key_generation": .integer(3),
                "is_test": .flag(true),
                "holder_folded": .text("ada"),
                "order_folded": .text("a-17"), "holder_email_folded": .text("ada@example.com"),
            ], bare: Sample.license(6)),
        TableSample(
            FormerKey(
                product: Sample.notes, key: LicenseKey(hash: Sample.hash(9), masked: "NOTE-****-7QRS"),
                license: Sample.id(5), replacedAt: first, replacedBy: .operator("ada"),
                activatedBefore: first.adding(seconds: 1)),
            [
                "tenant": .text(tenant), "product": .text("notes"), "key_hash": .blob(Sample.hash(9).bytes),
                "key_masked": .text("NOTE-****-7QRS"), "key_ending": .text("7QRS"), "license_id": .integer(5),
                "replaced_at": .integer(1_000), "replaced_by": .text("operator:ada"),
                "activated_before": .integer(1_001),
            ],
            bare: FormerKey(
                product: Sample.notes, key: LicenseKey(hash: Sample.hash(10), masked: "N-****"), license: Sample.id(5),
                replacedAt: first, replacedBy: .time)),
        TableSample(
            Activation(
                id: Sample.activationID(1), license: Sample.id(5), identity: .machine("ab"), name: "Mac",
                system: DeviceSystem(name: "macOS", version: "15.1"), activatedAt: first,
                releasedAt: first.adding(days: 2), releasedBy: .holder, countsUntil: first.adding(days: 3)),
            [
                "id": Sample.activationID(1).storedValue, "license_id": .integer(5), "identity": .text("m:ab"),
                "name": .text("Mac"), "system": .text("macOS"), "system_version": .text("15.1"),
                "activated_at": .integer(1_000), "released_at": .integer(173_800),
                "released_by": .text("holder"),
                "counts_until": .integer(260_200),
            ], bare: Sample.activation(2, of: Sample.id(5))),
        TableSample(
            LastSeen(Sample.activationID(1), at: first.adding(days: 1)),
            ["activation_id": Sample.activationID(1).storedValue, "seen_at": .integer(87_400)]),
        TableSample(
            LicenseCredential(
                hash: Sample.hash(1), license: Sample.id(5), kind: .session, createdAt: first,
                expiresAt: first.adding(days: 1), endedAt: first.adding(days: 2)),
            [
                "hash": .blob(Sample.hash(1).bytes), "license_id": .integer(5), "kind": .text("session"),
                "created_at": .integer(1_000), "expires_at": .integer(87_400), "ended_at": .integer(173_800),
            ], bare: Sample.licenseCredential(2, of: Sample.id(5))),
        TableSample(
            Trial(
                product: Sample.notes, device: Sample.hash(1), start: first, recordedAt: first.adding(days: 1),
                extraDays: 7),
            [
                "tenant": .text(tenant), "product": .text("notes"), "device": .blob(Sample.hash(1).bytes),
                "started_at": .integer(1_000), "recorded_at": .integer(87_400), "extra_days": .integer(7),
            ], bare: Sample.trial(2)),
        TableSample(
            Trial.Device(
                product: Sample.notes, device: Sample.hash(1), name: "Mac",
                system: DeviceSystem(name: "macOS", version: "15.1"), reportedAt: first,
                retainedUntil: first.adding(days: 1)),
            [
                "tenant": .text(tenant), "product": .text("notes"), "device": .blob(Sample.hash(1).bytes),
                "name": .text("Mac"), "system": .text("macOS"), "system_version": .text("15.1"),
                "reported_at": .integer(1_000), "kept_until": .integer(87_400),
            ],
            bare: Trial.Device(
                product: Sample.notes, device: Sample.hash(2), name: "", system: nil, reportedAt: first,
                retainedUntil: first)),
    ]

    private static let ends: [TableSample] = [
        TableSample(
            EventCounter(tenant: Sample.acme, last: 7), ["tenant": .text(tenant), "last": .integer(7)],
            bare: EventCounter(tenant: Sample.bolt, last: 1)),
        TableSample(
            EventRecord(
                sequence: 7,
                event: Event(
                    .activationCreated, at: first, actor: .operator("tok_1"),
                    about: Event.Subject(
                        tenant: Sample.acme, product: Sample.notes.product, app: Sample.game, account: Sample.ada,
                        license: Sample.id(5), activation: Sample.activationID(1), enrolment: EnrolmentID(number: 8),
                        contentLicense: ContentLicenseID(number: 9)),
                    facts: [.init("activations", .number(3)), .init("holderRef", .text("5d41"))])),
            [
                "sequence": .integer(7), "kind": .text("activation.created"), "at": .integer(1_000),
                "tenant": .text(tenant), "product": .text("notes"), "app": .integer(6_483_539_426),
                "account": .text("ada"), "license_id": .integer(5),
                "activation_id": Sample.activationID(1).storedValue, "actor": .text("operator:tok_1"),
                "detail": .text("[{\"activations\":3},{\"holderRef\":\"5d41\"}]"), "enrolment_id": .integer(8),
                "content_license_id": .integer(9), "holder_ref": .text("5d41"),
            ],
            bare: EventRecord(
                sequence: 9,
                event: Event(.accountAdded, at: first, actor: .time, about: .init(tenant: Sample.acme)))),
        TableSample(
            IdempotentResponse(
                key: Sample.hash(1), fingerprint: Sample.hash(2), records: [0, 0, 0, 0, 0, 0, 0, 5],
                actor: .operator("tok_1"), sealed: [1, 2], at: first),
            [
                "request": .blob(Sample.hash(1).bytes), "fingerprint": .blob(Sample.hash(2).bytes),
                "records": .blob([0, 0, 0, 0, 0, 0, 0, 5]), "actor": .text("operator:tok_1"),
                "sealed": .blob([1, 2]), "at": .integer(1_000),
            ], bare: Sample.answer(5, sealed: nil)),
        TableSample(
            LeaderTerm(role: .expirySweep, term: 7), ["role": .integer(16), "term": .integer(7)],
            bare: LeaderTerm(role: Role(rawValue: 99), term: 1)),
        TableSample(
            Job(
                id: "job_1", kind: "mail.send", tenant: Sample.acme, dueAt: first, attempt: 3, state: .running,
                payload: "{\"to\":\"ada\"}", failures: 2, failure: "no answer"),
            [
                "id": .text("job_1"), "kind": .text("mail.send"), "tenant": .text(tenant), "due_at": .integer(1_000),
                "attempt": .integer(3), "state": .text("running"), "payload": .text("{\"to\":\"ada\"}"),
                "failures": .integer(2), "failure": .text("no answer"),
            ], bare: Sample.job(2)),
    ]

    static func term(_ start: Timestamp, _ end: Timestamp?) -> Term {
        guard let term = Term(start: start, end: end) else { preconditionFailure("a sample ends before it starts") }
        return term
    }
}
