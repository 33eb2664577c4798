public import TenureCore

/// A tenant's products, as a part of the tenant in the catalog.
struct TenantProducts: TenantPart {
    var products: [ProductID: Product] = [:]

    /// The longest validity of a lease under any policy of the tenant; `nil` if there are no policies.
    var signedSpan: SignedSpan? {
        products.values.flatMap { $0.policies.values.map { SignedSpan(days: $0.leaseDays) } }.max()
    }
}

extension Product {
    /// How long a signed product configuration is valid, in days.
    package static var configurationDays: Int { SignedSpan.shortest.days }
}

extension Tenant {
    /// The products that the tenant offers licenses for, by id.
    public var products: [ProductID: Product] {
        get { self[TenantProducts.self].products }
        _modify { yield &self[TenantProducts.self].products }
    }
}

extension Catalog {
    /// The product with this reference; `nil` if the catalog doesn't contain it.
    public subscript(ref: ProductRef) -> Product? { tenants[ref.tenant]?.products[ref.product] }
}
