import TenureCommandLine
import TenureCore

/// What an installation offers, looked up by the names that a command was given.
///
/// Each throws ``CommandError`` for the first name that is wrong, with the nearest one that there is.
extension Catalog {
    /// The tenant of that name.
    func named(_ tenant: TenantID) throws(CommandError) -> Tenant {
        if let found = tenants[tenant] { return found }
        throw Self.nothing("tenant \(tenant)", called: tenant.text, among: tenants.keys.map(\.text))
    }

    /// The product of that name.
    func named(_ ref: ProductRef) throws(CommandError) -> Product {
        let products = try named(ref.tenant).products
        if let found = products[ref.product] { return found }
        throw Self.nothing(
            "product \(ref.product) of \(ref.tenant)", called: ref.product.text, among: products.keys.map(\.text))
    }

    /// The policy of that name.
    func named(_ policy: PolicyID, of ref: ProductRef) throws(CommandError) -> Policy {
        let policies = try named(ref).policies
        if let found = policies[policy] { return found }
        throw Self.nothing(
            "policy \(policy) in \(ref)", called: policy.text, among: policies.keys.map(\.text))
    }

    /// Looks whether what a list is to be about is there; what is nil is everything.
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
        return CommandError("There is no \(what)\(near) `tenure apply FILE` adds one.")
    }
}
