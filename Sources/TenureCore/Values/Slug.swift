/// The short name of a tenant, product or policy: 1 to 64 of `a`-`z`, `0`-`9`, `_` and `-`.
///
/// Anything else is refused, so a slug can stand in a path, a signed text or a table without being escaped
/// (`spec/keylight.md` §1.3). The phantom type keeps a product's name from being taken for a tenant's.
public struct Slug<Named>: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// As it stands in paths, catalog files and tables.
    public let text: String

    /// Refuses a text of another shape.
    public init?(_ text: String) {
        guard isSlug(text.utf8) else { return nil }
        self.text = text
    }

    /// The text without more, for paths and messages.
    public var description: String { text }

    /// Orders slugs by their bytes.
    public static func < (one: Slug, other: Slug) -> Bool { one.text < other.text }
}

/// Outside the type, whose parameter would have to be carried along for nothing on every request.
private func isSlug(_ bytes: String.UTF8View) -> Bool {
    guard (1...64).contains(bytes.count) else { return false }
    for byte in bytes {
        switch byte {
        case 0x61...0x7A, 0x30...0x39, 0x5F, 0x2D: continue
        default: return false
        }
    }
    return true
}

/// Names a tenant: one vendor on this server.
public typealias TenantID = Slug<Tenant>

/// Names a product within its tenant.
public typealias ProductID = Slug<Product>

/// Names a policy within its product.
public typealias PolicyID = Slug<Policy>

/// Names a product on this server: its tenant and its own name.
public struct ProductRef: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Whose product it is.
    public let tenant: TenantID

    /// Its name among the tenant's products.
    public let product: ProductID

    /// Names a product.
    public init(tenant: TenantID, product: ProductID) {
        self.tenant = tenant
        self.product = product
    }

    /// `tenant/product`.
    public var description: String { "\(tenant)/\(product)" }

    /// Orders by tenant, then product.
    public static func < (one: ProductRef, other: ProductRef) -> Bool {
        (one.tenant, one.product) < (other.tenant, other.product)
    }
}
