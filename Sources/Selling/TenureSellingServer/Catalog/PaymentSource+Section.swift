import TenureCore
import TenureFormats
import TenureSelling
import TenureServerKit

extension PaymentSource {
    /// The schema of an entry of a tenant's `intake` in a catalog file.
    static let section = CatalogObject(
        "A payment provider's account whose payments become licenses; secrets are stored encrypted.",
        sample: PaymentSource(id: .sample),
        alternatives: [["secret", "secretFile", "secrets", "secretFiles"]],
        CatalogField<PaymentSource>.secrets("secret", \.secrets) + [
            .id(),
            .needed("provider", \.provider, "needs a \"provider\": \"stripe\" or \"paddle\""),
            .needed("world", \.rules.world, "needs a \"world\": \"live\" or \"test\""),
            .keys,
            CatalogField(
                "items",
                schema: { _ in
                    .list(of: ItemEntry.section.schema).adding("default", []).described(
                        "What the provider's items mean. An item with several entries is a bundle.")
                },
                edits: { old, new in
                    let (old, new) = (old.rules.items, new.rules.items)
                    return old == new ? [] : [CatalogEdit("items", "\(old.count)", "\(new.count)")]
                },
                { node, source, reader in
                    for element in reader.list(node) {
                        if let item = ItemEntry(element, &reader) { source.rules.items.append(item.rule) }
                    }
                }),
            .choice(
                "unmapped", \.rules.unmapped,
                else: "must be \"park\" (the message waits until the catalog names the item) or \"ignore\""),
            .choice("refund", \.rules.refund, else: "must be \"suspend\", \"revoke\" or \"keep\""),
            .dispute,
            .choice("cancelled", \.rules.cancelled, else: "must be \"period_end\" or \"at_once\""),
            .integer(
                "slackHours", 0...336, \.rules.slackHours,
                "How long a subscription's licenses outlast the paid period: providers collect after its end, and direct "
                    + "debits take days."),
            .apiKeyFile,
            .text(
                "apiURL", \.apiURL, longest: 256, pattern: "^https?://[!-~]+$",
                "The base URL of the provider's API; by default the provider's own.",
                fault: {
                    WebURL(origin: $0) == nil ? "must be a scheme and a host such as https://api.stripe.com" : nil
                }),
            .integer(
                "catchUpMinutes", 0...1_440, \.catchUpMinutes,
                "How often the provider's list of events is read for messages that didn't arrive, in minutes; 0 for "
                    + "never. With an API key, the default is 60."),
        ]
    ) { source, members, node, reader in
        reader.check("secret", source.secrets, among: members, of: node)
        if source.provider == .paddle, source.apiKey == nil {
            reader.report(node, "needs an \"apiKeyFile\": Paddle's sales don't name the buyer's address")
        }
        if source.apiKey == nil, let minutes = source.catchUpMinutes, minutes > 0 {
            reader.report(
                members["catchUpMinutes"] ?? node, "needs an \"apiKeyFile\": the provider's list of events needs a key")
        }
        let items = source.rules.items
        for item in items where item.goods == nil && items.contains(where: { $0.item == item.item && $0.goods != nil })
        {
            reader.report(members["items"] ?? node, "the item \(item.item) is both ignored and sold")
        }
    }

    /// Reads an entry; returns `nil` if its id is missing or invalid, or if it has another error.
    init?(_ node: CatalogNode, _ reader: inout CatalogReader) {
        let members = Self.section.members(of: node, &reader)
        guard let id = reader.slug(members["id"], of: node, as: SourceID.self) else { return nil }
        self.init(id: id)
        let found = reader.problems.count
        Self.section.fill(&self, from: members, of: node, &reader)
        if reader.problems.count > found { return nil }
    }
}

/// An entry of a source's `items` in a catalog file.
private struct ItemEntry: Sendable {
    var item: String
    var product: ProductID?
    var policy: PolicyID?
    var quantity = ItemRule.Quantity.licenses
    var isAnyPrice = false
    var isIgnored = false

    var rule: ItemRule {
        let goods: ItemRule.Goods? =
            if let product, let policy { ItemRule.Goods(product, policy, quantity: quantity) } else { nil }
        return ItemRule(item, anyPrice: isAnyPrice, goods: goods)
    }

    static let section = CatalogObject(
        "What an item of the provider sells.", sample: ItemEntry(item: "sample"),
        [
            .id("item", needs: "needs an \"item\": the provider's id of a price", schema: .text(length: 1...128)),
            CatalogField("product", schema: { _ in Schema.slug.orNull }) { node, item, reader in
                if node.value != .null { item.product = reader.slug(node, of: node, as: ProductID.self) }
            },
            CatalogField("policy", schema: { _ in Schema.slug.orNull }) { node, item, reader in
                if node.value != .null { item.policy = reader.slug(node, of: node, as: PolicyID.self) }
            },
            .choice(
                "quantity", \.quantity,
                else:
                    "must be \"licenses\" (as many licenses), \"devices\" (one license for as many devices) or \"ignore\""
            ),
            .flag("anyPrice", \.isAnyPrice, "Whether \"item\" is the provider's product, whatever its price."),
            .flag("ignore", \.isIgnored, "Whether the item isn't for licenses."),
        ]
    ) { item, _, node, reader in
        if item.isIgnored, item.product != nil || item.policy != nil {
            reader.report(node, "has \"ignore\", so it can't have a \"product\" or a \"policy\"")
        } else if !item.isIgnored, item.product == nil || item.policy == nil {
            reader.report(node, "needs a \"product\" and a \"policy\", or \"ignore\": true")
        }
    }

    /// Reads an entry; returns `nil` after reporting its errors.
    init?(_ node: CatalogNode, _ reader: inout CatalogReader) {
        let members = Self.section.members(of: node, &reader)
        guard let name = members["item"] else {
            reader.report(node, "needs an \"item\": the provider's id of a price")
            return nil
        }
        guard let text = reader.text(name, limit: 128) else { return nil }
        self.init(item: text)
        let found = reader.problems.count
        Self.section.fill(&self, from: members, of: node, &reader)
        if reader.problems.count > found { return nil }
    }

    private init(item: String) { self.item = item }
}

extension CatalogField<PaymentSource> {
    /// A required member.
    fileprivate static func needed<Choice: CaseIterable & RawRepresentable<String> & Sendable>(
        _ name: String, _ path: any WritableKeyPath<PaymentSource, Choice> & Sendable, _ needs: String
    ) -> Self {
        let choices = Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        return Self(
            name, needs: needs, schema: { _ in .choice(Choice.allCases.map(\.rawValue)) },
            text: { $0[keyPath: path].rawValue }
        ) { node, source, reader in
            guard case .string(let text) = node.value, let choice = Choice(rawValue: text) else {
                return reader.report(node, "must be one of those that this version knows: \(choices)")
            }
            source[keyPath: path] = choice
        }
    }

    /// The member that names where license keys come from. The only valid value is Tenure's own keys.
    fileprivate static var keys: Self {
        Self("keys", schema: { _ in Schema.choice(["mint"]).adding("default", "mint") }) { node, _, reader in
            if node.value != .string("mint") {
                reader.report(node, "must be \"mint\": the provider's own keys can't be taken over")
            }
        }
    }

    /// The effect of a dispute. A revocation isn't offered, because it couldn't be undone if the vendor wins the
    /// dispute.
    fileprivate static var dispute: Self {
        Self(
            "dispute", schema: { _ in Schema.choice(["suspend", "keep"]).adding("default", "suspend") },
            text: { $0.rules.dispute.rawValue }
        ) { node, source, reader in
            switch node.value {
            case .string("suspend"): source.rules.dispute = .suspend
            case .string("keep"): source.rules.dispute = .keep
            default:
                reader.report(node, "must be \"suspend\" or \"keep\": a dispute that is won gives the license back")
            }
        }
    }

    /// The key for the provider's API, in a file next to the catalog file.
    fileprivate static var apiKeyFile: Self {
        Self(
            "apiKeyFile",
            schema: { _ in
                Schema.text(length: 1...4096).orNull.described(
                    "A file with a key for the provider's API. A restricted key that can read is enough.")
            },
            edits: { old, new in
                let (before, after) = (old.apiKey == nil ? "none" : "set", new.apiKey == nil ? "none" : "another")
                return old.apiKey == new.apiKey ? [] : [CatalogEdit("apiKey", before, after)]
            },
            { node, source, reader in
                guard let path = reader.text(node, limit: 4096) else { return }
                guard let line = reader.firstLine(of: path, node) else { return }
                if line.isEmpty {
                    reader.report(node, "names a file that is missing or empty: its first line must be the API key")
                } else {
                    source.apiKey = line
                }
            })
    }
}
