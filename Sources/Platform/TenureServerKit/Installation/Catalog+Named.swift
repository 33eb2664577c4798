package import TenureCommandLine
package import TenureCore

/// Lookups by the names that a command was given.
///
/// Each throws ``CommandError`` for the first unknown name, and suggests the closest one that exists.
extension Catalog {
    /// Returns the tenant with this id.
    package func named(_ tenant: TenantID) throws(CommandError) -> Tenant {
        if let found = tenants[tenant] { return found }
        throw Self.nothing("tenant \(tenant)", called: tenant.text, among: tenants.keys.map(\.text))
    }

    /// Checks that the tenant in a filter exists; `nil` means no restriction.
    package func check(tenant: TenantID?) throws(CommandError) { if let tenant { _ = try named(tenant) } }

    /// The error for a name that the catalog lacks, with the closest one.
    package static func nothing(_ what: String, called name: String, among names: [String]) -> CommandError {
        let near = names.sorted().closest(to: name).map { "; did you mean \($0)?" } ?? "."
        return CommandError("There is no \(what)\(near) Run `tenure apply FILE` to add one.")
    }
}
