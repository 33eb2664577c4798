import TenureCore
import TenureFormats
import TenureServerKit
import TenureStore

extension NotificationSecrets {
    /// As a catalog file has them.
    static let listing = CatalogObject(
        "What App Store Connect signs its notifications with; sealed. Two while the secret changes.",
        sample: NotificationSecrets(), isNullable: true,
        [
            .secrets("secret", isFile: false), .secrets("secretFile", isFile: true),
            .secretList("secrets", isFile: false), .secretList("secretFiles", isFile: true),
        ]
    ) { secrets, members, node, reader in
        if members.values.filter({ $0.value != .null }).count != 1 {
            reader.report(
                node, "needs one of \"secret\", \"secretFile\", \"secrets\" and \"secretFiles\", and no other")
        } else if secrets.texts.contains(where: \.isEmpty) || !(1...2).contains(secrets.texts.count) {
            reader.report(node, "needs one secret or two, and none that is empty")
        }
    }
}

/// What a file says of a marketplace's notifications.
struct ListedNotifications: Sendable {
    let tenant: TenantID
    let secrets: NotificationSecrets
}

extension CatalogField<Marketplace> {
    /// What notifications are signed with: no part of the marketplace itself, for nobody is told of it.
    static var notifications: Self {
        Self("notifications", schema: { _ in NotificationSecrets.listing.schema }) { node, _, reader in
            guard node.value != .null else { return }
            var secrets = NotificationSecrets()
            NotificationSecrets.listing.fill(
                &secrets, from: NotificationSecrets.listing.members(of: node, &reader), of: node, &reader)
            reader.gather(ListedNotifications(tenant: reader.tenant, secrets: secrets))
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
    /// A secret as a text, or as the first line of a file beside the catalog.
    fileprivate mutating func secret(_ node: CatalogNode, isFile: Bool) -> String? {
        guard let text = text(node, limit: isFile ? 4096 : 256) else { return nil }
        if !isFile { return text }
        do throws(NearbyFileError) {
            let bytes = try files.bytes(of: text, in: nil, limit: 4096) ?? []
            return String(
                decoding: bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        } catch {
            report(node, error.message)
            return nil
        }
    }
}

/// What becomes of the secrets of notifications: what is stored is sealed, so it is opened before it is compared.
struct NotificationPlan: Sendable {
    private struct Target: Sendable {
        let isListed: Bool
        let row: MarketplaceSecretRow?
        /// What the file says otherwise, sealed; nil where it says the same, or nothing.
        let sealed: MarketplaceSecretRow?
    }

    private var targets: [TenantID: Target] = [:]

    /// Opens what is stored of the tenants of a file, and seals what the file says. Throws ``ServerError``.
    init(_ file: CatalogFile, _ preparation: CatalogPreparation) async throws(ServerError) {
        let listed = Dictionary(
            file.listed(ListedNotifications.self).map { ($0.tenant, $0.secrets) }, uniquingKeysWith: { $1 })
        for tenant in file.tenants.map(\.id) {
            let rows = try await asking { () async throws(StoreError) in
                try await preparation.store.list(Listing(MarketplaceSecretRow.ofTenant, [.of(tenant)], limit: 100))
            }
            let row = rows.first { $0.kind == .notifications }
            let known = try row.flatMap { row throws(ServerError) in
                NotificationSecrets(json: try preparation.master.open(row))
            }
            var sealed: MarketplaceSecretRow?
            if let secrets = listed[tenant], secrets != known {
                sealed = try preparation.master.seal(secrets.json, of: tenant, as: .notifications)
            }
            targets[tenant] = Target(isListed: listed[tenant] != nil, row: row, sealed: sealed)
        }
    }

    /// Plans what makes the stored secrets say what the file says.
    func plan(_ listed: ListedTenant, _ plan: inout CatalogPlan) {
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
