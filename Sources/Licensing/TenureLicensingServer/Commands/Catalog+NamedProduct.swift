import TenureCommandLine
import TenureCore
import TenureLicensing
import TenureServerKit

extension Catalog {
    /// Returns the product with this id; throws an error that suggests the closest id if there isn't one.
    func named(_ ref: ProductRef) throws(CommandError) -> Product {
        let products = try named(ref.tenant).products
        if let found = products[ref.product] { return found }
        throw Self.nothing(
            "product \(ref.product) of \(ref.tenant)", called: ref.product.text, among: products.keys.map(\.text))
    }

    /// Returns the policy with this id; throws an error that suggests the closest id if the product doesn't have it.
    func named(_ policy: PolicyID, of ref: ProductRef) throws(CommandError) -> Policy {
        let policies = try named(ref).policies
        if let found = policies[policy] { return found }
        throw Self.nothing(
            "policy \(policy) in \(ref)", called: policy.text, among: policies.keys.map(\.text))
    }

    /// Checks that the names in a filter exist; `nil` means no restriction.
    func check(tenant: TenantID?, product: ProductID?, policy: PolicyID?) throws(CommandError) {
        try check(tenant: tenant)
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
}
