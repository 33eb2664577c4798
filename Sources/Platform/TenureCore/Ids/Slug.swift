/// The short id of a tenant, product or policy.
///
/// It has 1 to 64 characters of `a`-`z`, `0`-`9`, `_` and `-`, and begins with a letter or a digit. So it can appear in
/// a path, a signed text or a table without escaping. The phantom type keeps ids of different kinds apart.
public struct Slug<Named>: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The text as written in paths, catalog files and tables.
    public let text: String

    /// Creates a slug; returns `nil` if the text has a different length or other characters, or begins with `_` or `-`.
    public init?(_ text: String) {
        guard text.withBytes(isSlug) else { return nil }
        self.text = text
    }

    /// The text itself, for paths and messages.
    public var description: String { text }

    /// Compares the bytes.
    public static func < (one: Slug, other: Slug) -> Bool { one.text < other.text }
}

/// Whether the bytes form a valid slug.
///
/// It isn't a member of ``Slug``, because a generic function would be passed type metadata that it doesn't need, on
/// every request.
private func isSlug(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard (1...64).contains(bytes.count), bytes.first != 0x5F, bytes.first != 0x2D else { return false }
    for byte in bytes {
        switch byte {
        case 0x61...0x7A, 0x30...0x39, 0x5F, 0x2D: continue
        default: return false
        }
    }
    return true
}

/// A tenant's id, unique on the server.
public typealias TenantID = Slug<Tenant>

/// Marks the ids of products.
public enum ProductTag {}

/// A product's id within its tenant.
public typealias ProductID = Slug<ProductTag>

/// Marks the ids of policies.
public enum PolicyTag {}

/// A policy's id within its product.
public typealias PolicyID = Slug<PolicyTag>

/// A product's full name on this server: the tenant and the product.
public struct ProductRef: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The tenant that owns the product.
    public let tenant: TenantID

    /// The product's id within the tenant.
    public let product: ProductID

    /// Creates a reference without checking that the product exists.
    public init(tenant: TenantID, product: ProductID) {
        self.tenant = tenant
        self.product = product
    }

    /// The text `tenant/product`.
    public var description: String { "\(tenant)/\(product)" }

    /// Compares by tenant, then by product.
    public static func < (one: ProductRef, other: ProductRef) -> Bool {
        (one.tenant, one.product) < (other.tenant, other.product)
    }
}
