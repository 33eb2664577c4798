/// The tenants on this server with their settings, at one version of the catalog.
///
/// Each tenant includes the settings that the server's features store for it.
public struct Catalog: Sendable, Hashable {
    /// The version number, which increases with every change of the catalog or of a signing key.
    ///
    /// The store assigns it.
    public var version: Int64

    /// The vendors on this server, by id.
    public var tenants: [TenantID: Tenant]

    /// Creates a catalog; without arguments, it has no tenants.
    public init(version: Int64 = 0, tenants: [TenantID: Tenant] = [:]) {
        self.version = version
        self.tenants = tenants
    }
}
