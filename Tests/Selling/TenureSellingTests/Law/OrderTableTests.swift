import GoldenFiles
import TenureCore
import TenureSelling
import Testing

/// Compares every row of the documented facts with the code's decision.
@Suite struct OrderTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let fact, condition, order, license: String
        var testDescription: String { "\(fact), \(condition)" }
    }

    static func rows() throws -> [Row] {
        try DocumentedTable.rows(of: "orders.md", below: "Facts").map { cells in
            Row(fact: cells[0].plain, condition: cells[1], order: cells[2].plain, license: cells[3])
        }
    }

    @Test(arguments: try rows())
    func `each reported fact leads to the order state and the license changes that the documented table lists`(
        _ row: Row
    )
        throws
    {
        let setup = try #require(Self.setups["\(row.fact), \(row.condition)"], "the test has no such case")
        var shop = setup.before(OrderShop())
        #expect(ReportedFact(setup.fact).kind.name == row.fact)
        let decision = shop.receive(ReportedFact(setup.fact, day: setup.day, message: "last"))
        #expect(Self.describe(decision) == row.order)
        let changes = shop.changes.compactMap(Self.describe)
        #expect((changes.isEmpty ? "nothing" : changes.joined(separator: ", ")) == row.license)
    }

    @Test func `the documented table of order facts has every fact and every tested case`() throws {
        let rows = try Self.rows()
        #expect(Set(rows.map { "\($0.fact), \($0.condition)" }) == Set(Self.setups.keys))
        #expect(Set(rows.map(\.fact)) == Set(OrderFactCodingTests.facts.map(\.report.kind.name)))
    }

    @Test func `the documented table of order facts has every state of an order`() throws {
        let states = Set(try Self.rows().map(\.order))
        #expect(states.subtracting(["order_unknown"]) == Set(Order.State.allCases.map(\.rawValue)))
    }

    /// The facts received before, the tested fact, and its day.
    private struct Setup: Sendable {
        let before: @Sendable (OrderShop) -> OrderShop
        let fact: ReportedFact.Kind
        let day: Int

        init(
            _ fact: ReportedFact.Kind, day: Int = 5, renewing license: PresentLicense,
            after facts: (ReportedFact.Kind, Int)...
        ) {
            self.fact = fact
            self.day = day
            before = { shop in
                var shop = shop
                shop.renewed = license
                for (fact, day) in facts { shop.receive(ReportedFact(fact, day: day)) }
                return shop
            }
        }

        init(
            _ fact: ReportedFact.Kind, day: Int = 5, rules: @escaping @Sendable (inout OrderRules) -> Void = { _ in },
            after facts: (ReportedFact.Kind, Int)...
        ) {
            self.fact = fact
            self.day = day
            before = { shop in
                var shop = shop
                rules(&shop.rules)
                for (fact, day) in facts { shop.receive(ReportedFact(fact, day: day)) }
                return shop
            }
        }
    }

    private static func day(_ day: Int) -> Timestamp { OrderShop.start.adding(days: day) }

    private static func plan(_ item: String, _ quantity: Int = 1, until end: Int = 30, bill: String? = nil)
        -> ReportedFact.Kind
    {
        .planChanged(
            SubscriptionPlan(
                items: [SoldItem(item, quantity: quantity)], periodEnd: day(end), bill: bill.map { .of($0) }))
    }

    private static func bill(_ reference: String) -> ReportedFact.Kind {
        .periodPaid(
            Sale(
                .subscription, items: [], buyer: Buyer(email: nil), bill: Bill(.of(reference), gross: Money(50, "eur")))
        )
    }

    private static var trial: ReportedFact.Kind {
        .trialBegun(
            Sale(
                .subscription, items: [SoldItem("price_year")], buyer: Buyer(email: "ada@example.com"),
                bill: Bill(.of("in_1"), gross: Money(0, "eur"), periodEnd: day(14))))
    }

    private static func refund(_ extent: Refund.Extent) -> ReportedFact.Kind {
        .refunded(Refund(of: .of("pi_1"), id: .of("re_1"), amount: Money(300, "eur"), extent: extent))
    }

    private static var twoItems: ReportedFact.Kind { .purchase([SoldItem("price_year"), SoldItem("price_team")]) }

    private static let setups: [String: Setup] = [
        "sold, a single purchase": Setup(.purchase(), day: 0),
        "sold, a subscription": Setup(.subscribed(), day: 0),
        "sold, its refund arrived first": Setup(.purchase(), day: 0, after: (.refund(), 1)),
        "sold, its dispute arrived first": Setup(.purchase(), day: 0, after: (.disputed(.first), 1)),
        "sold, a purchase that renews a license": Setup(.renewing(), day: 0, renewing: .ofOtherOrder),
        "refunded, a purchase that renewed a license": Setup(
            .refund(), renewing: .ofOtherOrder, after: (.renewing(), 0)),
        "disputed, a purchase that renewed a license": Setup(
            .disputed(.first), renewing: .ofOtherOrder, after: (.renewing(), 0)),
        "trialBegun, always": Setup(trial, day: 0),
        "periodPaid, a further period": Setup(.period(until: 60), day: 30, after: (.subscribed(), 0)),
        "periodPaid, the period before was refunded": Setup(
            .period(until: 60), day: 30, after: (.subscribed(), 0), (.refund(), 9)),
        "periodPaid, an older period": Setup(
            .period(until: 60), day: 30, after: (.subscribed(), 0), (.period(until: 90), 60)),
        "periodPaid, a proration": Setup(bill("in_up"), after: (.subscribed(), 0)),
        "periodPaid, the order isn't known": Setup(.period(until: 60), day: 30),
        "planChanged, other items": Setup(plan("price_team", until: 15), after: (.subscribed(), 0)),
        "planChanged, other items, the bill isn't paid": Setup(
            plan("price_team", until: 15, bill: "in_up"), after: (.subscribed(), 0)),
        "planChanged, a larger quantity": Setup(plan("price_year", 2), after: (.subscribed(), 0)),
        "planChanged, a smaller quantity": Setup(
            plan("price_year", 1), after: (.subscribed("price_year", quantity: 2), 0)),
        "pastDue, always": Setup(.pastDue, after: (.subscribed(), 0)),
        "recovered, always": Setup(.recovered, after: (.subscribed(), 0), (.pastDue, 4)),
        "willEnd, always": Setup(.willEnd, after: (.subscribed(), 0)),
        "willNotEnd, always": Setup(.willNotEnd, after: (.subscribed(), 0), (.willEnd, 4)),
        "paused, always": Setup(.paused, after: (.subscribed(), 0)),
        "resumed, always": Setup(.resumed(until: day(30)), after: (.subscribed(), 0), (.paused, 4)),
        "ended, always": Setup(.ended(at: day(5)), after: (.subscribed(), 0)),
        "ended, a part of the period was refunded": Setup(
            .ended(at: day(5)), after: (.subscribed(), 0), (.refund(sum: 10, whole: false), 4)),
        "refunded, the newest period or the only payment, whole": Setup(.refund(), after: (.purchase(), 0)),
        "refunded, parts that add up to it": Setup(
            .refund(whole: false), after: (.purchase(), 0), (.refund(sum: 400, whole: false), 4)),
        "refunded, whole, with `\"refund\": \"revoke\"`": Setup(
            .refund(), rules: { $0.refund = .revoke }, after: (.purchase(), 0)),
        "refunded, whole, with `\"refund\": \"keep\"`": Setup(
            .refund(), rules: { $0.refund = .keep }, after: (.purchase(), 0)),
        "refunded, a line, whole": Setup(refund(.items(["price_team"])), after: (twoItems, 0)),
        "refunded, an older period": Setup(
            .refund(), day: 31, after: (.subscribed(), 0), (.period(until: 60), 30)),
        "refunded, a part": Setup(.refund(sum: 10, whole: false), after: (.purchase(), 0)),
        "refunded, taxes or a proration": Setup(refund(.incidental), after: (.purchase(gross: 300), 0)),
        "refundFailed, always": Setup(.failedRefund(), after: (.purchase(), 0), (.refund(), 4)),
        "disputed, always": Setup(.disputed(.first), after: (.purchase(), 0)),
        "disputed, with `\"dispute\": \"keep\"`": Setup(
            .disputed(.first), rules: { $0.dispute = .keep }, after: (.purchase(), 0)),
        "disputeWon, always": Setup(.disputeWon(.first), after: (.purchase(), 0), (.disputed(.first), 4)),
        "disputeLost, always": Setup(.disputeLost(.first), after: (.purchase(), 0), (.disputed(.first), 4)),
        "inquiry, always": Setup(.inquiry(.first), after: (.purchase(), 0)),
        "addressChanged, always": Setup(.addressChanged(email: "ada@new.example"), after: (.purchase(), 0)),
        "buyerNamed, always": Setup(.buyerNamed(Buyer(email: "bob@example.com")), after: (.purchase(), 0)),
        "paymentNamed, always": Setup(
            .paymentNamed(bill: .of("in_pi_1"), payment: .of("pi_1")), after: (.purchase(), 0)),
    ]

    private static func describe(_ decision: OrderDecision) -> String {
        switch decision {
        case .changed(let changes): changes.order.state.rawValue
        case .parked(let reason, _): reason.rawValue
        case .waiting: "waiting"
        case .repeated: "repeated"
        case .ignored(let reason): reason.rawValue
        }
    }

    /// The documented words for a change of a license; `nil` if only the cause of its suspension gets another name.
    private static func describe(_ change: LicenseChange) -> String? {
        switch change {
        case .issue: "issued"
        case .adopt: "adopted"
        case .extend: "end later"
        case .setEnd: "end earlier"
        case .suspend: "suspended"
        case .renameCause: nil
        case .lift: "suspension lifted"
        case .revoke: "revoked"
        case .changePolicy: "other policy"
        case .changeDevices: "other number of devices"
        case .changeEmail: "other address"
        case .addTime: "time added"
        case .takeTimeBack: "time taken back"
        }
    }
}

extension String {
    /// The text without backticks.
    var plain: String { replacing("`", with: "") }
}
