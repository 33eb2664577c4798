package import TenureCore
import TenureCrypto
import TenureFormats
package import TenureServerKit
import TenureStore

/// The secrets that App Store Connect signs a marketplace's notifications with: one, or two during a change.
package struct NotificationSecrets: Hashable {
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

    init() {}
}

extension NotificationSecrets: SealedSettings {
    package typealias Row = MarketplaceSecretRow

    package static let kind = "notifications"
    package static let onlyName: MarketplaceSecretRow.Kind? = .notifications

    package var json: [UInt8] { JSONWriter.object { $0.member("secrets", texts) } }

    package init?(json: [UInt8]) {
        guard let object = try? FlatObject(scanning: json), let texts = object.strings("secrets").value else {
            return nil
        }
        self.texts = texts
    }
}

extension CatalogSnapshot {
    /// A tenant's decrypted notification secrets; `nil` if the catalog names none.
    package func notificationSecrets(of tenant: TenantID) -> NotificationSecrets? {
        settings(NotificationSecrets.self, of: tenant)[.notifications]
    }
}

extension CatalogMember {
    /// Loads the decrypted notification secrets with each catalog snapshot, without adding them to the catalog.
    package static let notificationSecrets = CatalogMember(opening: NotificationSecrets.self)
}
