public import TenureCore

/// Names a package: one version of an app at a tenant's marketplace.
public struct PackageRef: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Whose marketplace.
    public let tenant: TenantID
    /// Which app.
    public let item: AppleItemID
    /// Which version of it.
    public let version: AppleVersionID

    /// Names a package.
    public init(tenant: TenantID, item: AppleItemID, version: AppleVersionID) {
        self.tenant = tenant
        self.item = item
        self.version = version
    }

    /// The parts of its place, below the folder of packages as below `/adp`.
    var parts: [String] { [tenant.text, item.description, version.description] }

    /// What its unfinished folder is called.
    var stagingName: String { parts.joined(separator: ".") }

    /// Its place, such as `acme/6483539426/868184258`.
    public var description: String { parts.joined(separator: "/") }

    /// Orders by tenant, app and version.
    public static func < (one: PackageRef, other: PackageRef) -> Bool {
        (one.tenant, one.item, one.version) < (other.tenant, other.item, other.version)
    }
}
