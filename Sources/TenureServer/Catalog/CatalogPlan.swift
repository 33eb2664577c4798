import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

/// What makes the stored catalog say what the file says: pure, so that a dry run and a real one are the same plan.
struct CatalogPlan {
    private(set) var changes: [PlannedChange] = []
    private(set) var saves: [Save] = []
    /// The tenants that something is saved of.
    private(set) var concerned: Set<TenantID> = []
    /// What the file cannot have because of what is stored and stays; nothing may be written then.
    private(set) var conflicts: [String] = []

    /// Compares what is stored with what the file names.
    ///
    /// - Parameters:
    ///   - prune: Whether products, policies, apps and versions that the file does not name are removed, where no license
    ///     uses them.
    ///   - newKey: Makes the first signing key of a tenant.
    init(
        from stored: Catalog, counts: LicenseCounts = LicenseCounts(), to file: CatalogFile, facts: MarketplaceFacts,
        prune: Bool, newKey: (TenantID) -> SigningKeyRecord?
    ) {
        for tenant in file.tenants {
            let before = saves.count
            defer { if saves.count > before { concerned.insert(tenant.id) } }
            let known = stored.tenants[tenant.id]
            if known?.name != tenant.name {
                note("tenant", tenant.id.text, known.map { [.init("name", $0.name, tenant.name)] })
                saves.append(
                    .put(
                        TenantRow(id: tenant.id, name: tenant.name),
                        over: known.map { TenantRow(id: $0.id, name: $0.name) }))
            }
            if known == nil, let key = newKey(tenant.id) {
                changes.append(PlannedChange(.create, "signing key", "\(tenant.id)/\(key.kid)"))
                saves.append(.insert(key))
            }
            for product in tenant.products.values.sorted(by: { $0.ref < $1.ref }) {
                plan(product, over: known?.products[product.ref.product])
            }
            if prune, let known { self.prune(known, keeping: tenant, counts.ofPolicies) }
            if let known { findSharedPrefixes(known, and: tenant) }
            if let marketplace = tenant.marketplace {
                plan(marketplace, of: tenant.id, over: known?.marketplace, facts, prune: prune)
                findSharedDomains(marketplace, of: tenant.id, in: stored, beside: file)
            }
            if prune, let marketplace = known?.marketplace {
                self.prune(
                    marketplace, of: tenant.id, keeping: tenant.marketplace, counts.ofApps[tenant.id] ?? [:], facts)
            }
        }
    }

    /// Tells a change, with what makes it.
    mutating func add(_ change: PlannedChange, _ saves: Save...) {
        changes.append(change)
        self.saves += saves
    }

    /// Adds what makes a change that has been told.
    mutating func save(_ save: Save) { saves.append(save) }

    /// Tells why nothing may be written.
    mutating func conflict(_ message: String) { conflicts.append(message) }

    /// A device finds a marketplace by its host alone.
    private mutating func findSharedDomains(
        _ marketplace: Marketplace, of tenant: TenantID, in stored: Catalog, beside file: CatalogFile
    ) {
        let renamed = Set(file.tenants.filter { $0.marketplace != nil }.map(\.id))
        for other in stored.tenants.values.sorted(by: { $0.id < $1.id })
        where other.id != tenant && !renamed.contains(other.id) && other.marketplace?.domain == marketplace.domain {
            conflict("The domain \(marketplace.domain) is the marketplace of \(other.id)'s already.")
        }
    }

    /// Products that the file names and products that stay beside them must not mint keys that look alike.
    private mutating func findSharedPrefixes(_ known: Tenant, and tenant: Tenant) {
        let removed = changes.filter { $0.verb == .remove && $0.kind == "product" }.map(\.name)
        for stays in known.products.values.sorted(by: { $0.ref < $1.ref })
        where tenant.products[stays.ref.product] == nil && !removed.contains(stays.ref.description) {
            for product in tenant.products.values where product.keyPrefix == stays.keyPrefix {
                conflicts.append(
                    "The keyPrefix \(product.keyPrefix) of \(product.ref) is the product \(stays.ref)'s already; it must "
                        + "be unique in the tenant.")
            }
        }
    }

    private mutating func plan(_ product: Product, over known: Product?) {
        let edits = known.map { Edit.between($0, product) }
        if edits != [] {
            note("product", product.ref.description, edits)
            saves.append(.put(product, over: known))
        }
        for policy in product.policies.values.sorted(by: { $0.id < $1.id }) {
            let former = known?.policies[policy.id]
            let edits = former.map { Edit.between($0, policy) }
            if edits == [] { continue }
            note("policy", "\(product.ref)/\(policy.id)", edits)
            saves.append(
                .put(
                    PolicyRow(product: product.ref, policy: policy),
                    over: former.map { PolicyRow(product: product.ref, policy: $0) }))
        }
    }

    private mutating func prune(_ known: Tenant, keeping tenant: Tenant, _ licenses: [PolicyRef: Int]) {
        for product in known.products.values.sorted(by: { $0.ref < $1.ref }) {
            let kept = tenant.products[product.ref.product]
            let gone = product.policies.keys.filter { kept?.policies[$0] == nil }.sorted()
            var inUse = 0
            for policy in gone {
                let ref = PolicyRef(product: product.ref, policy: policy)
                if let count = licenses[ref], count > 0 {
                    inUse += count
                    let detail = count == 1 ? "1 license follows it" : "\(count) licenses follow it"
                    changes.append(PlannedChange(.keep, "policy", "\(product.ref)/\(policy)", detail))
                } else if kept != nil {
                    changes.append(PlannedChange(.remove, "policy", "\(product.ref)/\(policy)"))
                    saves += Self.removals(of: [policy], from: product)
                }
            }
            if kept == nil, inUse == 0 {
                changes.append(PlannedChange(.remove, "product", product.ref.description))
                saves += Self.removals(of: gone, from: product) + [.remove(product)]
            }
        }
    }

    private static func removals(of policies: [PolicyID], from product: Product) -> [Save] {
        policies.compactMap { id in product.policies[id] }.map { policy in
            .remove(PolicyRow(product: product.ref, policy: policy))
        }
    }

    mutating func note(_ kind: String, _ name: String, _ edits: [Edit]?) {
        guard let edits else {
            changes.append(PlannedChange(.create, kind, name))
            return
        }
        changes.append(PlannedChange(.update, kind, name, edits.map(\.description).joined(separator: ", ")))
    }
}

/// How many licenses rest on policies and apps, in any state: what is in use is not removed.
struct LicenseCounts: Sendable {
    var ofPolicies: [PolicyRef: Int] = [:]
    var ofApps: [TenantID: [AppleItemID: Int]] = [:]
}
