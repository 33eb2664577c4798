import TenureCore
import TenureCrypto
import TenureFormats
import TenureLicensing
import TenureServerKit

extension Product {
    /// A product in a catalog file, with its policies and existing licenses.
    static let section = CatalogObject(
        "A licensed product.",
        sample: Product(ref: ProductRef(tenant: .sample, product: .sample), name: "", keyPrefix: .sample),
        [
            .id(), .text("name", \.name),
            // Read together with the id: without a valid prefix, the licenses below can't be checked.
            CatalogField("keyPrefix", schema: { _ in .text(pattern: "^[A-Z0-9]{2,8}$") }, text: \.keyPrefix.text) {
                _, _, _ in
            },
            .integer("trialDays", 0...3650, \.trialDays), .flag("freeTier", \.freeTier), .sdkKey, .entitlements,
            .webURL(
                "renewURL", \.renewURL,
                "Where customers renew licenses; the license's page links to it, with the license's id for {license}."),
            .text(
                "activationURL", \.activationURL, longest: ActivationURL.longest, pattern: ActivationURL.pattern,
                "The app's link in letters with license keys, with {key} for the key: notes://activate?key={key}, or an "
                    + "https URL with {key} in its fragment.",
                fault: ActivationURL.fault),
            .flag(
                "showKeys", \.showsKeys,
                "Whether `tenure license show --key` and the API show a key again, if it was issued or replaced with "
                    + "`mail`."),
            .list("policies", of: Policy.section.schema) { node, product, reader in
                guard let policy = Policy(node, &reader) else { return }
                if let names = product.entitlements,
                    let other = policy.entitlements.first(where: { !names.contains($0) })
                {
                    reader.report(
                        node,
                        "the policy \(policy.id) grants \(other), which the product's entitlements don't list; "
                            + "add it there, or correct it")
                }
                if product.policies.updateValue(policy, forKey: policy.id) != nil {
                    reader.report(node, "the policy \(policy.id) is listed twice")
                }
            },
            .list("licenses", of: LicenseSpec.schema) { node, product, reader in
                guard let license = LicenseSpec(node, of: product, &reader) else { return }
                if let other = reader.take("key \(product.ref) \(license.key.hash)", for: node.pointer) {
                    reader.report(node, "this key and the one at \(other) differ only in white space or case")
                }
                reader.gather(license)
            },
        ])

    fileprivate var toldSDKKey: String { sdkKeyHash == nil ? "none" : "set" }

    /// Reads one product; returns `nil` if its id is missing or invalid, or its key prefix is invalid.
    init?(_ node: CatalogNode, _ reader: inout CatalogReader) {
        let members = Self.section.members(of: node, &reader)
        guard let id = reader.slug(members["id"], of: node, as: ProductID.self) else { return nil }
        if reader.reservedProducts.contains(id.text) {
            reader.report(members["id"] ?? node, "\"\(id)\" is a path reserved by the server; choose another id")
        }
        guard let prefix = reader.keyPrefix(members["keyPrefix"], of: id) else { return nil }
        self.init(ref: ProductRef(tenant: reader.tenant, product: id), name: id.text, keyPrefix: prefix)
        Self.section.fill(&self, from: members, of: node, &reader)
    }
}

extension Policy {
    static let section = CatalogObject(
        "The rules for licenses that are issued under it.", sample: Policy(id: .sample, name: ""),
        [
            .id(), .text("name", \.name), .duration, .durationDays,
            .choice(
                "termStarts", \.termStarts, else: "must be \"issue\" or \"activation\"",
                "When the term of a license starts: when it's issued, or when it's activated for the first time."),
            .startBy,
            .integer("activationLimit", 1...Policy.highestActivationLimit, \.activationLimit), .deviceChanges,
            .entitlements,
            .flag("fallbackAccess", \.fallbackAccess), .integer("leaseDays", 1...3650, \.leaseDays),
            .integer("graceDays", 0...3650, \.graceDays), .selfRelease(\.selfRelease),
            .webURL("renewURL", \.renewURL, "Where customers renew licenses; by default the product's."),
        ]
    ) { policy, members, _, reader in
        if members["duration"] != nil, let days = members["durationDays"] {
            reader.report(days, "set \"duration\" or \"durationDays\", not both")
        }
        if policy.termStarts == .activation, policy.duration == nil, let start = members["termStarts"] {
            reader.report(
                start, "\"activation\" needs a \"duration\": a license that never expires has no term to start")
        }
        if policy.startBy != nil, policy.termStarts != .activation, let limit = members["startBy"] {
            reader.report(limit, "has no effect without \"termStarts\": \"activation\"")
        }
        if members["deviceChanges"] == nil {
            policy.deviceChanges = DeviceAllowance.standardChanges(for: policy.activationLimit)
        }
    }

    /// Reads one policy; returns `nil` if its id is missing or invalid.
    fileprivate init?(_ node: CatalogNode, _ reader: inout CatalogReader) {
        let members = Self.section.members(of: node, &reader)
        guard let id = reader.slug(members["id"], of: node, as: PolicyID.self) else { return nil }
        self.init(id: id, name: id.text)
        Self.section.fill(&self, from: members, of: node, &reader)
    }
}

extension CatalogField<Product> {
    /// The SDK key that clients must send in addition to the license key.
    ///
    /// Only its digest is stored, and no plan or response shows it.
    fileprivate static var sdkKey: Self {
        Self(
            "sdkKey", schema: { _ in Schema.text(length: 1...256).orNull.adding("default", .null) },
            edits: { old, new in
                old.sdkKeyHash == new.sdkKeyHash ? [] : [CatalogEdit("sdkKey", old.toldSDKKey, new.toldSDKKey)]
            },
            { node, product, reader in
                product.sdkKeyHash = reader.text(node).flatMap { Digest(SHA256.hash(Array($0.utf8))) }
            })
    }
}

extension CatalogField<Product> {
    /// The entitlements that the product's apps ask for.
    fileprivate static var entitlements: Self {
        Self(
            "entitlements",
            schema: { _ in
                Schema.entitlements.orNull.adding("default", .null)
                    .described("The entitlements that the product's apps ask for; null if they aren't listed.")
            },
            text: { $0.entitlements.map(toldNames) ?? "none" },
            { node, product, reader in
                guard node.value != .null else { return product.entitlements = nil }
                product.entitlements = reader.entitlements(node)
            })
    }
}

extension CatalogField<Policy> {
    fileprivate static var duration: Self {
        length("duration", \.duration, "The length of a new or renewed term; null for perpetual licenses.")
    }

    fileprivate static var startBy: Self {
        length(
            "startBy", \.startBy,
            "How long after the issue a term starts at the latest, activated or not; null for no limit.")
    }

    /// A field whose value is a length of time in ISO 8601.
    private static func length(
        _ name: String, _ path: any WritableKeyPath<Policy, TermLength?> & Sendable, _ sentence: String
    ) -> Self {
        Self(
            name,
            schema: { _ in
                Schema.text(pattern: #"^P(?=\d)(?=.*[1-9])(\d+Y)?(\d+M)?(\d+W)?(\d+D)?$"#).orNull.adding(
                    "default", .null
                )
                .described(sentence)
            },
            text: { $0[keyPath: path]?.description ?? "none" },
            { node, policy, reader in
                if case .string(let text) = node.value, let length = TermLength(text: text) {
                    policy[keyPath: path] = length
                } else if node.value == .null {
                    policy[keyPath: path] = nil
                } else {
                    reader.report(
                        node,
                        "must be a length in years, months, weeks or days, such as P1Y, P1M or P14D, of at most 100 years"
                    )
                }
            })
    }

    /// The length of a term in days, as another notation of `duration`; a plan reports a change of either as
    /// `duration`.
    fileprivate static var durationDays: Self {
        Self(
            "durationDays",
            schema: { _ in
                Schema.integer(1...Int64(TermLength.mostDays)).orNull.adding("default", .null)
                    .described("The same in days of 86,400 seconds.")
            },
            { node, policy, reader in
                let found = reader.problems.count
                let days = reader.integer(node, in: 1...TermLength.mostDays)
                if reader.problems.count == found { policy.duration = days.flatMap { TermLength(days: $0) } }
            })
    }

    fileprivate static var deviceChanges: Self {
        .changes(
            "deviceChanges", \.deviceChanges,
            "How many further devices may be activated within 30 days; by default 3 or the device limit, whichever is "
                + "higher."
        )
    }

    fileprivate static var entitlements: Self {
        Self(
            "entitlements",
            schema: { _ in Schema.entitlements.adding("default", []) }, text: { toldNames($0.entitlements) },
            { node, policy, reader in policy.entitlements = reader.entitlements(node) })
    }
}

/// Formats entitlements for a line about a change.
private func toldNames(_ entitlements: [Entitlement]) -> String {
    "[" + entitlements.sorted().map(\.name).joined(separator: " ") + "]"
}

extension Schema {
    fileprivate static let entitlements = Schema.list(of: .text(pattern: #"^[!-+\--{}~]{1,128}$"#))
        .adding("uniqueItems", true)
}

extension CatalogReader {
    fileprivate mutating func entitlements(_ node: CatalogNode) -> [Entitlement] {
        var entitlements: [Entitlement] = []
        for element in list(node) {
            guard case .string(let name) = element.value, let entitlement = Entitlement(name) else {
                report(element, "must be 1 to 128 printable ASCII characters without spaces, | and ,")
                continue
            }
            if entitlements.contains(entitlement) {
                report(element, "the entitlement \(name) is listed twice")
            } else {
                entitlements.append(entitlement)
            }
        }
        return entitlements
    }

    fileprivate mutating func keyPrefix(_ node: CatalogNode?, of product: ProductID) -> LicenseKeyPrefix? {
        guard let node else { return LicenseKeyPrefix(made: product) }
        guard case .string(let text) = node.value, let prefix = LicenseKeyPrefix(text) else {
            report(node, "must be 2 to 8 characters: A-Z and 0-9")
            return nil
        }
        return prefix
    }
}

extension LicenseKeyPrefix {
    /// A placeholder prefix for the catalog's schema.
    fileprivate static var sample: LicenseKeyPrefix {
        guard let sample = LicenseKeyPrefix("KEY") else { preconditionFailure("\"KEY\" is no prefix") }
        return sample
    }

    /// The default key prefix: the letters and digits of the product's id in upper case, cut to eight characters. `KEY`
    /// is appended if there are fewer than two.
    fileprivate init?(made product: ProductID) {
        let letters = product.text.uppercased().filter { $0.isLetter || $0.isNumber }.prefix(8)
        self.init(letters.count < 2 ? letters + "KEY" : String(letters))
    }
}
