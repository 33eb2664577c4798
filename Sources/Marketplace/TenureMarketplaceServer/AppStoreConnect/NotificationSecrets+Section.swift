import TenureCore
import TenureFormats
import TenureMarketplace
import TenureServerKit
import TenureStore

extension NotificationSecrets {
    /// The section of a catalog file for notification secrets.
    static let section = CatalogObject(
        "The secret that App Store Connect signs notifications with; stored encrypted. Set two while you change it.",
        sample: NotificationSecrets(), isNullable: true,
        alternatives: [["secret", "secretFile", "secrets", "secretFiles"]],
        [
            .secrets("secret", isFile: false), .secrets("secretFile", isFile: true),
            .secretList("secrets", isFile: false), .secretList("secretFiles", isFile: true),
        ]
    ) { secrets, members, node, reader in
        if members.values.filter({ $0.value != .null }).count != 1 {
            reader.report(
                node, "needs exactly one of \"secret\", \"secretFile\", \"secrets\" and \"secretFiles\"")
        } else if secrets.texts.contains(where: \.isEmpty) || !(1...2).contains(secrets.texts.count) {
            reader.report(node, "needs one or two secrets that aren't empty")
        }
    }
}

/// A marketplace's notification secrets from a catalog file.
struct NotificationsSpec: Sendable {
    let tenant: TenantID
    let secrets: NotificationSecrets
}

extension CatalogField<Marketplace> {
    /// The notification secrets.
    ///
    /// They aren't part of ``Marketplace``, because they must never be shown.
    static var notifications: Self {
        Self("notifications", schema: { _ in NotificationSecrets.section.schema }) { node, _, reader in
            guard node.value != .null else { return }
            var secrets = NotificationSecrets()
            NotificationSecrets.section.fill(
                &secrets, from: NotificationSecrets.section.members(of: node, &reader), of: node, &reader)
            reader.gather(NotificationsSpec(tenant: reader.tenant, secrets: secrets))
        }
    }
}

extension CatalogField<NotificationSecrets> {
    fileprivate static func secrets(_ name: String, isFile: Bool) -> Self {
        Self(name, schema: { _ in Schema.text(length: 1...4096).orNull }) { node, secrets, reader in
            if let text = reader.secret(node, isFile: isFile) { secrets.texts.append(text) }
        }
    }

    fileprivate static func secretList(_ name: String, isFile: Bool) -> Self {
        .list(name, of: Schema.text(length: 1...4096)) { node, secrets, reader in
            if let text = reader.secret(node, isFile: isFile) { secrets.texts.append(text) }
        }
    }
}

extension CatalogReader {
    /// Reads a secret from the catalog file, or from the first line of a file next to it.
    fileprivate mutating func secret(_ node: CatalogNode, isFile: Bool) -> String? {
        guard let text = text(node, limit: isFile ? 4096 : 256) else { return nil }
        return isFile ? firstLine(of: text, node) : text
    }
}

/// Plans changes to notification secrets.
///
/// The stored secrets are decrypted so that they can be compared with the file's.
struct NotificationPlan: Sendable {
    private struct Target: Sendable {
        let isListed: Bool
        let row: MarketplaceSecretRow?
        /// The file's secrets, encrypted; `nil` if the file lists no secrets or the same ones as the store.
        let sealed: MarketplaceSecretRow?
    }

    private var targets: [TenantID: Target] = [:]

    /// Decrypts the stored secrets of the file's tenants and encrypts the new ones.
    ///
    /// - Throws: ``ServerError`` if the store fails or a secret can't be decrypted.
    init(_ file: CatalogFile, _ preparation: CatalogPreparation) async throws(ServerError) {
        let listed = Dictionary(
            file.listed(NotificationsSpec.self).map { ($0.tenant, $0.secrets) }, uniquingKeysWith: { $1 })
        for tenant in file.tenants.map(\.id) {
            let rows = try await preparation.store.list(
                Listing(MarketplaceSecretRow.ofTenant, [.of(tenant)], limit: 100))
            let row = rows.first { $0.kind == .notifications }
            let existing = try row.flatMap { row throws(ServerError) in
                NotificationSecrets(json: try preparation.master.open(row))
            }
            var sealed: MarketplaceSecretRow?
            if let secrets = listed[tenant], secrets != existing {
                sealed = try preparation.master.seal(secrets.json, of: tenant, as: .notifications)
            }
            targets[tenant] = Target(isListed: listed[tenant] != nil, row: row, sealed: sealed)
        }
    }

    /// Plans the changes that make the stored secrets match the file.
    func plan(_ listed: TenantSpec, _ plan: inout CatalogPlan) {
        guard let target = targets[listed.tenant.id] else { return }
        let name = listed.tenant.id.text
        if let sealed = target.sealed {
            plan.note(
                "notifications", name,
                target.row.map { _ in [CatalogEdit("secrets", "set", "others")] })
            plan.save(.put(sealed, over: target.row))
        } else if listed.prune, listed.tenant.marketplace != nil, !target.isListed, let row = target.row {
            plan.add(PlannedChange(.remove, "notifications", name), .remove(row))
        }
    }
}
