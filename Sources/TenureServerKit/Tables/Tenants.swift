public import TenureCore
public import TenureStore

/// A tenant's own facts as they are stored; its products and its marketplace have tables of their own.
public struct TenantRow: Sendable, Hashable {
    /// Its name on this server.
    public let id: TenantID
    /// What people call it.
    public var name: String
    /// What its customers are told things in.
    public var language: Language
    /// Where they write for help.
    public var supportEmail: String?

    /// Puts it together.
    public init(id: TenantID, name: String, language: Language = .english, supportEmail: String? = nil) {
        self.id = id
        self.name = name
        self.language = language
        self.supportEmail = supportEmail
    }
}

extension Language: StorableCode {}

extension TenantRow {
    /// A tenant's own facts.
    init(_ tenant: Tenant) {
        self.init(
            id: tenant.id, name: tenant.name, language: tenant.language ?? .english, supportEmail: tenant.supportEmail)
    }

    /// A tenant as a file has it, over what is stored: language and address stay where the file does not name them.
    init(_ tenant: Tenant, over known: Tenant?) {
        self.init(
            id: tenant.id, name: tenant.name, language: tenant.language ?? known?.language ?? .english,
            supportEmail: tenant.supportEmail ?? known?.supportEmail)
    }

    /// The tenant with these facts and nothing else.
    var tenant: Tenant { Tenant(id: id, name: name, language: language, supportEmail: supportEmail) }
}

extension TenantRow: Stored {
    /// Tenants.
    public static let table = Table<TenantRow>(
        "tenants", key: ["tenant"],
        [
            Field("tenant") { $0.id }, Field("name") { $0.name }, Field("language") { $0.language },
            Field("support_email") { $0.supportEmail },
        ],
        changesAlone: true, part: "catalog"
    ) { row throws(StoreError) in
        TenantRow(
            id: try row.next(), name: try row.next(), language: try row.next(), supportEmail: try row.next())
    }
}

/// How often the catalog and the keys have changed: servers compare it with the version of what they keep in memory.
///
/// A server that knows of ``TenantVersion`` raises both numbers with its tenant's; one from before knows `version` alone.
/// So where the two have come apart more than before, any tenant may have changed.
public struct CatalogVersion: Sendable, Hashable {
    /// The number of all changes; it only grows.
    public var version: Int64

    /// The number of those that said which tenants they concern.
    public var marked: Int64

    /// How many changes did not say whom they concern.
    public var unmarked: Int64 { version - marked }

    /// Holds the numbers.
    public init(version: Int64, marked: Int64 = 0) {
        self.version = version
        self.marked = marked
    }
}

extension CatalogVersion: Stored {
    /// The one row of the catalog's version; its key column is named differently by each engine, so it is not declared.
    public static let table = Table<CatalogVersion>(
        "catalog_version", key: [], [Field("version") { $0.version }, Field("marked") { $0.marked }],
        changesAlone: true, part: "catalog"
    ) { row throws(StoreError) in
        CatalogVersion(version: try row.next(), marked: try row.next())
    }
}

/// How often one tenant's catalog and keys have changed; a tenant without a row has not since versions are counted so.
public struct TenantVersion: Sendable, Hashable {
    /// Which tenant.
    public let tenant: TenantID
    /// The number; it only grows.
    public var version: Int64

    /// Pairs the two.
    public init(tenant: TenantID, version: Int64) {
        self.tenant = tenant
        self.version = version
    }
}

extension TenantVersion: Stored {
    /// The versions of tenants.
    public static let table = Table<TenantVersion>(
        "tenant_versions", key: ["tenant"], [Field("tenant") { $0.tenant }, Field("version") { $0.version }],
        changesAlone: true, part: "catalog"
    ) { row throws(StoreError) in
        TenantVersion(tenant: try row.next(), version: try row.next())
    }
}

/// Looks at the versions of tenants that a change concerns, and raises them with the whole catalog's.
package struct TenantMarks: Sendable {
    private let whole: RowLook<CatalogVersion>
    private let tenants: RowsLook<TenantVersion>

    /// Takes the looks down; their list holds the tenants.
    package init(_ ask: inout Asking) {
        whole = ask.row(CatalogVersion.table.key)
        tenants = ask.each(TenantVersion.table.key)
    }

    /// The saves by which a change of the catalog or of keys makes every server read these tenants again.
    package func raised(for concerned: some Sequence<TenantID>, in seen: Seen) -> [Save] {
        let before = seen[whole] ?? CatalogVersion(version: 0)
        let known = seen[tenants]
        let after = CatalogVersion(version: before.version + 1, marked: before.marked + 1)
        return [.replace(before, by: after)]
            + Set(concerned).sorted().map { tenant in
                let old = known.first { $0.tenant == tenant }
                return .put(TenantVersion(tenant: tenant, version: (old?.version ?? 0) + 1), over: old)
            }
    }
}

extension Migration {
    /// Which tenants a change of the catalog concerns.
    public static let tenantVersions = Migration(
        "0008-tenant-versions",
        [
            .column(Column("marked", .integer, standard: .integer(0)), of: "catalog_version"),
            .text(
                sqlite: "UPDATE catalog_version SET marked = version",
                postgres: "UPDATE catalog_version SET marked = version"),
            .table("tenant_versions", [Column("tenant", .text), Column("version", .integer)], key: ["tenant"]),
        ])

    /// What language a tenant's customers are told things in, and where they write for help.
    public static let tenantLanguages = Migration(
        "0019-tenant-languages",
        [
            .column(Column("language", .text, standard: .text("en")), of: "tenants"),
            .column(Column("support_email", .text, isNullable: true), of: "tenants"),
        ])
}
