/// A snapshot of everything that this server offers, at one version.
///
/// It holds the tenants with their products, policies, marketplaces and contents.
public struct Catalog: Sendable, Hashable {
    /// The version number, which increases with every change of the catalog or of a signing key.
    ///
    /// The store assigns it.
    public var version: Int64

    /// The tenants by id.
    public var tenants: [TenantID: Tenant]

    /// Creates a catalog.
    public init(version: Int64 = 0, tenants: [TenantID: Tenant] = [:]) {
        self.version = version
        self.tenants = tenants
    }

    /// The product with this reference; `nil` if the catalog doesn't contain it.
    public subscript(ref: ProductRef) -> Product? {
        tenants[ref.tenant]?.products[ref.product]
    }
}

/// A vendor on this server.
public struct Tenant: Sendable, Hashable {
    /// The tenant's id, as it appears in URL paths.
    public let id: TenantID

    /// The display name.
    public var name: String

    /// The language of pages and messages for customers who request no other; `nil` for English.
    public var language: Language?

    /// The address that customers write to for support; `nil` if the tenant has set none.
    public var supportEmail: String?

    /// The tenant's products by id.
    public var products: [ProductID: Product]

    /// The tenant's app marketplace; `nil` if it has none.
    public var marketplace: Marketplace?

    /// The contents that can be licensed for offline use; `nil` if the tenant has no such contents.
    public var contents: ContentCatalog?

    /// Creates a tenant.
    public init(
        id: TenantID, name: String, language: Language? = nil, supportEmail: String? = nil,
        products: [ProductID: Product] = [:], marketplace: Marketplace? = nil, contents: ContentCatalog? = nil
    ) {
        self.id = id
        self.name = name
        self.language = language
        self.supportEmail = supportEmail
        self.products = products
        self.marketplace = marketplace
        self.contents = contents
    }

    /// The support address to show on pages: the tenant's own, or else its marketplace's.
    public var helpEmail: String? { supportEmail ?? marketplace?.supportEmail }
}

/// A language for pages and messages.
public enum Language: String, Sendable, Hashable, CaseIterable {
    /// English.
    case english = "en"
    /// Korean.
    case korean = "ko"
}
