import TenureStore

extension Migration {
    /// Creates the tables for offline content.
    ///
    /// These are the content that tenants offer, enrolments with activations, licenses with use, and holder
    /// credentials. Events get columns for the enrolment and the license.
    static let contents = Migration("0010-contents", offer + enrolments + licenses + holders + events)

    /// Adds the license version that a device confirmed and the time of a token's last replacement.
    static let confirmations = Migration(
        "0017-content-confirmations",
        [
            .column(Column("confirmed_version", .integer, standard: .integer(0)), of: "content_licenses"),
            .column(Column("uncounted_version", .integer, isNullable: true), of: "content_licenses"),
            .column(Column("succeeded_at", .integer, isNullable: true), of: "holder_credentials"),
        ])

    /// Adds the expiry that Kollus's player reports for a download.
    static let playerReports = Migration(
        "0018-player-reports",
        [.column(Column("player_expired_at", .integer, isNullable: true), of: "content_licenses")])

    private static func ofTenant(
        _ name: String, _ columns: [Column], key: [String], references: [Reference] = []
    ) -> Step {
        .table(
            name, [Column("tenant", .text)] + columns, key: ["tenant"] + key,
            references: references + [Reference(["tenant"], to: "tenants")])
    }

    private static let offer: [Step] = [
        ofTenant("content_offers", [Column("access", .text)], key: []),
        ofTenant(
            "content_policies",
            [
                Column("policy", .text), Column("expires_after_days", .integer, isNullable: true),
                Column("window_hours", .integer, isNullable: true), Column("plays", .integer, isNullable: true),
                Column("play_seconds", .integer, isNullable: true), Column("play_time_basis", .text),
                Column("count_after_seconds", .integer), Column("resume_within_seconds", .integer),
                Column("check_in_days", .integer, isNullable: true), Column("online_required", .flag),
                Column("ask_before_renew", .flag), Column("renewable", .flag), Column("renew_ahead_days", .integer),
                Column("renew_after_expiry_days", .integer, isNullable: true),
                Column("max_renewals", .integer, isNullable: true), Column("on_renewal", .text),
                Column("grace_hours", .integer), Column("when_over", .text),
                Column("device_limit", .integer, isNullable: true),
                Column("device_changes", .integer, isNullable: true),
                Column("self_release_cooldown_days", .integer, isNullable: true),
                Column("self_release_per_year", .integer, isNullable: true),
            ], key: ["policy"]),
        ofTenant(
            "contents",
            [
                Column("content", .text), Column("title", .text), Column("policy", .text), Column("kollus_key", .text),
            ], key: ["content"]),
        ofTenant(
            "courses",
            [Column("course", .text), Column("title", .text), Column("policy", .text, isNullable: true)],
            key: ["course"]),
        .table(
            "course_items", [Column("tenant", .text), Column("course", .text), Column("content", .text)],
            key: ["tenant", "course", "content"],
            references: [
                Reference(["tenant", "course"], to: "courses"), Reference(["tenant", "content"], to: "contents"),
            ]),
        .index("course_items_by_content", on: "course_items", ["tenant", "content"]),
        ofTenant("content_targets", [Column("target", .text), Column("sealed", .blob)], key: ["target"]),
        ofTenant(
            "callback_tokens",
            [Column("number", .integer), Column("sealed", .blob), Column("ends_at", .integer, isNullable: true)],
            key: ["number"]),
    ]

    private static let enrolments: [Step] = [
        .table(
            "enrolments",
            [
                Column("id", .integer), Column("tenant", .text), Column("holder", .text),
                Column("scope", .text), Column("policy", .text, isNullable: true),
                Column("starts_at", .integer, isNullable: true), Column("ends_at", .integer, isNullable: true),
                Column("reference", .text, isNullable: true),
                Column("made_at", .integer), Column("state", .text), Column("ended_at", .integer, isNullable: true),
            ], key: ["id"], references: [Reference(["tenant"], to: "tenants")]),
        .index("enrolments_by_reference", on: "enrolments", ["tenant", "reference"], isUnique: true),
        .index("enrolments_by_holder", on: "enrolments", ["tenant", "holder", "id"]),
        .index("enrolments_by_scope", on: "enrolments", ["tenant", "scope", "id"]),
        .index("enrolments_by_tenant", on: "enrolments", ["tenant", "id"]),
        .table(
            "enrolment_places",
            [
                Column("enrolment_id", .integer), Column("device", .blob), Column("state", .text),
                Column("held_until", .integer, isNullable: true),
            ], key: ["enrolment_id", "device"], references: [Reference(["enrolment_id"], to: "enrolments")]),
        .table(
            "early_takings",
            [Column("enrolment_id", .integer), Column("at", .integer), Column("device", .blob)],
            key: ["enrolment_id", "at", "device"], references: [Reference(["enrolment_id"], to: "enrolments")]),
        .index("early_takings_by_age", on: "early_takings", ["at"]),
    ]

    private static let licenses: [Step] = [
        .table(
            "content_licenses",
            [
                Column("id", .integer), Column("tenant", .text), Column("holder", .text),
                Column("enrolment_id", .integer), Column("content", .text), Column("device", .blob),
                Column("grant_enrolment_id", .integer), Column("request", .text), Column("version", .integer),
                Column("issued_at", .integer), Column("grant_settled", .integer),
                Column("not_before", .integer, isNullable: true), Column("expires_at", .integer, isNullable: true),
                Column("window_after_first_play", .integer, isNullable: true),
                Column("plays", .integer, isNullable: true), Column("play_seconds", .integer, isNullable: true),
                Column("play_time_basis", .text), Column("count_after_seconds", .integer),
                Column("resume_within_seconds", .integer), Column("check_in_by", .integer, isNullable: true),
                Column("online_required", .flag), Column("ask_before_renew", .flag),
                Column("renew_from", .integer, isNullable: true), Column("renew_until", .integer, isNullable: true),
                Column("grace_seconds", .integer), Column("when_over", .text), Column("ledger", .text),
                Column("state", .text), Column("stopped_at", .integer, isNullable: true), Column("is_released", .flag),
                Column("is_reset", .flag), Column("counts_from", .integer), Column("used_plays", .integer),
                Column("used_seconds", .integer), Column("settled", .integer),
                Column("first_play_at", .integer, isNullable: true),
                Column("downloaded_at", .integer, isNullable: true), Column("last_seen_at", .integer),
            ], key: ["id"],
            references: [Reference(["tenant"], to: "tenants"), Reference(["enrolment_id"], to: "enrolments")]),
        .index("content_licenses_by_holder", on: "content_licenses", ["tenant", "holder", "device", "content", "id"]),
        .index("content_licenses_by_enrolment", on: "content_licenses", ["enrolment_id", "device", "id"]),
        .index("content_licenses_by_tenant", on: "content_licenses", ["tenant", "id"]),
        .table(
            "play_sessions",
            [
                Column("license_id", .integer), Column("session", .name), Column("version", .integer),
                Column("sequence", .integer), Column("started_at", .integer), Column("play_seconds", .integer),
                Column("is_counted", .flag), Column("is_ended", .flag),
            ], key: ["license_id", "session"], references: [Reference(["license_id"], to: "content_licenses")]),
        .table(
            "content_replies",
            [Column("request", .blob), Column("fingerprint", .blob), Column("reply", .blob), Column("at", .integer)],
            key: ["request"]),
        .index("content_replies_by_age", on: "content_replies", ["at"]),
    ]

    private static let holders: [Step] = [
        .table(
            "holder_credentials",
            [
                Column("hash", .blob), Column("tenant", .text), Column("holder", .text), Column("kind", .text),
                Column("device", .blob, isNullable: true), Column("created_at", .integer),
                Column("expires_at", .integer), Column("ended_at", .integer, isNullable: true),
                Column("released_at", .integer, isNullable: true),
            ], key: ["hash"], references: [Reference(["tenant"], to: "tenants")]),
        .index("holder_credentials_by_holder", on: "holder_credentials", ["tenant", "holder"]),
        .index("holder_credentials_by_expiry", on: "holder_credentials", ["expires_at"]),
        .index("holder_credentials_by_end", on: "holder_credentials", ["ended_at"], whereNotNull: "ended_at"),
        ofTenant(
            "content_devices",
            [Column("holder", .text), Column("device", .blob), Column("name", .text, isNullable: true)],
            key: ["holder", "device"]),
        ofTenant(
            "device_releases",
            [Column("holder", .text), Column("at", .integer), Column("device", .blob)],
            key: ["holder", "at", "device"]),
        .index("device_releases_by_age", on: "device_releases", ["at"]),
    ]

    private static let events: [Step] = [
        .column(Column("enrolment_id", .integer, isNullable: true), of: "events"),
        .column(Column("content_license_id", .integer, isNullable: true), of: "events"),
        .index("events_by_enrolment", on: "events", ["enrolment_id", "sequence"], whereNotNull: "enrolment_id"),
        .index(
            "events_by_content_license", on: "events", ["content_license_id", "sequence"],
            whereNotNull: "content_license_id"),
    ]
}
