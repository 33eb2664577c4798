import TenureCore
import TenureFormats
import TenureMarketplace
import TenureServerKit

extension Marketplace {
    /// The section of a catalog file for a marketplace with its apps and accounts.
    static let section = CatalogObject(
        "The marketplace that devices get apps, licenses and updates from.", sample: Marketplace(name: "", domain: ""),
        isNullable: true,
        [
            .text("name", \.name), .domain, .aliases, .appleItemID, .bundle(\.bundleID),
            .integer(
                "pollingIntervalHours", 24...8760, \.pollingIntervalHours,
                else:
                    "must be a whole number of hours from 24 to 8760; devices check at most once every 24 hours, "
                    + "and the unit isn't seconds"),
            .choice(
                "access", \.access,
                else:
                    "must be \"open\" (everyone may get every app) or \"token\" (an account's token gives access to "
                    + "its apps)"
            ),
            .choice(
                "packageAccess", \.packageAccess,
                else:
                    "must be \"open\" (everyone may download packages, which are encrypted) or \"token\" (an "
                    + "account's token gives access to the packages of its apps)",
                "Who may download the packages that this server hosts."),
            .flag("resolutionPage", \.resolutionPage),
            .text(
                "supportEmail", \.supportEmail, longest: 254, pattern: EmailAddress.pattern,
                fault: {
                    EmailAddress.isOne($0) ? nil : "must be an e-mail address, without spaces or invisible characters"
                }),
            .text(
                "signInURL", \.signInURL, longest: 1024, pattern: WebAddress.signInPattern,
                "The shop's own sign-in page, if accounts belong to the shop. It receives `return` and `state`.",
                fault: { WebAddress.signInFault(of: $0) }),
            .flag("externalSignature", \.hasExternalSignature),
            .redirectURIs, .overrides, .notifications,
            .list("apps", of: MarketplaceApp.section.schema) { node, marketplace, reader in
                guard let app = MarketplaceApp(node, &reader) else { return }
                if marketplace.apps.updateValue(app, forKey: app.item) != nil {
                    reader.report(node, "the app \(app.item) is listed twice")
                }
            },
            .list("accounts", of: AccountSpec.schema) { node, marketplace, reader in
                guard let account = AccountSpec(node, granting: marketplace.apps, &reader) else { return }
                if reader.take("account \(account.ref)", for: node.pointer) != nil {
                    reader.report(node, "the account is listed twice")
                }
                reader.gather(account)
            },
        ]
    ) { marketplace, members, _, reader in
        guard marketplace.access == .open, marketplace.packageAccess == .token else { return }
        if let member = members["packageAccess"] {
            reader.report(
                member, "must not be \"token\" if \"access\" is \"open\", because an open marketplace has no accounts")
        }
    }

    /// Reads a marketplace; `nil` if it's null or has no valid domain.
    init?(_ node: CatalogNode, of tenant: Tenant, _ reader: inout CatalogReader) {
        guard node.value != .null else { return nil }
        self.init(name: tenant.name, domain: "")
        Self.section.fill(&self, from: Self.section.members(of: node, &reader), of: node, &reader)
        guard !domain.isEmpty else { return nil }
    }
}

extension CatalogField<Marketplace> {
    /// The domain, which must be unique because devices find a marketplace only by its host.
    fileprivate static var domain: Self {
        Self(
            "domain", needs: "needs a \"domain\": the host that devices connect to, such as market.example",
            schema: { _ in
                Schema.text(length: 0...253, pattern: CatalogHost.pattern)
                    .described("The host that devices connect to; unique on the server.")
            },
            text: \.domain,
            { node, marketplace, reader in
                guard case .string(let text) = node.value else {
                    return reader.report(node, "must be a string, not \(node.value.kind)")
                }
                if let fault = CatalogHost.fault(of: text) { return reader.report(node, fault) }
                if let other = reader.take("domain \(text)", for: reader.tenant.text) {
                    reader.report(
                        reader.placeOfTenant, "the domain \(text) is used by the marketplace of \(other) already")
                }
                marketplace.domain = text
            })
    }

    /// The maximum number of aliases of a marketplace.
    private static var mostAliases: Int { 16 }

    /// Further hosts that serve the same configuration, because iOS fetches it from the host of a package.
    fileprivate static var aliases: Self {
        Self(
            "aliases",
            schema: { _ in
                Schema.list(of: .text(length: 1...253, pattern: CatalogHost.pattern)).adding("uniqueItems", true)
                    .adding("maxItems", .number(Int64(mostAliases))).adding("default", [])
                    .described(
                        "Further hosts that serve the same configuration, such as the host of the packages; unique on "
                            + "the server."
                    )
            },
            text: { $0.aliases.isEmpty ? "none" : $0.aliases.joined(separator: " ") },
            { node, marketplace, reader in
                var aliases: [String] = []
                for element in reader.list(node) {
                    guard case .string(let text) = element.value else {
                        reader.report(element, "must be a string, not \(element.value.kind)")
                        continue
                    }
                    if let fault = CatalogHost.fault(of: text) {
                        reader.report(element, fault)
                    } else if aliases.contains(text) || text == marketplace.domain {
                        reader.report(element, "is listed twice")
                    } else if let other = reader.take("domain \(text)", for: reader.tenant.text) {
                        reader.report(element, "is used by the marketplace of \(other) already")
                    } else if aliases.count == mostAliases {
                        reader.report(element, "exceeds the limit of \(mostAliases) aliases")
                    } else {
                        aliases.append(text)
                    }
                }
                marketplace.aliases = aliases
            })
    }

    fileprivate static var appleItemID: Self {
        Self(
            "appleItemID",
            schema: { _ in AppleItemID.schema.described("The Apple item id of the marketplace app itself.") },
            text: { $0.appleItemID?.description ?? "none" },
            { node, marketplace, reader in marketplace.appleItemID = reader.item(node) })
    }
}

extension CatalogField<Marketplace> {
    /// The redirect URIs that the marketplace accepts in addition to Apple's.
    fileprivate static var redirectURIs: Self {
        Self(
            "redirectURIs",
            schema: { _ in
                Schema.list(of: .text(length: 1...RedirectURI.longest)).adding("uniqueItems", true)
                    .adding("maxItems", .number(Int64(RedirectURI.most))).adding("default", [])
                    .described(
                        "The URIs that sign-in may redirect to: https, or an app's own scheme.")
            },
            text: { $0.redirectURIs.isEmpty ? "none" : $0.redirectURIs.joined(separator: " ") },
            { node, marketplace, reader in
                var places: [String] = []
                for element in reader.list(node) {
                    guard case .string(let text) = element.value else {
                        reader.report(element, "must be a string, not \(element.value.kind)")
                        continue
                    }
                    if let fault = RedirectURI.fault(of: text) {
                        reader.report(element, fault)
                    } else if places.contains(text) {
                        reader.report(element, "is listed twice")
                    } else if places.count == RedirectURI.most {
                        reader.report(element, "exceeds the limit of \(RedirectURI.most) redirect URIs")
                    } else {
                        places.append(text)
                    }
                }
                marketplace.redirectURIs = places
            })
    }
}

extension CatalogReader {
    /// Reads an Apple item id, which is a string of digits. Reports any other value as an error and returns `nil`.
    mutating func item(_ node: CatalogNode) -> AppleItemID? {
        guard case .string(let text) = node.value, let item = AppleItemID(text: text) else {
            report(node, "must be the app's Apple item id as a string, such as \"6497405838\"")
            return nil
        }
        return item
    }
}

extension AppleItemID {
    /// The JSON schema of an Apple item id.
    static let schema = Schema.text(pattern: "^[0-9]{1,19}$")

    /// A placeholder id for describing the schema.
    static var sample: AppleItemID {
        guard let sample = AppleItemID(number: 1) else { preconditionFailure("1 is not an Apple item id") }
        return sample
    }
}

extension CatalogField {
    /// A bundle identifier of letters, digits, `-` and `.`.
    static func bundle(_ path: any WritableKeyPath<Record, String?> & Sendable) -> Self {
        .text("bundleID", path, longest: 155, pattern: "^[A-Za-z0-9.-]{1,155}$") { text in
            let isBundle = text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."): true
                default: false
                }
            }
            return isBundle ? nil : "must be a bundle id such as com.example.game"
        }
    }
}
