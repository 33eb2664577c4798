package import TenureCore
package import TenureFormats
package import TenureStore

/// A room's share of the catalog: what it reads of it from its tables, and the keys that it holds open beside it.
package struct CatalogMember: Sendable {
    /// Puts what its looks found into the tenants, which are there already.
    package typealias Fill = @Sendable (Seen, inout Catalog) -> Void

    let declare: @Sendable (inout Asking, RowsLook<TenantRow>) -> Fill
    let open: @Sendable (any Store, MasterKey, CatalogScope) async throws(ServerError) -> (any CatalogPart)?
    let kept: KeptShare?

    /// States a share.
    /// - Parameters:
    ///   - kept: What of it is kept on this machine for a start without the store; nil for nothing.
    ///   - open: Reads and opens the keys of the tenants in a scope; nil of a room without any.
    ///   - declare: Takes down looks at what the room's tables hold of each tenant that is looked at, and says what becomes
    ///     of what they find.
    package init(
        open: @escaping @Sendable (any Store, MasterKey, CatalogScope) async throws(ServerError) -> (any CatalogPart)? =
            { _, _, _ in nil },
        kept: KeptShare? = nil, _ declare: @escaping @Sendable (inout Asking, RowsLook<TenantRow>) -> Fill
    ) {
        self.open = open
        self.kept = kept
        self.declare = declare
    }
}

/// What of a room's share is kept on this machine, so that a server that starts without its store has it.
package struct KeptShare: Sendable {
    let write: @Sendable (CatalogSnapshot, TenantID, inout JSONObjectWriter) -> Void
    let restore: @Sendable ([TenantID: FlatObject], inout Catalog) -> any CatalogPart

    /// Declares it.
    /// - Parameters:
    ///   - write: Writes a tenant's members. Their names must differ from those of other rooms.
    ///   - restore: Reads them, puts what belongs there into the tenants, which are there already, and answers the part.
    package init(
        write: @escaping @Sendable (CatalogSnapshot, TenantID, inout JSONObjectWriter) -> Void,
        restore: @escaping @Sendable ([TenantID: FlatObject], inout Catalog) -> any CatalogPart
    ) {
        self.write = write
        self.restore = restore
    }
}

/// What a room keeps in memory with one version of the catalog, such as opened keys; never changed after it was made.
package protocol CatalogPart: AnyObject, Sendable {}

/// What is read of the catalog: everything, or the tenants that have changed since a snapshot.
package struct CatalogScope: Sendable {
    /// The latest that was read, to take from what has not changed; nil at the first reading.
    package let known: CatalogSnapshot?
    /// The tenants that have changed; nil for all.
    package let changed: Set<TenantID>?

    /// What becomes of a room's own values by tenant: those of tenants that have not changed stay.
    ///
    /// - Parameters:
    ///   - known: What the room keeps with the known snapshot.
    ///   - read: Reads those of one tenant, or of all for nil, into the values; it may take from the known ones what is
    ///     the same still.
    package func values<Value>(
        over known: [TenantID: Value],
        read: (TenantID?, inout [TenantID: Value]) async throws(ServerError) -> Void
    ) async throws(ServerError) -> [TenantID: Value] {
        guard let changed else {
            var all: [TenantID: Value] = [:]
            try await read(nil, &all)
            return all
        }
        var values = known
        for tenant in changed.sorted() {
            values[tenant] = nil
            try await read(tenant, &values)
        }
        return values
    }
}
