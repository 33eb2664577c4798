package import TenureCore

/// A fact about an order, with the consequences that the source's rules gave it on arrival.
///
/// Later changes of the catalog don't change the consequences, so an old order stays as it was sold.
package struct OrderFact: Sendable, Hashable {
    /// The fact as the provider reported it.
    package var report: ReportedFact

    /// The consequences of the fact.
    package var terms: Terms

    package init(_ report: ReportedFact, terms: Terms) {
        self.report = report
        self.terms = terms
    }

    /// The consequences that a source's rules gave a fact when the fact arrived.
    package struct Terms: Sendable, Hashable {
        /// The lines of a sale or a plan, sorted; empty for other facts.
        package var lines: [OrderLine] = []
        /// The effect of a refund or a dispute on licenses.
        package var effect = StopEffect.keep
        /// How much longer than the paid period a license runs, in seconds.
        package var slackSeconds: Int64 = 0
        /// Whether an ended subscription ends its licenses at once instead of with the paid period.
        package var endsAtOnce = false
        /// The license that a sale renews instead of issuing one; `nil` if the sale issues licenses.
        package var renews: LicenseID?
        /// Whether the source takes test payments.
        package var isTest = false

        /// Creates terms without consequences.
        package init() {}
    }

    /// The time of the provider's message.
    package var time: Timestamp { report.time }

    /// The fact's key within its order; of two facts with the same key, one replaces the other.
    package var key: String { report.key }
}

extension ReportedFact {
    /// The natural key of the fact within its order, such as `refund:ch_1:re_1`. Two facts with the same key report the
    /// same payment, refund, dispute or state.
    package var key: String {
        switch kind {
        case .sold, .trialBegun: "sale"
        case .periodPaid(let sale): "period:\(sale.bill.reference)"
        case .paymentNamed(let bill, let payment): "payment:\(bill):\(payment)"
        case .buyerNamed: "buyer"
        case .planChanged: "plan:\(time.seconds)"
        case .pastDue, .recovered: "status"
        case .willEnd, .willNotEnd: "cancellation"
        case .paused: "paused"
        case .resumed(let end): "resumed:\(end.seconds)"
        case .ended: "ended"
        case .refunded(let refund):
            "refund:\(refund.payment):\(refund.id?.text ?? "\(refund.amount.amount)-\(refund.amount.currency)")"
        case .refundFailed(let refund): "refund_failed:\(refund.payment):\(refund.id)"
        case .disputed(let dispute), .disputeWon(let dispute), .disputeLost(let dispute), .inquiry(let dispute):
            "dispute:\(dispute.id)"
        case .addressChanged: "address"
        }
    }
}

/// The effect of a refund or a dispute on the licenses of an order.
package enum StopEffect: String, Sendable, Hashable, CaseIterable {
    /// Suspends the licenses until the refund fails or a later period is paid, or until the dispute is won.
    case suspend
    /// Revokes the licenses for good.
    case revoke
    /// Leaves the licenses as they are.
    case keep
}

/// A line of an order: licenses of one policy.
package struct OrderLine: Sendable, Hashable {
    /// The item's name in the catalog.
    package var item: String
    /// The quantity that was bought.
    package var quantity: Int
    package var product: ProductID
    package var policy: PolicyID
    /// Whether the quantity is a number of licenses or of devices, or is ignored.
    package var meaning: ItemRule.Quantity

    package init(
        item: String, quantity: Int, product: ProductID, policy: PolicyID, meaning: ItemRule.Quantity = .licenses
    ) {
        self.item = item
        self.quantity = quantity
        self.product = product
        self.policy = policy
        self.meaning = meaning
    }

    /// How many licenses the line has: the quantity or, if the quantity doesn't count licenses, at most one.
    package var licenses: Int { meaning == .licenses ? quantity : min(quantity, 1) }

    /// The number of devices of each license; `nil` for the policy's own number.
    package var devices: Int? { meaning == .devices && quantity > 0 ? quantity : nil }
}
