package import TenureCore

// Core values that span several columns.

extension RowCursor {
    /// Reads the two columns of a product reference.
    package mutating func product() throws(StoreError) -> ProductRef {
        ProductRef(tenant: try next(), product: try next())
    }

    /// Reads the two columns of an account reference.
    package mutating func account() throws(StoreError) -> AccountRef {
        AccountRef(tenant: try next(), account: try next())
    }

    /// Reads the three columns of an asset reference.
    package mutating func asset() throws(StoreError) -> AssetRef {
        AssetRef(item: try next(), version: try next(), asset: try next())
    }

    /// Reads the two columns of a term.
    package mutating func term() throws(StoreError) -> Term {
        guard let term = Term(start: try next(), end: try next()) else { throw .unreadable("a term") }
        return term
    }
}
