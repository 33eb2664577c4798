public import TenureCore

/// The part of a tenant's configuration that this module adds.
struct TenantMarketplace: TenantPart {
    var marketplace: Marketplace?

    var supportEmail: String? { marketplace?.supportEmail }
}

extension Tenant {
    /// The tenant's app marketplace; `nil` if it has none.
    public var marketplace: Marketplace? {
        get { self[TenantMarketplace.self].marketplace }
        _modify { yield &self[TenantMarketplace.self].marketplace }
    }
}
