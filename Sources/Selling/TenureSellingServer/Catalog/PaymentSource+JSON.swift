import TenureCore
import TenureFormats
import TenureSelling

// The stored form of a source: its settings in plain text, and its secrets apart.
extension PaymentSource {
    /// The settings without secrets.
    var settings: String {
        let bytes = JSONWriter.object { body in
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
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The signing secrets and the API key, for encryption.
    var secretSettings: [UInt8] {
        JSONWriter.object { body in
            body.member("secrets", secrets)
            body.member("apiKey", apiKey)
        }
    }

    /// Reads a source from its stored form; `nil` if it is invalid or of a provider that this version doesn't know.
    init?(id: SourceID, settings: String, secretSettings: [UInt8]) {
        guard let body = try? FlatObject(scanning: Array(settings.utf8)),
            let sealed = try? FlatObject(scanning: secretSettings), let provider: Provider = body.choice("provider"),
            let rules = OrderRules(body), let secrets = sealed.strings("secrets").value
        else { return nil }
        self.init(
            id: id, provider: provider, rules: rules, secrets: secrets, apiKey: sealed.string("apiKey").value,
            apiURL: body.string("apiURL").value)
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
