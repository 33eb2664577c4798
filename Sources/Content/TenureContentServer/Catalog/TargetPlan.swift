import TenureContent
import TenureCore
import TenureServerKit
import TenureStore

/// The planned changes to tenants' settings for a license server.
///
/// The stored settings are encrypted, so they are decrypted to compare them with the file.
struct TargetPlan<Settings: TargetSettings>: Sendable {
    private struct Target: Sendable {
        let listed: Settings?
        let existing: Settings?
        let row: ContentTargetRow?
        let sealed: ContentTargetRow?
    }

    private var targets: [TenantID: Target] = [:]

    /// Decrypts the stored settings of the file's tenants and encrypts those in the file.
    init(_ file: CatalogFile, _ preparation: CatalogPreparation) async throws(ServerError) {
        let listed = Dictionary(
            file.listed(TargetSpec<Settings>.self).map { ($0.tenant, $0.settings) }, uniquingKeysWith: { $1 })
        for tenant in file.tenants.map(\.id) {
            let rows = try await preparation.store.list(
                Listing(ContentTargetRow.ofTenant, [.of(tenant)], limit: 100))
            let row = rows.first { $0.target == Settings.target.rawValue }
            var existing: Settings?
            if let row {
                existing = Settings(json: try preparation.master.open(row.sealed, of: tenant, for: row.target))
            }
            let settings = listed[tenant]
            var sealed: ContentTargetRow?
            if let settings, settings != existing { sealed = try settings.row(of: tenant, under: preparation.master) }
            targets[tenant] = Target(listed: settings, existing: existing, row: row, sealed: sealed)
        }
    }

    /// Whether the tenant has settings once the file is applied, and whether the file changes them.
    func state(after listed: TenantSpec) -> (isSetUp: Bool, isChanged: Bool) {
        guard let target = targets[listed.tenant.id] else { return (false, false) }
        let isRemoved = listed.prune && listed.tenant.contents != nil && target.listed == nil
        return (target.listed != nil || (target.existing != nil && !isRemoved), target.sealed != nil)
    }

    /// Plans the changes that bring the stored settings in line with the file.
    func plan(_ listed: TenantSpec, _ plan: inout CatalogPlan) {
        guard let target = targets[listed.tenant.id] else { return }
        let name = listed.tenant.id.text
        let kind = Settings.target.rawValue
        if let settings = target.listed, let sealed = target.sealed {
            plan.note(kind, name, target.existing.map { Settings.section.edits(from: $0, to: settings) })
            if let remark = settings.remark { plan.add(PlannedChange(.note, kind, name, remark)) }
            plan.save(.put(sealed, over: target.row))
        } else if listed.prune, listed.tenant.contents != nil, target.listed == nil, let row = target.row {
            plan.add(PlannedChange(.remove, kind, name), .remove(row))
        }
    }
}

/// A tenant's settings in a file, for one license server.
struct TargetSpec<Settings: TargetSettings>: Sendable {
    let tenant: TenantID
    let settings: Settings
}
