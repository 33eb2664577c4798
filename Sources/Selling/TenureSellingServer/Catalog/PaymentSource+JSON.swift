import TenureCore
import TenureFormats
import TenureSelling
package import TenureServerKit

extension PaymentSource: SealedSettings {
    package typealias Row = PaymentSourceRow
    package static let kind = "source"

    package static func edits(from old: PaymentSource, to new: PaymentSource) -> [CatalogEdit] {
        section.edits(from: old, to: new)
    }

    package var remark: String? { remarks.isEmpty ? nil : remarks.joined(separator: "; ") }

    /// Probable mistakes, recognized by the prefixes of secrets, keys and ids.
    private var remarks: [String] {
        var remarks: [String] = []
        if provider == .stripe, secrets.contains(where: { !$0.hasPrefix("whsec_") }) {
            remarks.append("its secret doesn't begin with whsec_, as those of Stripe's webhook endpoints do")
        }
        if let apiKey {
            if apiKey.hasPrefix("whsec_") || apiKey.hasPrefix("pdl_ntfset_") {
                remarks.append("its API key is a secret that signs messages; the provider's API accepts no such key")
            }
            // The server doesn't need a key that can refund payments.
            if apiKey.hasPrefix("sk_live_") {
                remarks.append("its API key can refund payments; a restricted key that can only read is enough")
            }
        }
        let prefix = provider == .stripe ? "prod_" : "pro_"
        for item in rules.items where item.item.hasPrefix(prefix) && !item.anyPrice && item.goods != nil {
            remarks.append("the item \(item.item) is a product, not a price; it needs \"anyPrice\": true")
        }
        return remarks
    }

    package var json: [UInt8] {
        JSONWriter.object { body in
            body.member("id", id.text)
            body.member("provider", provider.rawValue)
            body.member("world", rules.world.rawValue)
            body.array("items") { list in
                for item in rules.items {
                    list.object { body in
                        body.member("item", item.item)
                        body.member("anyPrice", item.anyPrice)
                        body.member("product", item.goods?.product.text)
                        body.member("policy", item.goods?.policy.text)
                        body.member("quantity", item.goods?.quantity.rawValue)
                    }
                }
            }
            body.member("unmapped", rules.unmapped.rawValue)
            body.member("refund", rules.refund.rawValue)
            body.member("dispute", rules.dispute.rawValue)
            body.member("cancelled", rules.cancelled.rawValue)
            body.member("slackHours", rules.slackHours)
            body.member("apiURL", apiURL)
            body.member("catchUpMinutes", catchUpMinutes)
            body.member("secrets", secrets)
            body.member("apiKey", apiKey)
        }
    }

    package init?(json: [UInt8]) {
        guard let body = try? FlatObject(scanning: json), let id = body.string("id").value.flatMap({ SourceID($0) }),
            let provider: Provider = body.choice("provider"), let rules = OrderRules(body),
            let secrets = body.strings("secrets").value
        else { return nil }
        self.init(
            id: id, provider: provider, rules: rules, secrets: secrets, apiKey: body.string("apiKey").value,
            apiURL: body.string("apiURL").value,
            catchUpMinutes: body.integer("catchUpMinutes").value.flatMap(Int.init(exactly:)))
    }
}

extension CatalogSnapshot {
    /// A tenant's source of payments; `nil` if the tenant has no source with this id.
    func paymentSource(_ id: SourceID, of tenant: TenantID) -> PaymentSource? {
        settings(PaymentSource.self, of: tenant)[id]
    }

    /// A tenant's sources of payments, in the order of their ids.
    func paymentSources(of tenant: TenantID) -> [PaymentSource] {
        settings(PaymentSource.self, of: tenant).values.sorted { $0.id < $1.id }
    }
}

extension OrderRules {
    fileprivate init?(_ body: FlatObject) {
        guard let world: World = body.choice("world"), let list = body.objects("items").value,
            let unmapped: Unmapped = body.choice("unmapped"), let refund: StopEffect = body.choice("refund"),
            let dispute: StopEffect = body.choice("dispute"), let cancelled: CancelledEnd = body.choice("cancelled"),
            let slack = body.integer("slackHours").value.flatMap(Int.init(exactly:))
        else { return nil }
        var items: [ItemRule] = []
        for entry in list {
            guard let item = ItemRule(entry) else { return nil }
            items.append(item)
        }
        self.init(
            items: items, unmapped: unmapped, refund: refund, dispute: dispute, slackHours: slack,
            cancelled: cancelled, world: world)
    }
}

extension ItemRule {
    fileprivate init?(_ body: FlatObject) {
        guard let item = body.string("item").value, let anyPrice = body.boolean("anyPrice").value else { return nil }
        var goods: Goods?
        if let product = body.string("product").value {
            guard let product = ProductID(product), let policy = body.string("policy").value.flatMap({ PolicyID($0) }),
                let quantity: Quantity = body.choice("quantity")
            else { return nil }
            goods = Goods(product, policy, quantity: quantity)
        }
        self.init(item, anyPrice: anyPrice, goods: goods)
    }
}

extension FlatObject {
    fileprivate func choice<Choice: RawRepresentable<String>>(_ name: String) -> Choice? {
        string(name).value.flatMap(Choice.init(rawValue:))
    }
}
