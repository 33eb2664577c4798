import TenureCore
import TenureLicensingServer
import TenureMarketplaceServer
import TenurePostgres
import TenureServerKit
import TenureStore
import TenureTesting

// Tables only for tests. Together they use everything that a table declaration supports.

struct Owner: Stored, Hashable {
    var id: Int64
    var domain: String
    var email: String?
    var isOpen: Bool

    static let table = Table<Owner>(
        "gen_owners", key: ["id"],
        [
            Field("id") { $0.id }, Field("domain") { $0.domain }, Field("email") { $0.email },
            Field("is_open") { $0.isOpen },
        ], uniques: [Unique("domain", "domain")]
    ) { row in
        Owner(id: try row.next(), domain: try row.next(), email: try row.next(), isOpen: try row.next())
    }

    static let byDomain = table.unique("domain")
    static let byEmail = table.set("by_email", "email")
}

struct Item: Stored, Hashable {
    var id: ActivationID
    var owner: Int64
    var label: String
    var digest: Digest?
    var at: Timestamp
    var endedAt: Timestamp?

    static let table = Table<Item>(
        "gen_items", key: ["id"],
        [
            Field("id") { $0.id }, Field("owner") { $0.owner }, Field("label") { $0.label },
            Field("digest") { $0.digest }, Field("at") { $0.at }, Field("ended_at") { $0.endedAt },
        ], foreignKeys: [ForeignKey("owner", to: Owner.self)],
        uniques: [Unique("by_digest", "digest", "owner", leading: 1)]
    ) { row in
        Item(
            id: try row.next(), owner: try row.next(), label: try row.next(), digest: try row.next(),
            at: try row.next(), endedAt: try row.next())
    }

    static let byDigest = table.unique("by_digest")
    static let live = table.set("live", "owner", where: .isNull("ended_at"), order: [.down("at"), .down("id")])
    static let liveOfLabel = table.set(
        "live_of_label", "owner", "label", where: .isNull("ended_at"), order: [.down("at"), .down("id")])
}

/// Rows that no query locks, with a key of two columns.
struct Right: Stored, Hashable {
    var owner: Int64
    var kind: String
    var amount: UInt64

    static let table = Table<Right>(
        "gen_rights", key: ["owner", "kind"],
        [Field("owner") { $0.owner }, Field("kind") { $0.kind }, Field("amount") { $0.amount }],
        foreignKeys: [ForeignKey("owner", to: Owner.self)], changesAlone: true
    ) { row in
        Right(owner: try row.next(), kind: try row.next(), amount: try row.next())
    }

    static let ofOwner = table.set("of_owner", "owner")
}

/// The number of the last entry of a journal.
struct Journal: Stored, Hashable {
    var id: Int64
    var last: Int64

    static let table = Table<Journal>("gen_journals", key: ["id"], [Field("id") { $0.id }, Field("last") { $0.last }]) {
        row in Journal(id: try row.next(), last: try row.next())
    }
}

struct Entry: Stored, Hashable {
    var journal: Int64 = 1
    var number: Int64
    var text: String
    var owner: Int64

    static let table = Table<Entry>(
        "gen_entries", key: ["journal", "number"],
        [
            Field("journal") { $0.journal }, Field("number") { $0.number }, Field("text") { $0.text },
            Field("owner") { $0.owner },
        ], counter: Journal.table.shape
    ) { row in
        Entry(journal: try row.next(), number: try row.next(), text: try row.next(), owner: try row.next())
    }
}

struct Version: Stored, Hashable {
    var version: Int64

    static let table = Table<Version>("gen_version", key: [], [Field("version") { $0.version }], changesAlone: true) {
        row in Version(version: try row.next())
    }
}

let genericSchema = """
    CREATE TABLE gen_owners (id bigint PRIMARY KEY, domain text COLLATE "C" NOT NULL UNIQUE, email text COLLATE "C",
        is_open boolean NOT NULL);
    CREATE INDEX gen_owners_by_email ON gen_owners (email) WHERE email IS NOT NULL;
    CREATE TABLE gen_items (id uuid PRIMARY KEY, owner bigint NOT NULL REFERENCES gen_owners, label text NOT NULL,
        digest bytea, at bigint NOT NULL, ended_at bigint);
    CREATE UNIQUE INDEX gen_items_by_digest ON gen_items (digest, owner);
    CREATE INDEX gen_items_by_owner ON gen_items (owner, label);
    CREATE TABLE gen_rights (owner bigint NOT NULL REFERENCES gen_owners, kind text COLLATE "C" NOT NULL,
        amount bigint NOT NULL, PRIMARY KEY (owner, kind));
    CREATE TABLE gen_journals (id bigint PRIMARY KEY, last bigint NOT NULL);
    CREATE TABLE gen_entries (journal bigint NOT NULL, number bigint NOT NULL, text text NOT NULL,
        owner bigint NOT NULL, PRIMARY KEY (journal, number));
    CREATE TABLE gen_version (only_row boolean PRIMARY KEY CHECK (only_row), version bigint NOT NULL);
    INSERT INTO gen_version VALUES (true, 0);
    """

/// A named query for the number of items of each owner.
let itemsOfOwners = NamedQuery<OwnerCount>(
    "items of owners", [.integer], touches: [Item.table.shape], sqlite: "",
    postgres: """
        SELECT w.owner, (SELECT count(*) FROM gen_items i WHERE i.owner = w.owner)
        FROM unnest($1::bigint[]) AS w (owner) ORDER BY w.owner
        """
) { row in OwnerCount(owner: try row.next(), count: try row.next()) }

struct OwnerCount: Sendable, Hashable {
    var owner: Int64
    var count: Int
}

struct OwnerQueryPlan {
    let owner: RowQuery<Owner>
    init(_ query: inout QueryBuilder<Int64>) { owner = query.row(Owner.table.key) { [.of($0)] } }
    static let plan = QueryPlan(OwnerQueryPlan.init)
}

/// An owner that is found by its domain, the number of its live items, and its live item with a label.
struct ActivationQueryPlan {
    let owner: RowQuery<Owner>
    let live: CountQuery
    let own: RowQuery<Item>
    struct Parameters {
        let domain: String
        let label: String
    }

    init(_ query: inout QueryBuilder<Parameters>) {
        owner = query.row(Owner.byDomain) { [.of($0.domain)] }
        live = query.count(Item.live, upTo: 3, .column("id", of: owner))
        own = query.row(Item.liveOfLabel, .column("id", of: owner), .request { .of($0.label) })
    }
    static let plan = QueryPlan(ActivationQueryPlan.init)
}

/// An item with its owner and that owner's items and rights.
struct ItemQueryPlan {
    let item: RowQuery<Item>
    let owner: RowQuery<Owner>
    let live: RowsQuery<Item>
    let rights: RowsQuery<Right>
    init(_ query: inout QueryBuilder<ActivationID>) {
        item = query.row(Item.table.key) { [.of($0)] }
        owner = query.row(Owner.table.key, .column("owner", of: item))
        live = query.rows(Item.live, upTo: 2, .column("owner", of: item))
        rights = query.rows(Right.ofOwner, upTo: 10, .column("id", of: owner))
    }
    static let plan = QueryPlan(ItemQueryPlan.init)
}

/// Many items at once, each with its owner, and a named query for some owners.
struct ManyQueryPlan {
    let items: RowsQuery<Item>
    let owners: RowsQuery<Owner>
    let counts: NamedRowsQuery<OwnerCount>
    struct Parameters {
        let items: [ActivationID]
        let owners: [Int64]
    }

    init(_ query: inout QueryBuilder<Parameters>) {
        items = query.each(Item.table.key) { $0.items.map(StoredValue.of) }
        owners = query.each(Owner.table.key, .column("owner", of: items))
        counts = query.view(itemsOfOwners) { $0.owners.map(StoredValue.of) }
    }
    static let plan = QueryPlan(ManyQueryPlan.init)
}

extension PostgresServer {
    /// Creates a database with the tables of this file, and opens a store on it.
    func makeGeneric() async throws -> (store: PostgresStore, url: String) {
        let url = try makeDatabase()
        let store = try await PostgresStore.open(.tenure, url: url, mode: .create)
        try sql(genericSchema, in: url)
        return (store, url)
    }
}

extension Item {
    static func make(
        _ id: UInt64, of owner: Int64, _ label: String, at: Int64 = 0, digest: UInt8? = nil, ended: Int64? = nil
    ) -> Item {
        Item(
            id: ActivationID(high: 7, low: id), owner: owner, label: label,
            digest: digest.flatMap { Digest([UInt8](repeating: $0, count: 32)) }, at: Timestamp(seconds: at),
            endedAt: ended.map { Timestamp(seconds: $0) })
    }
}
