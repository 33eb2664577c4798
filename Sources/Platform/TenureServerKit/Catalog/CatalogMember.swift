package import TenureCore
package import TenureFormats
package import TenureStore

/// A feature's part of the catalog: the queries that load it, the keys decrypted for it, and the values that are saved
/// on this host.
package struct CatalogMember: Sendable {
    /// Adds the query results to the catalog, which already contains the tenants.
    package typealias Fill = @Sendable (QueryResult, inout Catalog) -> Void

    let declare: @Sendable (inout QueryBuilder<Void>, RowsQuery<TenantRow>) -> Fill
    let open: @Sendable (ServerStore, MasterKey, CatalogScope) async throws(ServerError) -> (any CatalogPart)?
    let stored: CatalogMember.KeptShare?

    /// Declares a feature's part of the catalog.
    ///
    /// - Parameters:
    ///   - open: Reads and decrypts the keys of the tenants in a scope; returns `nil` for a feature without keys.
    ///   - stored: Saves values on this host, so that the server can start without the store; `nil` to save none.
    ///   - declare: Adds the feature's queries for the tenants that are read, and returns a function that adds their
    ///     results to the catalog.
    package init(
        open:
            @escaping @Sendable (ServerStore, MasterKey, CatalogScope) async throws(ServerError) -> (any CatalogPart)? =
            { _, _, _ in nil },
        stored: CatalogMember.KeptShare? = nil,
        _ declare: @escaping @Sendable (inout QueryBuilder<Void>, RowsQuery<TenantRow>) -> Fill
    ) {
        self.open = open
        self.stored = stored
        self.declare = declare
    }
}

extension CatalogMember {
    /// The values that a feature saves on this host, so that the server can start while the store is unavailable.
    package struct KeptShare: Sendable {
        let write: @Sendable (CatalogSnapshot, TenantID, inout JSONObjectWriter) -> Void
        let restore: @Sendable ([TenantID: FlatObject], inout Catalog) -> any CatalogPart

        /// Declares how a feature's values are saved and restored.
        ///
        /// - Parameters:
        ///   - write: Writes the values as JSON members of a tenant; other features must not use the same names.
        ///   - restore: Reads the values, adds them to the catalog's existing tenants and returns the feature's part.
        package init(
            write: @escaping @Sendable (CatalogSnapshot, TenantID, inout JSONObjectWriter) -> Void,
            restore: @escaping @Sendable ([TenantID: FlatObject], inout Catalog) -> any CatalogPart
        ) {
            self.write = write
            self.restore = restore
        }
    }
}

/// A feature's immutable data in memory for one version of the catalog, such as decrypted keys.
package protocol CatalogPart: AnyObject, Sendable {}

/// Which tenants of the catalog to read: all, or those that changed since a snapshot.
package struct CatalogScope: Sendable {
    /// The snapshot from which unchanged values are copied; `nil` on the first read.
    package let existing: CatalogSnapshot?
    /// The tenants that changed; `nil` for all.
    package let changed: Set<TenantID>?

    /// Returns a feature's values by tenant; reads those of changed tenants and copies the others.
    ///
    /// - Parameters:
    ///   - existing: The feature's values in the existing snapshot.
    ///   - read: Adds the values of one tenant, or of every tenant if the id is `nil`. It may reuse unchanged existing
    ///     values.
    package func values<Value>(
        over existing: [TenantID: Value],
        read: (TenantID?, inout [TenantID: Value]) async throws -> Void
    ) async throws(ServerError) -> [TenantID: Value] {
        var values = changed == nil ? [:] : existing
        do {
            guard let changed else {
                try await read(nil, &values)
                return values
            }
            for tenant in changed.sorted() {
                values[tenant] = nil
                try await read(tenant, &values)
            }
            return values
        } catch {
            throw ServerError(thrown: error)
        }
    }
}
