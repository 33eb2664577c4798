import TenureFormats
import TenureMarketplaceClient

extension LintRule {
    private static let kit = "Apple, /.well-known/marketplace-kit"

    static let config: [LintRule] =
        json("config") + [
            LintRule(
                "config.missing", .error, "A required field is missing.",
                fix: "Add it. Devices reject a configuration without it.", source: kit),
            LintRule(
                "config.type", .error, "A field has the wrong type.",
                fix: "Change it as the message says.", source: kit),
            LintRule(
                "config.url", .error, "A URL is not absolute.", fix: "Write the complete URL, with https and the host.",
                source: kit),
            LintRule(
                "config.https", .error, "A URL doesn't use https.", fix: "Serve it over https and use the https URL.",
                source: kit),
            LintRule(
                "config.url_user", .error, "A URL contains a user name or password.",
                fix: "Remove them; this file is public.", source: "RFC 3986, 3.2.1"),
            LintRule(
                "config.url_fragment", .error, "A URL has a fragment, which is never sent in a request.",
                fix: "Leave it out.", source: "RFC 3986, 3.5"),
            LintRule(
                "config.polling_number", .error, "pollingInterval is not a whole number of hours of at least 1.",
                fix: "Use a whole number of hours, such as 24.", source: kit),
            LintRule(
                "config.polling_seconds", .error, "pollingInterval is so long that it seems to be in seconds.",
                fix: "Convert it to hours: 86400 seconds are 24 hours.", source: kit),
            LintRule(
                "config.polling_long", .warning, "pollingInterval is longer than a week.",
                fix: "Shorten it, or devices learn of updates that late; 24 is usual.", source: kit),
            LintRule(
                "config.override_name", .error, "The name of an override is not an Apple item id.",
                fix: "Use the app's Apple item id, in digits.", source: kit),
            LintRule(
                "config.override_partial", .error, "An override is not a complete configuration.",
                fix: "Repeat every field in it; how devices treat a partial override is undefined.", source: kit),
            LintRule(
                "config.override_nested", .error, "An override contains overrides itself.",
                fix: "Move all overrides to the top level.", source: kit),
            LintRule(
                "config.unknown_member", .note, "A field is unknown.",
                fix: "Check the spelling; devices ignore it.", source: kit),
            LintRule(
                "config.no_resolution", .note, "There is no licenseResolutionURL.",
                fix: "Add one, so that people whose license has expired can resolve it.", source: kit),
        ]
}

/// Checks a marketplace's configuration against the `config` rules.
enum ConfigLint {
    private static let certificates = ["signingCertificateURL", "encryptionCertificateURL"]
    private static let endpoints = ["dynamicLicenseURL", "licenseRenewalURL"]
    private static let resolution = "licenseResolutionURL"

    static func findings(in root: [String: JSONValue]) -> [LintFinding] {
        var lint = Walk()
        lint.configuration(root, at: "")
        if let overrides = lint.member("overridesByAppleItemID", of: root, at: "", isNeeded: false) {
            lint.overrides(overrides, at: "/overridesByAppleItemID")
        }
        return lint.findings
    }

    private struct Walk {
        var findings: [LintFinding] = []

        mutating func tell(_ rule: String, at pointer: String, _ message: String? = nil) {
            findings.append(LintFinding(.named("config.\(rule)"), at: pointer, message))
        }

        mutating func member(
            _ name: String, of node: [String: JSONValue], at pointer: String, isNeeded: Bool = true
        ) -> JSONValue? {
            if let value = node[name] { return value }
            if isNeeded { tell("missing", at: pointer, "\(name) is missing.") }
            return nil
        }

        mutating func object(_ value: JSONValue?, at pointer: String) -> [String: JSONValue]? {
            guard let value else { return nil }
            if case .object(let members) = value { return members }
            tell("type", at: pointer, "It is \(value.kind), but must be an object.")
            return nil
        }

        mutating func unknown(in node: [String: JSONValue], at pointer: String, knowing names: [String]) {
            for name in node.keys.sorted() where !names.contains(name) {
                tell("unknown_member", at: "\(pointer)/\(JSONPointer.escaped(name))")
            }
        }

        mutating func configuration(_ node: [String: JSONValue], at pointer: String) {
            address(member("restore", of: node, at: pointer), at: "\(pointer)/restore")
            if let updates = object(member("updates", of: node, at: pointer), at: "\(pointer)/updates") {
                let here = "\(pointer)/updates"
                address(member("url", of: updates, at: here), at: "\(here)/url")
                polling(member("pollingInterval", of: updates, at: here), at: "\(here)/pollingInterval")
                unknown(in: updates, at: here, knowing: ["url", "pollingInterval"])
            }
            if let license = object(member("license", of: node, at: pointer), at: "\(pointer)/license") {
                let here = "\(pointer)/license"
                for name in endpoints + certificates {
                    address(member(name, of: license, at: here), at: "\(here)/\(name)")
                }
                if let page = license[resolution] {
                    address(page, at: "\(here)/\(resolution)")
                } else {
                    tell("no_resolution", at: here)
                }
                unknown(in: license, at: here, knowing: endpoints + certificates + [resolution])
            }
            unknown(
                in: node, at: pointer, knowing: ["restore", "updates", "license", "overridesByAppleItemID"])
        }

        mutating func overrides(_ value: JSONValue, at pointer: String) {
            for (name, value) in (object(value, at: pointer) ?? [:]).sorted(by: { $0.key < $1.key }) {
                let here = "\(pointer)/\(JSONPointer.escaped(name))"
                let isID = !name.isEmpty && name.utf8.count <= 20 && name.utf8.allSatisfy { (0x30...0x39).contains($0) }
                if !isID || name.first == "0" { tell("override_name", at: here) }
                guard var node = object(value, at: here) else { continue }
                if node.removeValue(forKey: "overridesByAppleItemID") != nil { tell("override_nested", at: here) }
                var inner = Walk()
                inner.configuration(node, at: here)
                // A missing member is a separate error only at the top level. In an override, all missing members
                // together are one error.
                let missing = inner.findings.filter { $0.rule.id == "config.missing" }
                if !missing.isEmpty {
                    tell("override_partial", at: here, missing.map(\.message).joined(separator: " "))
                }
                findings += inner.findings.filter { $0.rule.id != "config.missing" }
            }
        }

        mutating func address(_ value: JSONValue?, at pointer: String) {
            guard let value else { return }
            guard case .string(let text) = value else {
                return tell("type", at: pointer, "It is \(value.kind), but must be a string.")
            }
            guard let address = WebURL(text) else { return tell("url", at: pointer) }
            if address.scheme != "https" { tell("https", at: pointer) }
            if address.hasUser { tell("url_user", at: pointer) }
            if address.hasFragment { tell("url_fragment", at: pointer) }
        }

        mutating func polling(_ value: JSONValue?, at pointer: String) {
            guard let value else { return }
            guard case .integer(let hours) = value, hours >= 1 else {
                return tell("polling_number", at: pointer)
            }
            switch hours {
            case ...168: break
            case ...Int64(UpdatePoll.longestInterval):
                tell("polling_long", at: pointer, "\(hours) hours are more than a week.")
            default: tell("polling_seconds", at: pointer, "\(hours) hours are \(hours / 24) days.")
            }
        }
    }
}
