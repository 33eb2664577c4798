import TenureCore
import TenureFormats
import TenureMarketplace
import TenureServerKit

extension CatalogField<Marketplace> {
    /// Endpoints of single apps that replace the marketplace's (`Documentation/marketplace.md`).
    ///
    /// Each value is an https URL or a path on this server. The names are nested as in the configuration.
    static var overrides: Self {
        Self(
            "overrides",
            schema: { _ in
                Schema([
                    .init("type", "object"),
                    .init("description", "Endpoints for single apps, by appleItemID."),
                    .init("propertyNames", ["pattern": "^[0-9]{1,19}$"]),
                    .init("additionalProperties", OwnEndpoints.section.schema.tree),
                ])
            },
            text: \.toldOverrides,
            { node, marketplace, reader in
                guard let entries = node.members else {
                    return reader.report(
                        node, "must be an object whose names are appleItemIDs, not \(node.value.kind)")
                }
                for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
                    guard let item = AppleItemID(text: name) else {
                        reader.report(entry, "the name must be an appleItemID such as \"6497405838\"")
                        continue
                    }
                    var own = OwnEndpoints()
                    let members = OwnEndpoints.section.members(of: entry, &reader)
                    OwnEndpoints.section.fill(&own, from: members, of: entry, &reader)
                    marketplace.overrides[item] = own.places
                }
            })
    }
}

extension Marketplace {
    fileprivate var toldOverrides: String {
        let all = overrides.sorted { $0.key < $1.key }.flatMap { item, endpoints in
            endpoints.sorted { $0.key < $1.key }.map { "\(item).\($0.key)=\($0.value)" }
        }
        return all.isEmpty ? "none" : "[" + all.joined(separator: " ") + "]"
    }
}

/// The endpoints of one app, by their dotted names in the configuration, such as `updates.url`.
private struct OwnEndpoints: Sendable {
    var places: [String: String] = [:]

    static let section = CatalogObject(
        "The differences from the marketplace's configuration.", sample: OwnEndpoints(),
        [.path("restore"), .group("license", license), .group("updates", updates)])

    private static let license = CatalogObject(
        "License endpoints.", sample: OwnEndpoints(),
        [
            "dynamicLicenseURL", "encryptionCertificateURL", "licenseRenewalURL", "licenseResolutionURL",
            "signingCertificateURL",
        ].map { .path($0, in: "license") })

    private static let updates = CatalogObject(
        "Update endpoints.", sample: OwnEndpoints(), [.path("url", in: "updates"), .pollingInterval])
}

extension CatalogField<OwnEndpoints> {
    fileprivate static func group(_ name: String, _ object: CatalogObject<OwnEndpoints>) -> Self {
        .object(name, \.self, object)
    }

    /// The polling interval in hours, stored as text with the endpoints.
    fileprivate static var pollingInterval: Self {
        Self("pollingInterval", schema: { _ in Schema.integer(24...8760).orNull.described("In hours.") }) {
            node, own, reader in
            let hours = reader.integer(
                node, in: 24...8760,
                else:
                    "must be a whole number of hours from 24 to 8760; devices check at most once every 24 hours"
            )
            if let hours { own.places["updates.pollingInterval"] = String(hours) }
        }
    }

    fileprivate static func path(_ name: String, in group: String? = nil) -> Self {
        let path = group.map { "\($0).\(name)" } ?? name
        return Self(
            name,
            schema: { _ in
                Schema.text(length: 0...2048, pattern: #"^(https://[^\s#]+|(/[A-Za-z0-9._~-]+)+)$"#).orNull.described(
                    "An absolute https URL, or a path on this server that the server doesn't reserve.")
            },
            { node, own, reader in
                if let text = reader.path(node, named: path) { own.places[path] = text }
            })
    }
}

extension CatalogReader {
    fileprivate mutating func path(_ node: CatalogNode, named name: String) -> String? {
        guard let text = text(node, limit: 2048) else { return nil }
        guard text.hasPrefix("/") else {
            guard let fault = WebAddress.fault(of: text) else { return text }
            report(node, "\(fault), or a path on this server that starts with /")
            return nil
        }
        guard WebAddress.isPath(text) else {
            report(
                node, "must be a path of letters, digits, -, _, . and ~ between single slashes, such as /game/restore")
            return nil
        }
        if isOwnPath(text) {
            report(node, "is a path reserved by the server; choose another path, or an absolute https URL")
            return nil
        }
        if let other = take("path \(text)", for: tenant.text), other != tenant.text {
            report(node, "is used by the tenant \(other) already")
            return nil
        }
        if let other = take("place \(tenant) \(text)", for: name) {
            report(node, "is used by \(other) already")
            return nil
        }
        return text
    }
}
