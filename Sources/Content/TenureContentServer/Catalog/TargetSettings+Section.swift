import TenureCore
import TenureFormats
package import TenureServerKit

extension KollusSettings {
    /// The schema of a tenant's Kollus settings in a catalog file.
    package static let section = CatalogObject(
        "The settings for Kollus; secrets are stored encrypted.",
        sample: KollusSettings(securityKey: "", customKey: ""),
        isNullable: true, alternatives: [["securityKey", "securityKeyFile"]],
        [
            .secret("securityKey", \.securityKey), .secretFile("securityKeyFile", \.securityKey),
            .text("customKey", \.customKey),
            .choice(
                "callbackAuth", \.callbackAuth,
                else: "must be \"path\" (a secret in the callback's path) or \"none\" (anyone may call it)"),
            .choice(
                "unknownDownloads", \.unknownDownloads,
                else: "must be \"leave\" (existing downloads keep playing) or \"expire\""),
        ]
    ) { settings, members, node, reader in
        reader.secret("securityKey", settings.securityKey, among: members, of: node)
    }
}

extension DoveRunnerSettings {
    /// The schema of a tenant's DoveRunner settings in a catalog file.
    package static let section = CatalogObject(
        "The settings for DoveRunner; secrets are stored encrypted.", sample: empty, isNullable: true,
        alternatives: [["siteKey", "siteKeyFile"], ["accessKey", "accessKeyFile"]],
        [
            .text("siteId", \.siteID), .secret("siteKey", \.siteKey), .secretFile("siteKeyFile", \.siteKey),
            .secret("accessKey", \.accessKey), .secretFile("accessKeyFile", \.accessKey),
        ]
    ) { settings, members, node, reader in
        reader.secret("siteKey", settings.siteKey, among: members, of: node)
        reader.secret("accessKey", settings.accessKey, among: members, of: node)
        if !settings.siteKey.isEmpty, settings.site == nil {
            reader.report(node, "needs a \"siteId\", and a site key of 32 bytes")
        }
    }
}

extension AxinomSettings {
    /// The schema of a tenant's Axinom settings in a catalog file.
    package static let section = CatalogObject(
        "The settings for Axinom; secrets are stored encrypted.", sample: empty, isNullable: true,
        alternatives: [["key", "keyFile"]],
        [
            .text("keyId", \.keyID), .secret("key", \.communicationKey), .secretFile("keyFile", \.communicationKey),
        ]
    ) { settings, members, node, reader in
        reader.secret("key", settings.communicationKey, among: members, of: node)
        if !settings.communicationKey.isEmpty, settings.key == nil {
            reader.report(node, "needs a \"keyId\" (a UUID) and a key of 32 bytes in base64")
        }
    }
}

extension CatalogReader {
    /// Reports a secret that isn't given exactly once, either inline or as a file.
    fileprivate mutating func secret(
        _ name: String, _ value: String, among members: [String: CatalogNode], of node: CatalogNode
    ) {
        let given = [name, name + "File"].filter { (members[$0]?.value ?? .null) != .null }
        if given.count != 1 {
            report(node, "needs either \"\(name)\" or \"\(name)File\"")
        } else if value.isEmpty {
            report(node, "the \"\(name)\" is empty")
        }
    }
}

extension CatalogField where Record: TargetSettings {
    /// A secret as text; its value is never shown.
    fileprivate static func secret(
        _ name: String, _ path: any WritableKeyPath<Record, String> & Sendable
    ) -> Self {
        Self(
            name, schema: { _ in Schema.text(length: 1...256).orNull },
            edits: { old, new in
                old[keyPath: path] == new[keyPath: path] ? [] : [CatalogEdit(name, "set", "another")]
            },
            { node, settings, reader in
                if let text = reader.text(node) { settings[keyPath: path] = text }
            })
    }

    /// A secret in the first line of a file next to the catalog file.
    fileprivate static func secretFile(
        _ name: String, _ path: any WritableKeyPath<Record, String> & Sendable
    ) -> Self {
        Self(name, schema: { _ in Schema.text(length: 1...4096).orNull }) { node, settings, reader in
            guard let file = reader.text(node, limit: 4096) else { return }
            if let line = reader.firstLine(of: file, node) { settings[keyPath: path] = line }
        }
    }
}
