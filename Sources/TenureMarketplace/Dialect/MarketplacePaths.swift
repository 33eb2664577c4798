import TenureCore

/// Where a tenant's marketplace endpoints are on this server; devices learn them from the configuration alone.
struct MarketplacePaths: Sendable {
    let tenant: TenantID

    var licenses: String { "/marketplace/\(tenant)/licenses" }
    var renewal: String { "/marketplace/\(tenant)/licenses/renew" }
    var state: String { "/marketplace/\(tenant)/licenses/state" }
    var restore: String { "/marketplace/\(tenant)/restore" }
    var updates: String { "/marketplace/\(tenant)/updates" }
    var resolution: String { "/resolve/\(tenant)" }

    /// The URL's path carries the key's name, so that a new key has a new URL and no cache confuses the two.
    func certificate(_ kid: String) -> String { "/marketplace/\(tenant)/certificates/\(kid).cer" }
}
