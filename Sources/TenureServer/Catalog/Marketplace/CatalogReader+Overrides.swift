import TenureCore
import TenureFormats

extension CatalogReader {
    /// The endpoints of the configuration that an app may have to itself (`spec/apple.md` §3).
    private static let overridable: [String: Set<String>] = [
        "license": [
            "dynamicLicenseURL", "licenseRenewalURL", "licenseResolutionURL", "signingCertificateURL",
            "encryptionCertificateURL",
        ],
        "updates": ["url"],
    ]

    /// Endpoints by app: an https URL or a path on this server each, written as the configuration nests them.
    mutating func overrides(_ node: CatalogNode?) -> [AppleItemID: [String: String]] {
        guard let node else { return [:] }
        guard let entries = node.members else {
            report(node, "must be an object with an app's appleItemID for each name, not \(node.value.kind)")
            return [:]
        }
        var overrides: [AppleItemID: [String: String]] = [:]
        for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
            guard let item = AppleItemID(text: name) else {
                report(entry, "its name must be an app's appleItemID, such as \"6497405838\"")
                continue
            }
            overrides[item] = endpoints(entry)
        }
        return overrides
    }

    private mutating func endpoints(_ node: CatalogNode) -> [String: String] {
        var endpoints: [String: String] = [:]
        let members = object(node, knowing: ["restore"] + Self.overridable.keys.sorted())
        if let node = members["restore"], let text = place(node, named: "restore") { endpoints["restore"] = text }
        for (group, names) in Self.overridable {
            guard let groupNode = members[group] else { continue }
            let inner = object(groupNode, knowing: names.sorted())
            for name in names.sorted() {
                guard let node = inner[name], let text = place(node, named: "\(group).\(name)") else { continue }
                endpoints["\(group).\(name)"] = text
            }
        }
        return endpoints
    }

    private mutating func place(_ node: CatalogNode, named name: String) -> String? {
        guard let text = text(node, limit: 2048) else { return nil }
        guard text.hasPrefix("/") else {
            guard let fault = WebAddress.fault(of: text) else { return text }
            report(node, "\(fault), or a path on this server that begins with /")
            return nil
        }
        guard WebAddress.isPath(text) else {
            report(
                node, "must be a path of letters, digits, -, _, . and ~ between single slashes, such as /game/restore")
            return nil
        }
        if BuiltInPaths.own(text) {
            report(node, "is a path of the server's own; choose another, or an absolute https URL")
            return nil
        }
        if let other = places.updateValue(name, forKey: text), other != name {
            report(node, "is the path of \(other) already")
            return nil
        }
        return text
    }
}
