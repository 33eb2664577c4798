public import TenureCore
public import TenureStore

/// A tenant's own facts as they are stored; its products and its marketplace have tables of their own.
public struct TenantRow: Sendable, Hashable {
    /// Its name on this server.
    public let id: TenantID
    /// What people call it.
    public var name: String

    /// Pairs the two.
    public init(id: TenantID, name: String) {
        self.id = id
        self.name = name
    }
}

extension TenantRow: Stored {
    /// Tenants.
    public static let table = Table<TenantRow>(
        "tenants", key: ["tenant"],
        [Field("tenant") { $0.id }, Field("name") { $0.name }],
        changesAlone: true, part: "catalog"
    ) { row throws(StoreError) in
        TenantRow(id: try row.next(), name: try row.next())
    }
}

/// How often the catalog and the keys have changed: servers compare it with the version of what they keep in memory.
public struct CatalogVersion: Sendable, Hashable {
    /// The number; it only grows.
    public var version: Int64

    /// Holds the number.
    public init(version: Int64) { self.version = version }
}

extension CatalogVersion: Stored {
    /// The one row of the catalog's version; its key column is named differently by each engine, so it is not declared.
    public static let table = Table<CatalogVersion>(
        "catalog_version", key: [], [Field("version") { $0.version }], changesAlone: true, part: "catalog"
    ) { row throws(StoreError) in
        CatalogVersion(version: try row.next())
    }
}
