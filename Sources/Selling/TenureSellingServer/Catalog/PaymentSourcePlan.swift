import TenureCore
import TenureCrypto
import TenureLicensing
import TenureSelling
import TenureServerKit
import TenureStore

/// A tenant's source of payments in a catalog file.
struct PaymentSourceSpec: Sendable {
    let tenant: TenantID
    let source: PaymentSource
}

/// The planned changes to tenants' sources of payments.
///
/// The stored sources are decrypted, so that they can be compared with the file's.
struct PaymentSourcePlan: Sendable {
    private struct Target: Sendable {
        let row: PaymentSourceRow?
        let existing: PaymentSource?
        let listed: PaymentSource?
        /// The file's source with encrypted secrets; `nil` if it's the stored one.
        let sealed: PaymentSourceRow?
    }

    private var targets: [TenantID: [SourceID: Target]] = [:]

    /// Decrypts the stored sources of the file's tenants and encrypts those of the file that differ.
    init(_ file: CatalogFile, _ preparation: CatalogPreparation) async throws(ServerError) {
        let listed = Dictionary(grouping: file.listed(PaymentSourceSpec.self), by: \.tenant)
        for tenant in file.tenants.map(\.id) {
            let rows = try await preparation.store.list(Listing(PaymentSourceRow.ofTenant, [.of(tenant)], limit: 1000))
            var found: [SourceID: Target] = [:]
            for row in rows {
                let existing = try row.opened(under: preparation.master)
                found[row.source] = Target(row: row, existing: existing, listed: nil, sealed: nil)
            }
            for source in (listed[tenant] ?? []).map(\.source) {
                let target = found[source.id]
                let sealed = source == target?.existing ? nil : try source.row(of: tenant, under: preparation.master)
                found[source.id] = Target(row: target?.row, existing: target?.existing, listed: source, sealed: sealed)
            }
            targets[tenant] = found
        }
    }

    /// Plans the changes that make the stored sources match the file.
    func plan(_ listed: TenantSpec, _ plan: inout CatalogPlan) {
        let targets = (targets[listed.tenant.id] ?? [:]).sorted { $0.key < $1.key }
        for (id, target) in targets {
            let name = "\(listed.tenant.id)/\(id)"
            if let source = target.listed {
                source.check(in: listed, name, &plan)
                guard let sealed = target.sealed else { continue }
                plan.note("source", name, target.existing.map { PaymentSource.section.edits(from: $0, to: source) })
                if source.apiKey?.hasPrefix("sk_live_") ?? false {
                    plan.add(
                        PlannedChange(
                            .note, "source", name,
                            "its API key can refund payments; a restricted key that can only read is enough"))
                }
                plan.save(.put(sealed, over: target.row))
            } else if let row = target.row {
                guard listed.prune else { continue }
                plan.add(PlannedChange(.remove, "source", name), .remove(row))
            }
        }
    }
}

extension PaymentSource {
    /// The source's row with encrypted secrets.
    fileprivate func row(of tenant: TenantID, under master: MasterKey) throws(ServerError) -> PaymentSourceRow {
        let row = PaymentSourceRow(tenant: tenant, source: id, settings: settings, sealed: [])
        do {
            return row.with(sealedBytes: try master.seal(secretSettings, of: row))
        } catch {
            throw ServerError(
                .crypto, "The secrets of the source \(id) of \(tenant) couldn't be encrypted.", cause: error.code.text)
        }
    }

    /// Reports items whose policy neither the file nor the stored catalog has.
    fileprivate func check(in listed: TenantSpec, _ name: String, _ plan: inout CatalogPlan) {
        for item in rules.items {
            guard let goods = item.goods else { continue }
            let (product, policy) = (goods.product, goods.policy)
            let inFile = listed.tenant.products[product]?.policies[policy] != nil
            let inStore = !listed.prune && listed.existing?.products[product]?.policies[policy] != nil
            if !inFile && !inStore {
                plan.conflict(
                    "The source \(name) sells \(item.item) under the policy \(product)/\(policy), which doesn't exist. Add "
                        + "the policy, or change the item.")
            }
        }
    }
}
