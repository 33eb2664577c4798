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
        CatalogField.secrets("secret", \.texts)
    ) { secrets, members, node, reader in
        reader.check("secret", secrets.texts, among: members, of: node)
    }
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
            reader.gather(SealedSettingsSpec(secrets, named: .notifications, of: reader.tenant))
        }
    }
}
