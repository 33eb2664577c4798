import TenureCore
import TenureLicensing
import TenureSelling
import TenureServerKit
import TenureStore

extension CatalogSection {
    /// The section for sources of payments.
    static let selling = CatalogSection(
        members: [
            .list(
                "intake", of: PaymentSource.section.schema,
                "The payment providers' accounts whose payments become licenses."
            ) { node, tenant, reader in
                guard let source = PaymentSource(node, &reader) else { return }
                if reader.take("source \(tenant.id)/\(source.id)", for: node.pointer) != nil {
                    return reader.report(node, "the source \(source.id) is listed twice")
                }
                reader.gather(SealedSettingsSpec(source, named: source.id, of: tenant.id))
            }
        ],
        uses: { _ in { _ in CatalogUses() } },
        prepare: { file, preparation throws(ServerError) in
            let sources = try await SealedSettingsPlan<PaymentSource>(file, preparation)
            let listed = Dictionary(
                grouping: file.listed(SealedSettingsSpec<PaymentSource>.self), by: \.tenant)
            // Messages may wait for an item, a key or a policy that the file adds, or belong to a source that it
            // removes.
            var random = SystemRandomNumberGenerator()
            var jobs: [TenantID: [SourceID: Job]] = [:]
            for tenant in file.tenants.map(\.id) {
                for source in (listed[tenant] ?? []).map(\.name) + sources.unlisted(of: tenant) {
                    jobs[tenant, default: [:]][source] = JobName.retryMessages.job(
                        RetryMessagesWork(source: source), id: .random(using: &random), of: tenant, at: preparation.now)
                }
            }
            let retries = jobs
            let redirected = try await RedirectedSources(in: listed, preparation)
            let refundable = try await RefundableOrders(ofSourcesRemovedBy: file, sources, preparation)
            return CatalogPlanner(version: preparation.catalog.version) { tenant, plan in
                let id = tenant.tenant.id
                refundable.note(of: id, in: &plan)
                redirected.refuse(of: id, in: &plan)
                func retry(_ source: SourceID) {
                    if let job = retries[id]?[source] { plan.save(.insert(job)) }
                }
                for spec in listed[id] ?? [] {
                    tenant.warn(ofUnmailed: spec.name, &plan)
                    spec.settings.check(in: tenant, &plan)
                    let isChanged = sources.state(of: spec.name, after: tenant, isSectionListed: true).isChanged
                    if isChanged || spec.settings.gainsPolicy(in: tenant) { retry(spec.name) }
                }
                for source in sources.unlisted(of: id) {
                    if tenant.prune { retry(source) } else { tenant.warn(ofUnmailed: source, &plan) }
                }
                sources.plan(tenant, isSectionListed: true, &plan)
            }
        },
        entries: { _ in [] })
}

extension PaymentSource {
    /// Whether an item sells under a policy that the file adds.
    fileprivate func gainsPolicy(in tenant: TenantSpec) -> Bool {
        rules.items.compactMap(\.goods).contains { goods in
            tenant.tenant.products[goods.product]?.policies[goods.policy] != nil
                && tenant.existing?.products[goods.product]?.policies[goods.policy] == nil
        }
    }

    /// Reports items whose policy neither the file nor the stored catalog has.
    fileprivate func check(in tenant: TenantSpec, _ plan: inout CatalogPlan) {
        let name = "\(tenant.tenant.id)/\(id)"
        for item in rules.items {
            guard let goods = item.goods else { continue }
            let isListed = tenant.tenant.products[goods.product]?.policies[goods.policy] != nil
            let isStored = tenant.existing?.products[goods.product]?.policies[goods.policy] != nil
            if !isListed, tenant.prune || !isStored {
                plan.conflict(
                    "The source \(name) sells \(item.item) under the policy \(goods.product)/\(goods.policy), which doesn't "
                        + "exist. Add the policy, or change the item.")
            }
        }
    }
}

extension TenantSpec {
    /// Notes that a source's buyers get no letters, because the tenant sends no letters.
    fileprivate func warn(ofUnmailed source: SourceID, _ plan: inout CatalogPlan) {
        // If a file has no `mail`, the stored one applies.
        let mail = tenant.mail ?? existing?.mail
        guard mail.map(\.from.isEmpty) ?? true else { return }
        plan.add(
            PlannedChange(
                .note, "source", "\(tenant.id)/\(source)",
                "its buyers get no letters with their keys while the tenant has no \"mail\"; the letters are held"))
    }
}
