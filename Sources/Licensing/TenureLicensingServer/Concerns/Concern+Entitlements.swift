import TenureCore
import TenureLicensing
import TenureServerKit

extension Concern {
    /// Entitlements that a product's apps ask for and that none of its policies grants.
    static let entitlements = Concern(after: .keys) { context in
        guard let catalog = context.catalog?.catalog else { return [] }
        let products = catalog.tenants.values.flatMap(\.products.values)
        guard products.contains(where: { $0.entitlements != nil }) else { return [] }
        let missing = products.filter { !$0.ungrantedEntitlements.isEmpty }.map { product in
            "\(product.ref): \(product.ungrantedEntitlements.map(\.name).joined(separator: " "))"
        }
        guard !missing.isEmpty else {
            return [.ok("entitlements", "policies grant every entitlement that apps ask for")]
        }
        return [
            .warning(
                "entitlements", "no policy grants what apps ask for: \(missing.sorted().joined(separator: ", "))",
                cure: "Add the names to a policy's `entitlements` in the catalog, or remove them from the product's.")
        ]
    }
}
