import TenureCore

/// Checks that there are tenants, and that every tenant's pages name an address for help.
enum SupportCheck {
    static func run(_ catalog: Catalog) -> [Finding] {
        if catalog.tenants.isEmpty {
            return [
                .warning(
                    "tenants", "the store has none, so every app gets 404",
                    cure:
                        "Apply a catalog file with `tenure apply FILE`. If there should be tenants, check which store "
                        + "--data or --store names.")
            ]
        }
        let silent = catalog.tenants.values.filter { $0.helpEmail == nil && $0.supportURL == nil }.map(\.id.text)
        if silent.isEmpty { return [.ok("support", "customers' pages say where to get help")] }
        return [
            .note(
                "support", "customers' pages name no address for help: \(silent.sorted().joined(separator: ", "))",
                cure: "Add `supportEmail` or `supportURL` to the tenant in the catalog file, and apply it.")
        ]
    }
}
