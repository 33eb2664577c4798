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

/// One vendor on this server.
public struct Tenant: Sendable, Hashable {
    /// Its name in paths.
    public let id: TenantID

    /// Its name for people.
    public var name: String

    /// What its customers are told things in if they ask for no other language; `nil` for English.
    public var language: Language?

    /// Where its customers write for help; `nil` if it named no address.
    public var supportEmail: String?

    /// Its products, by name.
    public var products: [ProductID: Product]

    /// Its marketplace; nil when it has none.
    public var marketplace: Marketplace?

    /// What it offers to be kept offline; nil when it offers nothing.
    public var contents: ContentCatalog?

    /// Makes a tenant.
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

    /// The address for help on its pages: the tenant's own, else its marketplace's.
    public var helpEmail: String? { supportEmail ?? marketplace?.supportEmail }
}

/// A language that people are told things in.
public enum Language: String, Sendable, Hashable, CaseIterable {
    /// English.
    case english = "en"
    /// Korean.
    case korean = "ko"
}
