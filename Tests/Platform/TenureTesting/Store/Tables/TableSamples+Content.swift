import TenureContent
import TenureContentServer
import TenureCore
import TenureStore

extension TableSample {
    private static let tenant = "acme"
    private static let content = name("mck-1"), other = name("mck-2")
    private static let enrolment: EnrolmentID = id(8), bareEnrolment: EnrolmentID = id(9)
    private static let license: ContentLicenseID = id(18), bareLicense: ContentLicenseID = id(19)

    private static func name(_ text: String) -> ContentID {
        guard let content = ContentID(text) else { preconditionFailure("\(text) names no content") }
        return content
    }

    private static func id<Named>(_ number: Int64) -> NumberedID<Named> {
        guard let id = NumberedID<Named>(number: number) else { preconditionFailure("\(number) is no id") }
        return id
    }

    private static func slug<Named>(_ text: String) -> Slug<Named> {
        guard let slug = Slug<Named>(text) else { preconditionFailure("\(text) is no name") }
        return slug
    }

    /// Samples of content tables; referenced tables come before those that reference them.
    static let contents = contentCatalog + enrolments + contentLicenses + contentHolders

    private static func policy(_ id: String, _ change: (inout ContentPolicy) -> Void) -> ContentPolicy {
        var policy = ContentPolicy(id: slug(id))
        change(&policy)
        return policy
    }

    static let contentCatalog: [TableSample] = [
        TableSample(
            ContentOfferRow(tenant: Sample.acme, access: .open), ["tenant": .text(tenant), "access": .text("open")],
            bare: ContentOfferRow(tenant: Sample.bolt, access: .enrolled)),
        TableSample(
            ContentPolicyRow(
                tenant: Sample.acme,
                policy: policy("full") {
                    ($0.expiresAfterDays, $0.windowAfterFirstPlayHours) = (30, 48)
                    ($0.grantedPlays, $0.grantedPlaySeconds, $0.playTimeBasis) = (3, 7_200, .wall)
                    ($0.countAfterSeconds, $0.resumeWithinSeconds, $0.checkInDays) = (31, 601, 14)
                    ($0.onlineRequired, $0.askBeforeRenew, $0.renewable) = (true, true, false)
                    ($0.renewAheadDays, $0.renewAfterExpiryDays, $0.maxRenewals) = (5, 90, 12)
                    ($0.onRenewal, $0.graceHours, $0.whenOver) = (.carry, 6, .stop)
                    ($0.deviceLimit, $0.deviceChanges) = (2, 4)
                    $0.selfRelease = SelfRelease(cooldownDays: 7, perYear: 8)
                }),
            [
                "tenant": .text(tenant), "policy": .text("full"), "expires_after_days": .integer(30),
                "window_hours": .integer(48), "plays": .integer(3), "play_seconds": .integer(7_200),
                "play_time_basis": .text("wall"), "count_after_seconds": .integer(31),
                "resume_within_seconds": .integer(601), "check_in_days": .integer(14), "online_required": .flag(true),
                "ask_before_renew": .flag(true), "renewable": .flag(false), "renew_ahead_days": .integer(5),
                "renew_after_expiry_days": .integer(90), "max_renewals": .integer(12), "on_renewal": .text("carry"),
                "grace_hours": .integer(6), "when_over": .text("stop"), "device_limit": .integer(2),
                "device_changes": .integer(4), "self_release_cooldown_days": .integer(7),
                "self_release_per_year": .integer(8),
            ],
            bare: ContentPolicyRow(
                tenant: Sample.bolt,
                policy: policy("none") { ($0.deviceLimit, $0.deviceChanges) = (nil, nil) })),
        TableSample(
            ContentItemRow(
                tenant: Sample.acme,
                item: ContentCatalog.Item(id: content, title: "One", policy: slug("full"), kollusKey: "key-1")),
            [
                "tenant": .text(tenant), "content": .text("mck-1"), "title": .text("One"), "policy": .text("full"),
                "kollus_key": .text("key-1"),
            ],
            bare: ContentItemRow(
                tenant: Sample.acme, item: ContentCatalog.Item(id: other, title: "", policy: slug("full")))),
        TableSample(
            CourseRow(
                tenant: Sample.acme,
                course: ContentCatalog.Course(id: slug("algebra"), title: "Algebra", policy: slug("full"))),
            [
                "tenant": .text(tenant), "course": .text("algebra"), "title": .text("Algebra"), "policy": .text("full"),
            ], bare: CourseRow(tenant: Sample.acme, course: ContentCatalog.Course(id: slug("logic"), title: ""))),
        TableSample(
            CourseItemRow(tenant: Sample.acme, course: slug("algebra"), content: content),
            ["tenant": .text(tenant), "course": .text("algebra"), "content": .text("mck-1")],
            bare: CourseItemRow(tenant: Sample.acme, course: slug("logic"), content: other)),
        TableSample(
            ContentTargetRow(tenant: Sample.acme, target: "kollus", sealed: [7]),
            ["tenant": .text(tenant), "target": .text("kollus"), "sealed": .blob([7])],
            bare: ContentTargetRow(tenant: Sample.bolt, target: "axinom", sealed: [])),
        TableSample(
            CallbackTokenRow(tenant: Sample.acme, number: 3, sealed: [8], endsAt: first),
            ["tenant": .text(tenant), "number": .integer(3), "sealed": .blob([8]), "ends_at": .integer(1_000)],
            bare: CallbackTokenRow(tenant: Sample.bolt, number: 1, sealed: [9])),
    ]

    static let enrolments: [TableSample] = [
        TableSample(
            Enrolment(
                id: enrolment, tenant: Sample.acme, holder: "Ada", scope: .course(slug("algebra")),
                terms: Enrolment.Terms(policy: slug("full"), startsAt: first, endsAt: first.adding(days: 1)),
                reference: "order-1",
                madeAt: first.adding(days: 2), state: .ended, endedAt: first.adding(days: 3)),
            [
                "id": .integer(8), "tenant": .text(tenant), "holder": .text("Ada"), "holder_folded": .text("ada"),
                "scope": .text("course:algebra"), "policy": .text("full"), "starts_at": .integer(1_000),
                "ends_at": .integer(87_400),
                "reference": .text("order-1"), "made_at": .integer(173_800), "state": .text("ended"),
                "ended_at": .integer(260_200),
            ],
            bare: Enrolment(
                id: bareEnrolment, tenant: Sample.acme, holder: "bob", scope: .content(content), madeAt: first)),
        TableSample(
            Enrolment.Device(enrolment: enrolment, device: Sample.hash(1), state: .recent(.until(first))),
            [
                "enrolment_id": .integer(8), "device": .blob(Sample.hash(1).bytes), "state": .text("recent"),
                "counts_until": .integer(1_000),
            ], bare: Enrolment.Device(enrolment: enrolment, device: Sample.hash(2), state: .recent(.unlimited)),
            Enrolment.Device(enrolment: enrolment, device: Sample.hash(3), state: .recent(.nothing)),
            Enrolment.Device(enrolment: enrolment, device: Sample.hash(4), state: .inactive),
            Enrolment.Device(enrolment: enrolment, device: Sample.hash(5))),
        TableSample(
            Enrolment.DeviceChange(enrolment: enrolment, device: Sample.hash(1), at: first),
            ["enrolment_id": .integer(8), "at": .integer(1_000), "device": .blob(Sample.hash(1).bytes)],
            bare: Enrolment.DeviceChange(enrolment: enrolment, device: Sample.hash(2), at: first)),
    ]

    static let contentLicenses: [TableSample] = [
        TableSample(
            ContentLicense(
                id: license, holder: "Ada", enrolment: enrolment, present: grant(license, full: true), state: .returned,
                stoppedAt: first.adding(days: 6), isReleased: true, isReset: true, countsFrom: 2,
                used: ContentUse(plays: 11, playSeconds: 12), confirmed: 10, uncounted: 4, settled: 13, summed: 23,
                firstPlayAt: first.adding(days: 7), downloadedAt: first.adding(days: 8),
                playerExpiredAt: first.adding(days: 10),
                lastSeenAt: first.adding(days: 9)),
            [
                "id": .integer(18), "tenant": .text(tenant), "holder": .text("Ada"), "holder_folded": .text("ada"),
                "enrolment_id": .integer(8),
                "content": .text("mck-1"), "device": .blob(Sample.hash(1).bytes), "grant_enrolment_id": .integer(9),
                "request": .text("r-1"), "version": .integer(14), "issued_at": .integer(1_000),
                "grant_settled": .integer(15), "not_before": .integer(87_400), "expires_at": .integer(173_800),
                "window_after_first_play": .integer(16), "plays": .integer(17), "play_seconds": .integer(7_200),
                "play_time_basis": .text("wall"), "count_after_seconds": .integer(19),
                "resume_within_seconds": .integer(20), "check_in_by": .integer(260_200), "online_required": .flag(true),
                "ask_before_renew": .flag(true), "renew_from": .integer(346_600), "renew_until": .integer(433_000),
                "grace_seconds": .integer(21), "when_over": .text("grace"), "ledger": .text("carry"),
                "state": .text("returned"), "stopped_at": .integer(519_400), "is_released": .flag(true),
                "is_reset": .flag(true), "counts_from": .integer(2), "used_plays": .integer(11),
                "used_seconds": .integer(12), "settled": .integer(13), "summed": .integer(23),
                "first_play_at": .integer(605_800),
                "downloaded_at": .integer(692_200), "last_seen_at": .integer(778_600),
                "confirmed_version": .integer(10), "uncounted_version": .integer(4),
                "player_expired_at": .integer(865_000),
            ],
            bare: ContentLicense(
                id: bareLicense, holder: "bob", enrolment: bareEnrolment, present: grant(bareLicense, full: false),
                countsFrom: 1, lastSeenAt: first)),
        TableSample(
            ReportedPlay(play(license, 1, isEnded: true)),
            [
                "license_id": .integer(18), "session": .name(0, 1), "version": .integer(2), "sequence": .integer(3),
                "started_at": .integer(1_000), "play_seconds": .integer(4), "is_counted": .flag(true),
                "is_ended": .flag(true),
            ], bare: ReportedPlay(play(license, 2, isEnded: false))),
        TableSample(
            IdempotentReply(key: Sample.hash(1), fingerprint: Sample.hash(2), reply: [1], at: first),
            [
                "request": .blob(Sample.hash(1).bytes), "fingerprint": .blob(Sample.hash(2).bytes),
                "reply": .blob([1]), "at": .integer(1_000),
            ], bare: IdempotentReply(key: Sample.hash(3), fingerprint: Sample.hash(4), reply: [], at: first)),
    ]

    static let contentHolders: [TableSample] = [
        TableSample(
            HolderCredential(
                hash: Sample.hash(1), tenant: Sample.acme, holder: "ada", kind: .token, device: Sample.hash(2),
                createdAt: first, expiresAt: first.adding(days: 1), endedAt: first.adding(days: 2),
                releasedAt: first.adding(days: 3), succeededAt: first.adding(days: 4)),
            [
                "hash": .blob(Sample.hash(1).bytes), "tenant": .text(tenant), "holder": .text("ada"),
                "kind": .text("token"), "device": .blob(Sample.hash(2).bytes), "created_at": .integer(1_000),
                "expires_at": .integer(87_400), "ended_at": .integer(173_800), "released_at": .integer(260_200),
                "succeeded_at": .integer(346_600),
            ],
            bare: HolderCredential(
                hash: Sample.hash(3), tenant: Sample.acme, holder: "bob", kind: .link, device: nil, createdAt: first,
                expiresAt: first)),
        TableSample(
            ContentDevice(tenant: Sample.acme, holder: "ada", device: Sample.hash(1), name: "Tablet"),
            [
                "tenant": .text(tenant), "holder": .text("ada"), "device": .blob(Sample.hash(1).bytes),
                "name": .text("Tablet"),
            ], bare: ContentDevice(tenant: Sample.acme, holder: "bob", device: Sample.hash(1))),
        TableSample(
            DeviceRelease(tenant: Sample.acme, holder: "ada", at: first, device: Sample.hash(1)),
            [
                "tenant": .text(tenant), "holder": .text("ada"), "at": .integer(1_000),
                "device": .blob(Sample.hash(1).bytes),
            ], bare: DeviceRelease(tenant: Sample.acme, holder: "bob", at: first, device: Sample.hash(1))),
    ]

    private static func grant(_ license: ContentLicenseID, full: Bool) -> ContentGrant {
        var terms = ContentTerms()
        if full {
            terms.notBefore = first.adding(days: 1)
            terms.expiresAt = first.adding(days: 2)
            terms.windowAfterFirstPlay = 16
            terms.plays = 17
            terms.playSeconds = 7_200
            terms.playTimeBasis = .wall
            terms.countAfterSeconds = 19
            terms.resumeWithinSeconds = 20
            terms.checkInBy = first.adding(days: 3)
            terms.onlineRequired = true
            terms.askBeforeRenew = true
            terms.renewFrom = first.adding(days: 4)
            terms.renewUntil = first.adding(days: 5)
            terms.graceSeconds = 21
            terms.whenOver = .grace
            terms.ledger = .carry
        }
        return ContentGrant(
            tenant: Sample.acme, license: license, enrolment: bareEnrolment, content: content, device: Sample.hash(1),
            request: "r-1", version: 14, issuedAt: first, terms: terms, settled: 15)
    }

    private static func play(_ license: ContentLicenseID, _ number: UInt64, isEnded: Bool) -> SessionReport {
        let report = SessionReport(
            license: license, version: 2, session: PlaySessionID(high: 0, low: number), sequence: 3, startedAt: first,
            playSeconds: 4, isCounted: true, isEnded: isEnded)
        guard let report else { preconditionFailure("a sample of a play is none") }
        return report
    }
}
