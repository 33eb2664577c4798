package import TenureCore
import TenureCrypto
import TenureFormats
package import TenureServerKit
import TenureStore

/// The secrets that sign a marketplace's notifications: one, or two while the secret is being changed.
package struct NotificationSecrets: Sendable, Hashable {
    /// The secrets as text.
    package var texts: [String] = []

    /// Whether one of the secrets signed these bytes.
    ///
    /// All secrets are tried, so that the response time reveals nothing.
    ///
    /// - Parameter field: The value of `x-apple-signature`: `hmacsha256=`, which may be missing, and 64 hex digits in
    ///   either case.
    package func verify(_ body: [UInt8], signature field: String?) -> Bool {
        guard let field, field.utf8.count <= 128 else { return false }
        var text = Substring(field.lowercased())
        if text.hasPrefix("hmacsha256=") { text = text.dropFirst("hmacsha256=".count) }
        guard text.utf8.count == 64, let code = Hex.decode(String(text)) else { return false }
        var isOwn = false
        for secret in texts where HMACSHA256.verify(code, of: body, under: Array(secret.utf8)) { isOwn = true }
        return isOwn
    }

    /// The secrets as JSON, for sealing.
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

    /// Reads and opens the secrets of changed tenants.
    static func open(
        _ store: any Store, under master: MasterKey, in scope: CatalogScope
    ) async throws(ServerError) -> (any CatalogPart)? {
        let known = scope.known?.part(NotificationSecretSets.self)?.ofTenants ?? [:]
        return NotificationSecretSets(
            try await scope.values(over: known) { tenant, secrets in
                let rows = try await asking {
                    guard let tenant else { return try await store.fetch(all.bind())[all.queries] }
                    return try await store.fetch(own.bind(tenant))[own.queries]
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
    /// Keeps the decrypted notification secrets with the catalog, without adding them to it.
    package static let notificationSecrets = CatalogMember(open: NotificationSecretSets.open) { _, _ in { _, _ in } }
}
