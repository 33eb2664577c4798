package import TenureCore

/// Identifies a package: one version of an app at a tenant's marketplace.
package struct PackageRef: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The tenant that owns the marketplace.
    package let tenant: TenantID
    /// The app that the package contains.
    package let item: AppleItemID
    /// The version of the app that the package contains.
    package let version: AppleVersionID

    /// The package's path components below the packages folder, which URLs below `/adp` have, too.
    var parts: [String] { [tenant.text, item.description, version.description] }

    /// The name of the package's folder below the staging folder.
    var stagingName: String { parts.joined(separator: ".") }

    /// The package's path, such as `acme/6483539426/868184258`.
    package var description: String { parts.joined(separator: "/") }

    /// Compares tenants, then apps, then versions.
    package static func < (one: PackageRef, other: PackageRef) -> Bool {
        (one.tenant, one.item, one.version) < (other.tenant, other.item, other.version)
    }
}
