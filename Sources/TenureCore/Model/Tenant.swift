/// One vendor on this server.
public struct Tenant: Sendable, Hashable {
    /// Its name in paths.
    public let id: TenantID

    /// Its name for people.
    public var name: String

    /// Its products, by name.
    public var products: [ProductID: Product]

    /// Its marketplace; nil when it has none.
    public var marketplace: Marketplace?

    /// Makes a tenant.
    public init(
        id: TenantID, name: String, products: [ProductID: Product] = [:], marketplace: Marketplace? = nil
    ) {
        self.id = id
        self.name = name
        self.products = products
        self.marketplace = marketplace
    }
}
