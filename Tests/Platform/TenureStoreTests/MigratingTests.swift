import TenureStore
import TenureServer
import TenureServerKit
import Testing

/// How a migration that is data becomes statements; that databases take them, the engines' own tests show.
@Suite struct `A migration as data` {
    private static let links: [Migration.Column] = [
        Migration.Column("id", .name), Migration.Column("note", .text, isNullable: true),
        Migration.Column("open", .flag, standard: .flag(true)), Migration.Column("bytes", .blob),
        Migration.Column("owner", .integer),
    ]

    private func statements(_ step: Migration.Step, _ dialect: SQLDialect) -> String {
        dialect.migrating(Migration("9999-test", [step]))
    }

    @Test func `makes a table, with what the types of SQLite do not say`() {
        let step = Migration.Step.table(
            "links", Self.links, key: ["id", "owner"], references: [Migration.Reference(["owner"], to: "people")])
        #expect(
            statements(step, .sqlite) == """
                CREATE TABLE links (
                    id BLOB NOT NULL CHECK (length(id) = 16),
                    note TEXT,
                    open INTEGER NOT NULL DEFAULT 1 CHECK (open IN (0, 1)),
                    bytes BLOB NOT NULL,
                    owner INTEGER NOT NULL,
                    PRIMARY KEY (id, owner),
                    FOREIGN KEY (owner) REFERENCES people
                ) STRICT, WITHOUT ROWID
                """)
        #expect(
            statements(step, .postgres) == """
                CREATE TABLE links (
                    id uuid NOT NULL,
                    note text COLLATE "C",
                    open boolean NOT NULL DEFAULT true,
                    bytes bytea NOT NULL,
                    owner bigint NOT NULL,
                    PRIMARY KEY (id, owner),
                    FOREIGN KEY (owner) REFERENCES people
                )
                """)
    }

    @Test func `makes a table whose rows the engine numbers`() {
        let step = Migration.Step.numbered(
            "lines", [Migration.Column("number", .integer), Migration.Column("text", .text)])
        #expect(
            statements(step, .sqlite) == """
                CREATE TABLE lines (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    text TEXT NOT NULL
                ) STRICT
                """)
        #expect(
            statements(step, .postgres) == """
                CREATE TABLE lines (
                    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                    text text COLLATE "C" NOT NULL
                )
                """)
    }

    @Test func `adds columns and indexes, and says anything else in each engine's words`() {
        let steps: [(Migration.Step, sqlite: String, postgres: String)] = [
            (
                .column(Migration.Column("name", .text, standard: .text("o'clock")), of: "t"),
                "ALTER TABLE t ADD COLUMN name TEXT NOT NULL DEFAULT 'o''clock'",
                "ALTER TABLE t ADD COLUMN name text COLLATE \"C\" NOT NULL DEFAULT 'o''clock'"
            ),
            (
                .index("t_by_name", on: "t", ["name", "id"], isUnique: true),
                "CREATE UNIQUE INDEX t_by_name ON t (name, id)", "CREATE UNIQUE INDEX t_by_name ON t (name, id)"
            ),
            (
                .index("t_by_end", on: "t", ["ended_at"], whereNotNull: "ended_at"),
                "CREATE INDEX t_by_end ON t (ended_at) WHERE ended_at IS NOT NULL",
                "CREATE INDEX t_by_end ON t (ended_at) WHERE ended_at IS NOT NULL"
            ),
            (.text(sqlite: "ONE", postgres: "OTHER"), "ONE", "OTHER"),
        ]
        for (step, sqlite, postgres) in steps {
            #expect(statements(step, .sqlite) == sqlite)
            #expect(statements(step, .postgres) == postgres)
        }
        let both = Migration("9999-test", [steps[1].0, steps[2].0])
        #expect(SQLDialect.sqlite.migrating(both) == "\(steps[1].sqlite);\n\(steps[2].sqlite)")
    }

    @Test func `comes after those that were released as texts, all in one order`() {
        #expect(StoreSchema.tenure.identifiers == StoreSchema.tenure.identifiers.sorted())
        #expect(Set(StoreSchema.tenure.identifiers).count == StoreSchema.tenure.identifiers.count)
        #expect(StoreSchema.tenure.identifiers.starts(with: MigrationID.allCases.map(\.rawValue)))
        #expect(
            StoreSchema.tenure.migrations.map(\.id) == SQLDialect.postgres.migrations(of: .tenure).map(\.id))
    }
}
