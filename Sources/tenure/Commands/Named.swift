import TenureCommandLine
import TenureCore
import TenureLicensing

/// Lookups by the names that a command was given.
///
/// Each throws ``CommandError`` for the first unknown name, and suggests the closest one that exists.
extension Catalog {
    /// Returns the tenant with this id.
    func named(_ tenant: TenantID) throws(CommandError) -> Tenant {
        if let found = tenants[tenant] { return found }
        throw Self.nothing("tenant \(tenant)", called: tenant.text, among: tenants.keys.map(\.text))
    }

    /// Returns the product with this id.
    func named(_ ref: ProductRef) throws(CommandError) -> Product {
        let products = try named(ref.tenant).products
        if let found = products[ref.product] { return found }
        throw Self.nothing(
            "product \(ref.product) of \(ref.tenant)", called: ref.product.text, among: products.keys.map(\.text))
    }

    /// Returns the policy with this id.
    func named(_ policy: PolicyID, of ref: ProductRef) throws(CommandError) -> Policy {
        let policies = try named(ref).policies
        if let found = policies[policy] { return found }
        throw Self.nothing(
            "policy \(policy) in \(ref)", called: policy.text, among: policies.keys.map(\.text))
    }

    /// Checks that the names in a filter exist; `nil` means no restriction.
    func check(tenant: TenantID?, product: ProductID? = nil, policy: PolicyID? = nil) throws(CommandError) {
        if let tenant { _ = try named(tenant) }
        let products = tenants.values.filter { tenant == nil || $0.id == tenant }.flatMap(\.products.values)
        if let product, !products.contains(where: { $0.ref.product == product }) {
            throw Self.nothing(
                "product \(product)", called: product.text, among: products.map(\.ref.product.text))
        }
        let policies = products.filter { product == nil || $0.ref.product == product }.flatMap(\.policies.keys)
        if let policy, !policies.contains(policy) {
            throw Self.nothing("policy \(policy)", called: policy.text, among: policies.map(\.text))
        }
    }

    private static func nothing(_ what: String, called name: String, among names: [String]) -> CommandError {
        let near = names.sorted().closest(to: name).map { "; did you mean \($0)?" } ?? "."
        return CommandError("There is no \(what)\(near) Run `tenure apply FILE` to add one.")
    }
}
