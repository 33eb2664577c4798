import TenureCore
import TenureCrypto
import TenureLicensing
import TenureServerKit
import TenureStore

extension CatalogSection {
    /// Products with their policies, existing licenses, and the first signing key of each new tenant.
    static let licensing = CatalogSection(
        members: [
            .list("products", of: Product.section.schema) { node, tenant, reader in
                guard let product = Product(node, &reader) else { return }
                if tenant.products[product.ref.product] != nil {
                    reader.report(node, "the product \(product.ref.product) is listed twice")
                }
                if let other = tenant.products.values.first(where: { $0.keyPrefix == product.keyPrefix }) {
                    reader.report(
                        node,
                        "the keyPrefix \(product.keyPrefix) is used by the product \(other.ref.product) already; it "
                            + "must be unique in the tenant")
                }
                tenant.products[product.ref.product] = product
            }
        ],
        uses: { query in
            let counts = query.view(PolicyCount.all)
            return { results in
                var uses = CatalogUses()
                for count in results[counts] {
                    uses["policy", "\(count.policy.product)/\(count.policy.policy)"] = count.count
                }
                return uses
            }
        },
        prepare: { file, preparation throws(ServerError) in
            let keys = try firstKeys(of: file, preparation)
            return CatalogPlanner(version: preparation.catalog.version) { listed, plan in
                if listed.existing == nil, var key = keys[listed.tenant.id] {
                    key.span = listed.tenant.signedSpan
                    // Leave out the key's random name, so that a dry run prints the same line.
                    plan.add(PlannedChange(.create, "signing key", listed.tenant.id.text), .insert(key))
                }
                for product in listed.tenant.products.values.sorted(by: { $0.ref < $1.ref }) {
                    plan.plan(product, over: listed.existing?.products[product.ref.product])
                }
                guard let existing = listed.existing else { return }
                let removed = listed.prune ? plan.prune(existing, keeping: listed.tenant, listed.uses) : []
                plan.findSharedPrefixes(existing, and: listed.tenant, without: removed)
            }
        },
        entries: { $0.listed(LicenseSpec.self) })

    /// Creates a signing key for each tenant of the file; it's used only if the tenant turns out to be new.
    private static func firstKeys(
        of file: CatalogFile, _ preparation: CatalogPreparation
    ) throws(ServerError) -> [TenantID: SigningKeyRecord] {
        var keys: [TenantID: SigningKeyRecord] = [:]
        var generator = SecureRandom()
        for tenant in file.tenants {
            do {
                keys[tenant.id] = try LeaseKey.make(
                    for: tenant.id, named: LeaseKey.newName(numbered: 1, using: &generator),
                    under: preparation.master, at: preparation.now)
            } catch {
                throw ServerError(.crypto, "A signing key couldn't be created.", cause: error.code.text)
            }
        }
        return keys
    }
}

extension CatalogPlan {
    fileprivate mutating func plan(_ product: Product, over existing: Product?) {
        let edits = existing.map { Product.section.edits(from: $0, to: product) }
        if edits != [] {
            note("product", product.ref.description, edits)
            save(.put(product, over: existing))
        }
        for policy in product.policies.values.sorted(by: { $0.id < $1.id }) {
            let former = existing?.policies[policy.id]
            let edits = former.map { Policy.section.edits(from: $0, to: policy) }
            if edits == [] { continue }
            note("policy", "\(product.ref)/\(policy.id)", edits)
            save(
                .put(
                    PolicyRow(product: product.ref, policy: policy),
                    over: former.map { PolicyRow(product: product.ref, policy: $0) }))
        }
    }

    /// Removes policies and products that the file doesn't name and nothing uses.
    ///
    /// Returns the removed products.
    fileprivate mutating func prune(_ existing: Tenant, keeping tenant: Tenant, _ uses: CatalogUses) -> Set<ProductRef>
    {
        var removed: Set<ProductRef> = []
        for product in existing.products.values.sorted(by: { $0.ref < $1.ref }) {
            let remaining = tenant.products[product.ref.product]
            let gone = product.policies.values.filter { remaining?.policies[$0.id] == nil }.sorted { $0.id < $1.id }
            var inUse = 0
            for policy in gone {
                let name = "\(product.ref)/\(policy.id)"
                let count = uses["policy", name]
                if count > 0 {
                    inUse += count
                    let detail = count == 1 ? "1 license uses it" : "\(count) licenses use it"
                    add(PlannedChange(.keep, "policy", name, detail))
                } else if remaining != nil {
                    add(
                        PlannedChange(.remove, "policy", name), .remove(PolicyRow(product: product.ref, policy: policy))
                    )
                }
            }
            if remaining == nil, inUse == 0 {
                removed.insert(product.ref)
                add(PlannedChange(.remove, "product", product.ref.description))
                for policy in gone { save(.remove(PolicyRow(product: product.ref, policy: policy))) }
                save(.remove(product))
            }
        }
        return removed
    }

    /// Reports products of the file that share a key prefix with a product that stays in the store.
    fileprivate mutating func findSharedPrefixes(
        _ existing: Tenant, and tenant: Tenant, without removed: Set<ProductRef>
    ) {
        for stays in existing.products.values.sorted(by: { $0.ref < $1.ref })
        where tenant.products[stays.ref.product] == nil && !removed.contains(stays.ref) {
            for product in tenant.products.values where product.keyPrefix == stays.keyPrefix {
                conflict(
                    "The keyPrefix \(product.keyPrefix) of \(product.ref) is used by the product \(stays.ref) "
                        + "already; it must be unique in the tenant.")
            }
        }
    }
}
