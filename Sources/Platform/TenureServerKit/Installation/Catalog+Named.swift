package import TenureCommandLine
package import TenureCore

/// Lookups by the names on a command line.
///
/// They throw ``CommandError`` for an unknown name, and suggest the closest existing name.
extension Catalog {
    package func named(_ tenant: TenantID) throws(CommandError) -> Tenant {
        if let found = tenants[tenant] { return found }
        throw Self.nothing("tenant \(tenant)", called: tenant.text, among: tenants.keys.map(\.text))
    }

    /// Checks that a tenant exists; does nothing for `nil`.
    package func check(tenant: TenantID?) throws(CommandError) { if let tenant { _ = try named(tenant) } }

    /// Returns the error for an unknown name, with the closest existing name as a suggestion.
    package static func nothing(_ what: String, called name: String, among names: [String]) -> CommandError {
        let near = names.sorted().closest(to: name).map { "; did you mean \($0)?" } ?? "."
        return CommandError("There is no \(what)\(near) Run `tenure apply FILE` to add one.")
    }
}

extension Catalog {
    /// The warning about a catalog without tenants.
    package static let withoutTenant =
        "the store has no tenant, so every app gets 404. Apply a catalog file with `tenure apply FILE`; if there should be tenants, check which store --data or --store names"
}
