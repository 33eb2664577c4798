import TenureCore
import TenureSelling

/// A source with its rules, the facts that it received about one order, and the order's licenses.
struct OrderShop {
    static let source = SourceID("shop")!
    static let start = Timestamp(seconds: 1_790_000_000)
    static let product = ProductID("notes")!
    static let yearly = PolicyID("yearly")!
    static let team = PolicyID("team")!

    var rules = OrderRules(items: [
        ItemRule("price_year", goods: .init(product, yearly)), ItemRule("price_team", goods: .init(product, team)),
        ItemRule("price_devices", goods: .init(product, team, quantity: .devices)),
        ItemRule("price_one", goods: .init(product, yearly, quantity: .ignore)), ItemRule("price_gift", goods: nil),
    ])
    var facts: OrderFacts
    var licenses: [PresentLicense] = []
    var changes: [LicenseChange] = []
    var attention: [OrderAttention] = []
    /// A license of another order, which a purchase may renew.
    var renewed: PresentLicense?
    var now = start

    init(_ reference: String = "sub_1") {
        facts = OrderFacts(source: Self.source, reference: .of(reference))
    }

    var order: Order? { Order(facts) }
    var state: Order.State? { order?.state }
    /// The only license of the order.
    var license: PresentLicense? { licenses.count == 1 ? licenses[0] : nil }

    /// Decides on the facts of one message, and carries out the changes as a server does.
    @discardableResult mutating func receive(_ reports: ReportedFact..., liveTestLicenses: Int = 0) -> OrderDecision {
        receive(reports, joining: [], liveTestLicenses: liveTestLicenses)
    }

    /// Decides on the facts of one message that joins sets of facts to the order.
    @discardableResult mutating func receive(
        _ reports: [ReportedFact], joining waiting: [OrderFacts], liveTestLicenses: Int = 0
    ) -> OrderDecision {
        let decision = Order.decide(
            reports, on: facts, joining: waiting, licenses: licenses, renewing: renewed, rules: rules,
            liveTestLicenses: liveTestLicenses,
            now: now)
        changes = []
        switch decision {
        case .changed(let result):
            facts = result.facts
            changes = result.licenses
            attention += result.attention
            for change in changes { carryOut(change) }
        case .waiting(let facts): self.facts = facts
        case .parked(_, let facts): self.facts = facts ?? self.facts
        case .repeated, .ignored: break
        }
        return decision
    }

    private mutating func carryOut(_ change: LicenseChange) {
        switch change {
        case .issue(let new):
            let end: Timestamp =
                switch new.end {
                case .policy(let atMost): min(now.adding(days: 365), atMost ?? .latest)
                case .at(let time): time
                }
            licenses.append(
                PresentLicense(
                    id: LicenseID(number: Int64(new.slot.line * 1_000 + new.slot.number))!, slot: new.slot,
                    product: new.product, policy: new.policy, state: .active, end: end, issuedAt: now, email: new.email)
            )
        case .adopt(let id, let slot): update(id) { $0.slot = slot }
        case .extend(let id, let end), .setEnd(let id, let end): update(id) { $0.end = end }
        case .suspend(let id, _):
            update(id) {
                $0.state = .suspended
                $0.isSuspendedByOrder = true
            }
        case .lift(let id):
            update(id) {
                $0.state = .active
                $0.isSuspendedByOrder = false
            }
        case .revoke(let id, _): update(id) { $0.state = .revoked }
        case .changePolicy(let id, let policy): update(id) { $0.policy = policy }
        case .changeEmail(let id, let email): update(id) { $0.email = email }
        case .renameCause, .changeDevices, .addTime, .takeTimeBack: break
        }
    }

    private mutating func update(_ id: LicenseID, _ change: (inout PresentLicense) -> Void) {
        for index in licenses.indices where licenses[index].id == id { change(&licenses[index]) }
    }
}

extension ProviderID {
    static func of(_ text: String) -> ProviderID { ProviderID(text)! }
}

extension ReportedFact {
    /// Creates a fact that is this many days after the start.
    init(_ kind: Kind, day: Int = 0, message: String = "evt") {
        self.init(message: .of("\(message)_\(day)"), time: OrderShop.start.adding(days: day), kind)
    }
}

extension ReportedFact.Kind {
    /// A single purchase, paid by `pi_1`.
    static func purchase(_ items: [SoldItem] = [SoldItem("price_year")], gross: Int64 = 1_000) -> Self {
        .sold(Sale(.once, items: items, buyer: Buyer(email: "ada@example.com", name: "Ada"), bill: .of("pi_1", gross)))
    }

    /// The first period of a subscription, of 30 days, paid by `pi_1`.
    static func subscribed(_ item: String = "price_year", quantity: Int = 1, gross: Int64 = 1_000) -> Self {
        .sold(
            Sale(
                .subscription, items: [SoldItem(item, quantity: quantity)], buyer: Buyer(email: "ada@example.com"),
                bill: .of("pi_1", gross, until: 30)))
    }

    /// A further period, which ends on this day and is paid by `pi_DAY`.
    static func period(until day: Int, gross: Int64 = 1_000) -> Self {
        .periodPaid(
            Sale(
                .subscription, items: [SoldItem("price_year")], buyer: Buyer(email: "ada@example.com"),
                bill: .of("pi_\(day)", gross, until: day)))
    }

    /// A refund, with the sum of the payment's refunds so far.
    static func refund(_ payment: String = "pi_1", sum: Int64 = 1_000, whole: Bool = true) -> Self {
        .refunded(Refund(of: .of(payment), amount: Money(sum, "eur"), extent: whole ? .whole : .part))
    }

    static func failedRefund(_ payment: String = "pi_1", _ amount: Int64 = 1_000) -> Self {
        .refundFailed(FailedRefund(of: .of(payment), id: .of("re_1"), amount: Money(amount, "eur")))
    }
}

extension Bill {
    static func of(_ payment: String, _ gross: Int64, until day: Int? = nil) -> Bill {
        Bill(
            .of("in_\(payment)"), payment: .of(payment), gross: Money(gross, "eur"),
            periodEnd: day.map { OrderShop.start.adding(days: $0) })
    }
}

extension Dispute {
    static let first = Dispute(.of("dp_1"), of: .of("pi_1"))
}
