public import TenureCore

/// Identifies a package: one version of an app at a tenant's marketplace.
public struct PackageRef: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The marketplace's tenant.
    public let tenant: TenantID
    /// The app.
    public let item: AppleItemID
    /// The version of the app.
    public let version: AppleVersionID

    /// Creates a value from its parts.
    public init(tenant: TenantID, item: AppleItemID, version: AppleVersionID) {
        self.tenant = tenant
        self.item = item
        self.version = version
    }

    /// Its path components below the packages folder, which are the same below `/adp`.
    var parts: [String] { [tenant.text, item.description, version.description] }

    /// The name of its staging folder.
    var stagingName: String { parts.joined(separator: ".") }

    /// Its path, such as `acme/6483539426/868184258`.
    public var description: String { parts.joined(separator: "/") }

    /// Compares tenants, then apps, then versions.
    public static func < (one: PackageRef, other: PackageRef) -> Bool {
        (one.tenant, one.item, one.version) < (other.tenant, other.item, other.version)
    }
}
