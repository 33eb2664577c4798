import TenureCore
import TenureServerKit
import TenureStore

extension CatalogSection {
    /// The section for sources of payments.
    static let selling = CatalogSection(
        members: [
            .list("intake", of: PaymentSource.section.schema, "The payment providers' accounts whose payments become licenses.") {
                node, tenant, reader in
                guard let source = PaymentSource(node, &reader) else { return }
                if reader.take("source \(tenant.id)/\(source.id)", for: node.pointer) != nil {
                    return reader.report(node, "the source \(source.id) is listed twice")
                }
                reader.gather(PaymentSourceSpec(tenant: tenant.id, source: source))
            }
        ],
        uses: { _ in { _ in CatalogUses() } },
        prepare: { file, preparation throws(ServerError) in
            let sources = try await PaymentSourcePlan(file, preparation)
            return CatalogPlanner(version: preparation.catalog.version) { listed, plan in sources.plan(listed, &plan) }
        },
        entries: { _ in [] })
}
