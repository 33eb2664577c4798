import TenureServerKit
import TenureStore
import TenureTesting
import Testing

/// Tests the SQL statements of declared migrations. The engines' tests show that databases accept them.
@Suite struct `Declared migrations` {
    private static let links: [Migration.Column] = [
        Migration.Column("id", .name), Migration.Column("note", .text, isNullable: true),
        Migration.Column("open", .flag, standard: .flag(true)), Migration.Column("bytes", .blob),
        Migration.Column("owner", .integer),
    ]

    private func statements(_ step: Migration.Step, _ dialect: SQLDialect) -> String {
        dialect.migrating(Migration("9999-test", [step]))
    }

    @Test func `a migration's table step becomes CREATE TABLE, on SQLite with checks for types that SQLite lacks`() {
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

    @Test func `a migration's column and index steps become SQL, and a text step is used as written for each engine`() {
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
                .index("t_by_end", on: "t", ["ended_at"], where: [.isNotNull("ended_at")]),
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

    @Test func `the baseline creates the declared tables in order, with their indexes`() {
        let schema = StoreSchema([Shelf.kept(), Book.kept(), Line.kept(), Counter.kept()], migrations: [])
        #expect(
            SQLDialect.sqlite.migrating(schema.baseline) == """
                CREATE TABLE shelves (
                    id INTEGER PRIMARY KEY,
                    name TEXT NOT NULL,
                    room INTEGER
                ) STRICT;
                CREATE UNIQUE INDEX shelves_by_name ON shelves (name);
                CREATE TABLE books (
                    shelf INTEGER NOT NULL,
                    number INTEGER NOT NULL,
                    title TEXT NOT NULL,
                    rank INTEGER NOT NULL,
                    is_lent INTEGER NOT NULL CHECK (is_lent IN (0, 1)),
                    PRIMARY KEY (shelf, number),
                    FOREIGN KEY (shelf) REFERENCES shelves
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX books_present ON books (shelf, rank) WHERE is_lent = 0;
                CREATE INDEX books_of_title ON books (title);
                CREATE TABLE lines (
                    shelf INTEGER NOT NULL,
                    number INTEGER NOT NULL,
                    PRIMARY KEY (shelf, number)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE counter (
                    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
                    count INTEGER NOT NULL,
                    note TEXT
                ) STRICT;
                INSERT INTO counter VALUES (1, 0, NULL)
                """)
        #expect(
            SQLDialect.postgres.migrating(schema.baseline) == """
                CREATE TABLE shelves (
                    id bigint NOT NULL,
                    name text COLLATE "C" NOT NULL,
                    room bigint,
                    PRIMARY KEY (id)
                );
                CREATE UNIQUE INDEX shelves_by_name ON shelves (name);
                CREATE TABLE books (
                    shelf bigint NOT NULL,
                    number bigint NOT NULL,
                    title text COLLATE "C" NOT NULL,
                    rank bigint NOT NULL,
                    is_lent boolean NOT NULL,
                    PRIMARY KEY (shelf, number),
                    FOREIGN KEY (shelf) REFERENCES shelves
                ) WITH (fillfactor = 85);
                CREATE INDEX books_present ON books (shelf, rank) WHERE is_lent = false;
                CREATE INDEX books_of_title ON books (title);
                CREATE TABLE lines (
                    shelf bigint NOT NULL,
                    number bigint NOT NULL,
                    PRIMARY KEY (shelf, number)
                );
                CREATE TABLE counter (
                    only_row boolean PRIMARY KEY CHECK (only_row),
                    count bigint NOT NULL,
                    note text COLLATE "C"
                );
                INSERT INTO counter VALUES (true, 0, NULL)
                """)
    }

    @Test func `migrations follow the baseline in the order of their names`() {
        #expect(StoreSchema.tenure.identifiers.first == "0001-baseline")
        #expect(StoreSchema.tenure.identifiers == StoreSchema.tenure.identifiers.sorted())
        #expect(Set(StoreSchema.tenure.identifiers).count == StoreSchema.tenure.identifiers.count)
        let schema = StoreSchema([], migrations: [Migration("0003-b", []), Migration("0002-a", [])])
        #expect(schema.identifiers == ["0001-baseline", "0002-a", "0003-b"])
    }
}
