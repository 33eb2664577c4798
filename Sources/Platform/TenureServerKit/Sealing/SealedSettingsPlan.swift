package import TenureCore
import TenureStore

/// A tenant's settings in a catalog file. ``CatalogReader/gather(_:)`` adds them to the file.
package struct SealedSettingsSpec<Settings: SealedSettings>: Sendable {
    package let tenant: TenantID
    package let name: Settings.Row.Name
    package let settings: Settings

    /// Describes settings of a tenant by their name.
    package init(_ settings: Settings, named name: Settings.Row.Name, of tenant: TenantID) {
        (self.tenant, self.name, self.settings) = (tenant, name, settings)
    }
}

/// Plans the changes that make tenants' stored settings match a catalog file.
///
/// The stored settings are decrypted to compare them with the file's.
package struct SealedSettingsPlan<Settings: SealedSettings>: Sendable {
    private struct Target: Sendable {
        let name: Settings.Row.Name
        let listed: Settings?
        let existing: Settings?
        let row: Settings.Row?
        /// The file's settings, encrypted; `nil` if the file doesn't list them or the store has the same settings.
        let sealed: Settings.Row?
    }

    private var targets: [TenantID: [Target]] = [:]

    /// Decrypts the stored settings of the file's tenants, and encrypts the file's settings that differ from them.
    ///
    /// Throws ``ServerError`` if the store fails or settings can't be decrypted.
    package init(_ file: CatalogFile, _ preparation: CatalogPreparation) async throws(ServerError) {
        let specs = Dictionary(grouping: file.listed(SealedSettingsSpec<Settings>.self), by: \.tenant)
        for tenant in file.tenants.map(\.id) {
            let stored = try await preparation.store.all(Settings.Row.ofTenant, [.of(tenant)])
            let rows = stored.filter { Settings.onlyName == nil || $0.name == Settings.onlyName }
            let listed = Dictionary(
                (specs[tenant] ?? []).map { ($0.name, $0.settings) }, uniquingKeysWith: { $1 })
            let names = Set(rows.map(\.name)).union(listed.keys)
            for name in names.sorted(by: { Settings.Row.text(of: $0) < Settings.Row.text(of: $1) }) {
                let row = rows.first { $0.name == name }
                let existing = try row.flatMap { row throws(ServerError) in
                    Settings(json: try row.json(under: preparation.master))
                }
                var sealed: Settings.Row?
                if let settings = listed[name], settings != existing {
                    sealed = try Settings.Row(
                        sealing: settings.json, of: tenant, named: name, under: preparation.master)
                }
                targets[tenant, default: []].append(
                    Target(name: name, listed: listed[name], existing: existing, row: row, sealed: sealed))
            }
        }
    }

    /// Whether settings exist after the file is applied, and whether the file adds or changes them.
    ///
    /// - Parameters:
    ///   - name: The settings' name. It can be omitted for settings that a tenant has at most once.
    ///   - isSectionListed: As in ``plan(_:isSectionListed:_:)``.
    package func state(
        of name: Settings.Row.Name? = Settings.onlyName, after tenant: TenantSpec, isSectionListed: Bool
    ) -> (isSetUp: Bool, isChanged: Bool) {
        guard let target = targets[tenant.tenant.id]?.first(where: { $0.name == name }) else { return (false, false) }
        let isRemoved = tenant.prune && isSectionListed && target.listed == nil
        return (target.listed != nil || (target.existing != nil && !isRemoved), target.sealed != nil)
    }

    /// The names of a tenant's stored settings that the file doesn't list.
    package func unlisted(of tenant: TenantID) -> [Settings.Row.Name] {
        (targets[tenant] ?? []).filter { $0.listed == nil }.map(\.name)
    }

    /// Plans the changes to a tenant's settings. Settings that the file doesn't list are removed only with `--prune`.
    ///
    /// - Parameter isSectionListed: Whether the file has the tenant's section that the settings belong to. Otherwise,
    ///   even `--prune` removes nothing.
    package func plan(_ tenant: TenantSpec, isSectionListed: Bool, _ plan: inout CatalogPlan) {
        for target in targets[tenant.tenant.id] ?? [] {
            let id = tenant.tenant.id.text
            let name = Settings.onlyName == nil ? "\(id)/\(Settings.Row.text(of: target.name))" : id
            if let settings = target.listed, let sealed = target.sealed {
                plan.note(Settings.kind, name, target.existing.map { Settings.edits(from: $0, to: settings) })
                if let remark = settings.remark { plan.add(PlannedChange(.note, Settings.kind, name, remark)) }
                plan.save(.put(sealed, over: target.row))
            } else if tenant.prune, isSectionListed, target.listed == nil, let row = target.row {
                plan.add(PlannedChange(.remove, Settings.kind, name), .remove(row))
            }
        }
    }
}
