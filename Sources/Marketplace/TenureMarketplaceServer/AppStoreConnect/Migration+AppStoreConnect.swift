package import TenureStore

extension Migration {
    /// Adds columns for notifications dated in the future, and what undoing a notification needs.
    package static let noticeOrder = Migration(
        "0021-notice-order",
        [
            .column(Column("closed_ahead", .integer, isNullable: true), of: "app_availability"),
            .column(Column("first_heard", .integer, isNullable: true), of: "app_availability"),
            .column(Column("counted_at", .integer, isNullable: true), of: "notices"),
            .index("notices_of_app", on: "notices", ["tenant", "item", "received_at", "id"]),
        ])

    /// Adds the tables for App Store Connect: availability, secrets, notifications and imports.
    package static let appStoreConnect = Migration(
        "0015-app-store-connect",
        [
            .table(
                "app_availability",
                [
                    Column("tenant", .text), Column("item", .integer), Column("package", .text),
                    Column("is_closed_elsewhere", .flag), Column("closed", .text), Column("open", .text),
                    Column("told_at", .integer, isNullable: true), Column("closed_last", .text, isNullable: true),
                ], key: ["tenant", "item", "package"], references: [Reference(["tenant"], to: "tenants")]),
            .table(
                "marketplace_secrets",
                [Column("tenant", .text), Column("kind", .text), Column("sealed", .blob)], key: ["tenant", "kind"],
                references: [Reference(["tenant"], to: "tenants")]),
            .table(
                "notices",
                [
                    Column("tenant", .text), Column("id", .text), Column("type", .text),
                    Column("item", .integer, isNullable: true), Column("happened_at", .integer, isNullable: true),
                    Column("received_at", .integer), Column("outcome", .text),
                    Column("detail", .text, isNullable: true), Column("body", .blob),
                ], key: ["tenant", "id"], references: [Reference(["tenant"], to: "tenants")]),
            .index("notices_of_tenant", on: "notices", ["tenant", "received_at", "id"]),
            .index("notices_by_age", on: "notices", ["received_at", "tenant", "id"]),
            .index("notices_by_outcome", on: "notices", ["outcome", "received_at", "tenant", "id"]),
            .table(
                "package_imports",
                [
                    Column("tenant", .text), Column("id", .text), Column("package", .text, isNullable: true),
                    Column("item", .integer, isNullable: true), Column("version", .integer, isNullable: true),
                    Column("source", .text), Column("state", .text), Column("cause", .text, isNullable: true),
                    Column("failures", .integer), Column("announced_at", .integer), Column("changed_at", .integer),
                    Column("next_at", .integer, isNullable: true), Column("size", .integer), Column("job", .text),
                ], key: ["tenant", "id"], references: [Reference(["tenant"], to: "tenants")]),
            .index("package_imports_of_app", on: "package_imports", ["tenant", "item", "id"]),
            .index("package_imports_by_state", on: "package_imports", ["state", "tenant", "id"]),
            .table(
                "import_assets",
                [
                    Column("tenant", .text), Column("import", .text), Column("asset", .text), Column("kind", .text),
                    Column("size", .integer), Column("fetched", .integer), Column("etag", .text, isNullable: true),
                    Column("key_blob", .blob, isNullable: true), Column("is_done", .flag),
                    Column("failures", .integer), Column("job", .text),
                ], key: ["tenant", "import", "asset"],
                references: [Reference(["tenant", "import"], to: "package_imports")]),
        ])
}
