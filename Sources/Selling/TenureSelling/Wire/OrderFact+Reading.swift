import TenureCore
package import TenureFormats

extension OrderFact {
    /// Reads a stored fact.
    ///
    /// Throws ``FormatError``: `.malformed` if the bytes aren't JSON. `.badMember` if a member is missing or invalid.
    package init(decoding bytes: [UInt8]) throws(FormatError) {
        let root: JSONValue
        do { root = try JSONValue(parsing: bytes) } catch { throw FormatError(.malformed, "\(error)") }
        guard let message = root["message"]?.text.flatMap(ProviderID.init), let time = root["time"]?.storedTime,
            let terms = root["terms"].flatMap(Terms.init(stored:)), let kind = ReportedFact.Kind(stored: root)
        else {
            let name = root["kind"]?.text ?? ""
            throw FormatError(.badMember, "the stored fact of the kind \"\(name)\" lacks a field or has an invalid one")
        }
        self.init(ReportedFact(message: message, time: time, kind), terms: terms)
    }
}

extension OrderFact.Terms {
    fileprivate init?(stored json: JSONValue) {
        guard let lines = json["lines"]?.elements, let effect = json["effect"]?.text.flatMap(StopEffect.init),
            let slack = json["slackSeconds"]?.integer, (0...336 * 3_600).contains(slack),
            let endsAtOnce = json["endsAtOnce"]?.bool, let isTest = json["test"]?.bool
        else { return nil }
        self.init()
        self.lines = lines.compactMap(OrderLine.init(stored:))
        let count = self.lines.reduce(0) { $0 + $1.licenses }
        guard self.lines.count == lines.count, count <= OrderRules.mostLicenses else { return nil }
        self.effect = effect
        slackSeconds = slack
        self.endsAtOnce = endsAtOnce
        self.isTest = isTest
        if let renewed = json["renews"] {
            guard let id = renewed.text.flatMap({ LicenseID(text: $0) }) else { return nil }
            renews = id
        }
    }
}

extension OrderLine {
    fileprivate init?(stored json: JSONValue) {
        guard let item = json["item"]?.text, let quantity = json["quantity"]?.quantity,
            let product = json["product"]?.text.flatMap({ ProductID($0) }),
            let policy = json["policy"]?.text.flatMap({ PolicyID($0) }),
            let meaning = json["meaning"]?.text.flatMap(ItemRule.Quantity.init)
        else { return nil }
        self.init(item: item, quantity: quantity, product: product, policy: policy, meaning: meaning)
        // A larger number is never written, and would make sums overflow.
        guard licenses <= OrderRules.mostLicenses else { return nil }
    }
}

extension ReportedFact.Kind {
    fileprivate init?(stored json: JSONValue) {
        switch json["kind"]?.text {
        case "sold": self.init(json["sale"].flatMap(Sale.init(stored:))) { .sold($0) }
        case "trialBegun": self.init(json["sale"].flatMap(Sale.init(stored:))) { .trialBegun($0) }
        case "periodPaid": self.init(json["sale"].flatMap(Sale.init(stored:))) { .periodPaid($0) }
        case "paymentNamed":
            guard let bill = json["bill"]?.id, let payment = json["payment"]?.id else { return nil }
            self = .paymentNamed(bill: bill, payment: payment)
        case "buyerNamed": self.init(json["buyer"].map(Buyer.init(stored:))) { .buyerNamed($0) }
        case "planChanged":
            guard let items = json.storedItems, let end = json["periodEnd"]?.storedTime else { return nil }
            self = .planChanged(SubscriptionPlan(items: items, periodEnd: end, bill: json["bill"]?.id))
        case "pastDue": self = .pastDue
        case "recovered": self = .recovered
        case "willEnd": self = .willEnd
        case "willNotEnd": self = .willNotEnd
        case "paused": self = .paused
        case "resumed": self.init(json["until"]?.storedTime) { .resumed(until: $0) }
        case "ended": self.init(json["at"]?.storedTime) { .ended(at: $0) }
        case "refunded": self.init(Refund(stored: json)) { .refunded($0) }
        case "refundFailed":
            guard let payment = json["payment"]?.id, let id = json["id"]?.id, let amount = Money(stored: json) else {
                return nil
            }
            self = .refundFailed(FailedRefund(of: payment, id: id, amount: amount))
        case "disputed": self.init(Dispute(stored: json)) { .disputed($0) }
        case "disputeWon": self.init(Dispute(stored: json)) { .disputeWon($0) }
        case "disputeLost": self.init(Dispute(stored: json)) { .disputeLost($0) }
        case "inquiry": self.init(Dispute(stored: json)) { .inquiry($0) }
        case "addressChanged": self.init(json["email"]?.text) { .addressChanged(email: $0) }
        default: return nil
        }
    }

    private init?<Value>(_ value: Value?, _ kind: (Value) -> Self) {
        guard let value else { return nil }
        self = kind(value)
    }
}

extension Sale {
    fileprivate init?(stored json: JSONValue) {
        guard let kind = json["kind"]?.text.flatMap(OrderKind.init), let items = json.storedItems,
            let buyer = json["buyer"].map(Buyer.init(stored:)), let bill = json["bill"],
            let reference = bill["reference"]?.id, let gross = Money(stored: bill)
        else { return nil }
        self.init(
            kind, items: items, buyer: buyer,
            bill: Bill(reference, payment: bill["payment"]?.id, gross: gross, periodEnd: bill["periodEnd"]?.storedTime))
    }
}

extension Buyer {
    fileprivate init(stored json: JSONValue) {
        self.init(
            email: json["email"]?.text, name: json["name"]?.text, license: json["license"]?.text,
            customer: json["customer"]?.id)
    }
}

extension Money {
    fileprivate init?(stored json: JSONValue) {
        guard let amount = json["amount"]?.integer, let currency = json["currency"]?.text else { return nil }
        self.init(amount, currency)
    }
}

extension Refund {
    fileprivate init?(stored json: JSONValue) {
        guard let payment = json["payment"]?.id, let amount = Money(stored: json) else { return nil }
        let extent: Extent
        switch json["extent"]?.text {
        case "whole": extent = .whole
        case "part": extent = .part
        case "items": extent = .items(Set(json["items"]?.elements?.compactMap(\.text) ?? []))
        case "incidental": extent = .incidental
        default: return nil
        }
        self.init(of: payment, id: json["id"]?.id, amount: amount, extent: extent)
    }
}

extension Dispute {
    fileprivate init?(stored json: JSONValue) {
        guard let id = json["id"]?.id, let payment = json["payment"]?.id else { return nil }
        self.init(id, of: payment)
    }
}

extension JSONValue {
    /// A stored time in POSIX seconds. Every number is accepted, because a provider's times are stored unchanged.
    fileprivate var storedTime: Timestamp? { integer.map { Timestamp(seconds: $0) } }

    fileprivate var storedItems: [SoldItem]? {
        guard let elements = self["items"]?.elements else { return nil }
        let items = elements.compactMap { json in
            json["item"]?.text.flatMap { item in
                json["quantity"]?.quantity.map { quantity in
                    SoldItem(item, product: json["product"]?.text, quantity: quantity, line: json["line"]?.text)
                }
            }
        }
        return items.count == elements.count ? items : nil
    }
}
