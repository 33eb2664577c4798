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
        reader.check("securityKey", settings.securityKey, among: members, of: node)
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
        reader.check("siteKey", settings.siteKey, among: members, of: node)
        reader.check("accessKey", settings.accessKey, among: members, of: node)
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
        reader.check("key", settings.communicationKey, among: members, of: node)
        if !settings.communicationKey.isEmpty, settings.key == nil {
            reader.report(node, "needs a \"keyId\" (a UUID) and a key of 32 bytes in base64")
        }
    }
}
