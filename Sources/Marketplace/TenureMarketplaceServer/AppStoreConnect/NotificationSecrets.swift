package import TenureCore
import TenureCrypto
import TenureFormats
package import TenureServerKit
import TenureStore

/// The secrets that App Store Connect signs a marketplace's notifications with: one, or two during a change.
package struct NotificationSecrets: Sendable, Hashable {
    package var texts: [String] = []

    /// Whether one of the secrets signed these bytes.
    ///
    /// All secrets are tried, so that the response time doesn't reveal which one matches.
    ///
    /// - Parameter field: The value of `x-apple-signature`: the optional prefix `hmacsha256=`, then 64 hex digits. Case
    ///   is ignored.
    package func verify(_ body: [UInt8], signature field: String?) -> Bool {
        guard let field, field.utf8.count <= 128 else { return false }
        var text = Substring(field.lowercased())
        if text.hasPrefix("hmacsha256=") { text = text.dropFirst("hmacsha256=".count) }
        guard text.utf8.count == 64, let code = Hex.decode(String(text)) else { return false }
        var isOwn = false
        for secret in texts where HMACSHA256.verify(code, of: body, under: Array(secret.utf8)) { isOwn = true }
        return isOwn
    }

    /// The secrets as JSON, to be encrypted.
    var json: [UInt8] { JSONWriter.object { $0.member("secrets", texts) } }

    /// Decodes the output of ``json``; `nil` for any other bytes.
    init?(json: [UInt8]) {
        guard let object = try? FlatObject(scanning: json), let texts = object.strings("secrets").value else {
            return nil
        }
        self.texts = texts
    }

    init() {}
}

/// The decrypted notification secrets of all marketplaces.
final class NotificationSecretSets: CatalogPart {
    let ofTenants: [TenantID: NotificationSecrets]

    private init(_ ofTenants: [TenantID: NotificationSecrets]) { self.ofTenants = ofTenants }

    /// Reads and decrypts the secrets of the tenants that changed.
    static func open(
        _ store: ServerStore, under master: MasterKey, in scope: CatalogScope
    ) async throws(ServerError) -> (any CatalogPart)? {
        let existing = scope.existing?.part(NotificationSecretSets.self)?.ofTenants ?? [:]
        return NotificationSecretSets(
            try await scope.values(over: existing) { tenant, secrets in
                let rows =
                    if let tenant { try await store.fetch(own.bind(tenant))[own.queries] } else {
                        try await store.fetch(all.bind())[all.queries]
                    }
                for row in rows where row.kind == .notifications {
                    secrets[row.tenant] = NotificationSecrets(json: try master.open(row))
                }
            })
    }

    private static let all = QueryPlan { query in query.rows(MarketplaceSecretRow.table.all, upTo: .everything) }
    private static let own = QueryPlan(for: TenantID.self) { query in
        query.rows(MarketplaceSecretRow.ofTenant, upTo: .everything) { [.of($0)] }
    }
}

extension CatalogSnapshot {
    /// A tenant's decrypted notification secrets; `nil` if the catalog names none.
    package func notificationSecrets(of tenant: TenantID) -> NotificationSecrets? {
        part(NotificationSecretSets.self)?.ofTenants[tenant]
    }
}

extension CatalogMember {
    /// Loads the decrypted notification secrets with each catalog snapshot, without adding them to the catalog.
    package static let notificationSecrets = CatalogMember(open: NotificationSecretSets.open) { _, _ in { _, _ in } }
}
