/// What this server offers: its tenants, their products and policies, as one value of one version.
public struct Catalog: Sendable, Hashable {
    /// Grows with every change of the catalog or of a signing key; the store counts it.
    public var version: Int64

    /// The tenants, by name.
    public var tenants: [TenantID: Tenant]

    /// Makes a catalog.
    public init(version: Int64 = 0, tenants: [TenantID: Tenant] = [:]) {
        self.version = version
        self.tenants = tenants
    }

    /// The product of that name, or nil.
    public subscript(ref: ProductRef) -> Product? {
        tenants[ref.tenant]?.products[ref.product]
    }
}
