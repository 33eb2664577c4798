import TenureCore

extension OrderFold {
    /// The payments of the order with their refunds, by time.
    static func payments(_ sale: Sale, _ sold: OrderFact, _ facts: [OrderFact]) -> [Order.Payment] {
        var bills = [(bill: sale.bill, items: sale.items, time: sold.time)]
        for fact in facts {
            if case .periodPaid(let period) = fact.report.kind, period.bill.reference != sale.bill.reference {
                bills.append((period.bill, period.items, fact.time))
            }
        }
        for index in bills.indices where bills[index].bill.payment == nil {
            bills[index].bill.payment =
                facts.lazy.compactMap { fact in
                    if case .paymentNamed(bills[index].bill.reference, let payment) = fact.report.kind {
                        payment
                    } else {
                        nil
                    }
                }.first
        }
        return bills.map { RefundSums(of: $0.bill, $0.items, facts).payment($0.time) }
            .sorted { ($0.time, $0.bill.reference) < ($1.time, $1.bill.reference) }
    }

    /// The payment of the newest period, or the only payment.
    var newestPayment: Order.Payment? { newestPayment(at: nil) }

    /// The payment that was the newest at this time.
    func newestPayment(at time: Timestamp?) -> Order.Payment? {
        payments.filter { payment in
            guard sale.kind == .once || payment.bill.periodEnd != nil else { return false }
            return time.map { payment.time <= $0 } ?? true
        }.max { $0.rank < $1.rank }
    }
}

extension Order.Payment {
    /// Orders payments by what they pay for.
    fileprivate var rank: (Timestamp, Timestamp, ProviderID) {
        (bill.periodEnd ?? Timestamp(seconds: .min), time, bill.reference)
    }
}

/// The refunds of one bill.
private struct RefundSums {
    let bill: Bill
    let items: [SoldItem]
    /// Refunds that were reported one by one.
    var single: [ProviderID: Refund] = [:]
    /// Reports of the sum of all refunds so far.
    var sums: [(refund: Refund, time: Timestamp)] = []
    var failed: [(refund: FailedRefund, time: Timestamp)] = []
    var newest: OrderFact?

    init(of bill: Bill, _ items: [SoldItem], _ facts: [OrderFact]) {
        self.bill = bill
        self.items = items
        for fact in facts {
            switch fact.report.kind {
            case .refunded(let refund) where bill.isPaid(by: refund.payment):
                if let id = refund.id { single[id] = refund } else { sums.append((refund, fact.time)) }
                newest = fact
            case .refundFailed(let refund) where bill.isPaid(by: refund.payment): failed.append((refund, fact.time))
            default: break
            }
        }
        for (refund, _) in failed { single[refund.id] = nil }
    }

    func payment(_ time: Timestamp) -> Order.Payment {
        let refunds = Array(single.values)
        var refunded = refunds.filter { $0.amount.currency == bill.gross.currency }
            .reduce(Int64(0)) { $0.adding($1.amount.amount) }
        var isWhole = refunds.contains { $0.extent == .whole }
        for (refund, time) in sums where refund.amount.currency == bill.gross.currency {
            // A failure at the time of a sum or later isn't part of that sum yet.
            let later = failed.filter { $0.time >= time && $0.refund.amount.currency == bill.gross.currency }
            let rest = later.reduce(refund.amount.amount) { $0.adding(-max($1.refund.amount.amount, 0)) }
            refunded = max(refunded, rest)
            isWhole = isWhole || (refund.extent == .whole && later.isEmpty)
        }
        let incidental = refunds.filter { $0.extent == .incidental && $0.amount.currency == bill.gross.currency }
            .reduce(Int64(0)) { $0.adding($1.amount.amount) }
        let gross = bill.gross.amount
        isWhole = isWhole || (gross > 0 && refunded.adding(-incidental) >= gross)
        let names = refunds.reduce(into: Set<String>()) { names, refund in
            if case .items(let refunded) = refund.extent { names.formUnion(refunded) }
        }
        let refundedItems = items.filter { names.contains($0.item) || $0.line.map(names.contains) ?? false }
        return Order.Payment(
            bill: bill, time: time, refunded: max(refunded, isWhole ? gross : 0), isRefundedWhole: isWhole,
            refundedItems: isWhole ? [] : Set(refundedItems.map(\.item)),
            isRefundedInPart: isWhole || refunded > 0 || !refunds.isEmpty,
            currenciesDiffer: (refunds + sums.map(\.refund)).contains { $0.amount.currency != bill.gross.currency },
            effect: newest?.terms.effect ?? .keep, refundedAt: newest?.time)
    }
}

extension Bill {
    /// Whether a refund's or a dispute's payment is this bill's.
    fileprivate func isPaid(by payment: ProviderID) -> Bool { payment == self.payment || payment == reference }
}

extension Int64 {
    /// The sum, or the largest or smallest number if it's too large or small.
    fileprivate func adding(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}
