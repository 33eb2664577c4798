package import TenureCore

/// An order, computed from its facts: its lines, its payments, and the licenses that follow from them.
///
/// The result doesn't depend on the order in which the facts arrived.
package struct Order: Sendable, Hashable {
    /// The source whose messages reported the order.
    package let source: SourceID
    /// The provider's id of the order.
    package let reference: ProviderID
    /// Whether the order is a single purchase or a subscription.
    package let kind: OrderKind
    package let state: State
    /// The buyer's address; `nil` if no message has named it yet.
    package let holderEmail: String?
    /// The buyer's name; `nil` if no message named it.
    package let holderName: String?
    /// The provider's id of the customer; `nil` if no message named it.
    package let customer: ProviderID?
    /// The license that the purchase renews instead of issuing one; `nil` if the purchase issues licenses.
    package let renewedLicense: LicenseID?
    /// The lines. A line keeps its number when the subscription's items change.
    package let lines: [OrderLine]
    /// The payments, sorted by time.
    package let payments: [Payment]
    /// The end of the last period that was paid for; `nil` for a single purchase.
    package let paidUntil: Timestamp?
    /// Whether the order was paid with test payments.
    package let isTest: Bool
    /// When the order was sold, by the provider's clock.
    package let soldAt: Timestamp

    /// The state that each license of the order should have.
    let targets: [LicenseSlot: LicenseTarget]

    package enum State: String, Sendable, Hashable, CaseIterable {
        /// All due payments were made.
        case paid
        /// A payment failed, and the provider tries again.
        case pastDue = "past_due"
        /// The subscription ends with its period.
        case cancelled
        /// The subscription is paused.
        case paused
        /// The subscription has ended.
        case ended
        /// The newest period, the only payment or one line was refunded in full, or a dispute was lost.
        case refunded
        /// Only an earlier payment, or a part of the newest one, was refunded.
        case partlyRefunded = "partly_refunded"
        /// A dispute is open.
        case disputed
    }

    package struct Payment: Sendable, Hashable {
        /// The bill that was paid, with the id of its payment.
        package var bill: Bill
        /// When the bill was paid, by the provider's clock.
        package var time: Timestamp
        /// How much was refunded, in minor units of the payment's currency.
        package var refunded: Int64
        /// Whether the payment was refunded in full, by one refund or by several.
        package var isRefundedWhole: Bool
        /// The items that were refunded in full although the payment wasn't.
        package var refundedItems: Set<String>
        /// Whether anything was refunded, even if the amount is unknown.
        package var isRefundedInPart: Bool
        /// Whether a refund's currency differs from that of the payment.
        package var currenciesDiffer: Bool
        /// The effect of the newest refund on the licenses of the order.
        var effect: StopEffect
        /// When the newest refund was reported; `nil` if nothing was refunded.
        var refundedAt: Timestamp?
    }

    /// The maximum number of live licenses of a test source. It is limited because test cards are public.
    package static let mostTestLicenses = 25

    /// How long a license of a test source runs, in days.
    package static let testDays = 7
}

/// The state that one license of an order should have.
struct LicenseTarget: Sendable, Hashable {
    var product: ProductID
    var policy: PolicyID
    /// The number of devices; `nil` for the policy's own number.
    var devices: Int?
    /// The end that the order sets; `nil` if the end follows from the policy's duration.
    var end: Timestamp?
    /// The causes for suspending the license; empty if it isn't to be suspended.
    var suspensions: Set<StopCause>
    /// The cause for revoking the license; `nil` if it isn't to be revoked.
    var revocation: StopCause?
    /// The existing license that the purchase renews instead of issuing one; `nil` if it renews none.
    var renews: LicenseID?

    /// Whether the order has a cause for suspending or revoking the license. While it has one, the license isn't
    /// issued.
    var isHeld: Bool { !suspensions.isEmpty || revocation != nil }
}

extension Order {
    /// Computes the order; `nil` if the facts lack its sale or, for a subscription, the end of its first period.
    package init?(_ facts: OrderFacts) {
        guard let fact = facts.byKey["sale"], var sale = fact.report.kind.sale else { return nil }
        let sorted = facts.sorted
        if sale.kind == .subscription, sale.bill.periodEnd == nil {
            sale.bill.periodEnd = sorted.lazy.compactMap { $0.report.kind.periodEnd(of: sale.bill.reference) }.first
            if sale.bill.periodEnd == nil { return nil }
        }
        let fold = OrderFold(sale: sale, fact: fact, facts: sorted)
        let buyer = fold.buyer
        source = facts.source
        reference = facts.reference
        kind = sale.kind
        holderEmail = buyer.email
        holderName = buyer.name
        customer = buyer.customer
        renewedLicense = fact.terms.renews
        isTest = fact.terms.isTest
        soldAt = fact.time
        lines = fold.lines.map(\.line)
        payments = fold.payments
        paidUntil = fold.paidUntil?.end
        state = fold.state
        targets = fold.targets
    }

    /// Whether a subscription has cost nothing yet: it's in its trial, or free.
    package var isTrial: Bool { kind == .subscription && payments.allSatisfy { $0.bill.gross.amount == 0 } }
}

extension ReportedFact.Kind {
    /// The sale of a first payment; `nil` for other facts.
    package var sale: Sale? {
        switch self {
        case .sold(let sale), .trialBegun(let sale): sale
        default: nil
        }
    }

    /// The end of the plan's period if the fact is a plan that waits for this bill; `nil` otherwise.
    fileprivate func periodEnd(of bill: ProviderID) -> Timestamp? {
        if case .planChanged(let plan) = self, plan.bill == bill { plan.periodEnd } else { nil }
    }
}
